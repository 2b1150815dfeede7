// Collectives with a count for each rank, from and to every root, in place and not, with blocks in any order and
// nothing for some, of types with gaps: MPI 5.0, 6.5 to 6.8. What lies between blocks stays as it was.
#include <algorithm>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

using Numbers = std::vector<int>;

constexpr int kUntouched = -7;
constexpr int kScales[] = {0, 1, 40, 3000};  // long enough, at last, to be announced first

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// How many elements `from` has for `to`: any number, none between some.
int count_of(int from, int to, int scale) { return (from * 3 + to * 5 + from * to) % 4 * scale; }
int value(int from, int to, int i) { return from * 1'000'000 + to * 10'000 + i % 9973; }

// Elements in a buffer: ints, every second one if they have gaps.
struct Elements {
  MPI_Datatype type = MPI_INT;
  int width = 1;  // ints from one to the next

  explicit Elements(bool gaps) {
    if (!gaps) return;
    width = 2;
    MPI_Type_create_resized(MPI_INT, 0, 2 * static_cast<MPI_Aint>(sizeof(int)), &type);
    MPI_Type_commit(&type);
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements() {
    if (width != 1) MPI_Type_free(&type);
  }
};

// A block for each rank, the last rank's first, three elements apart.
struct Layout {
  Numbers counts, displacements;
  std::vector<MPI_Count> large_counts;
  std::vector<MPI_Aint> large_displacements;
  int elements = 0;

  template <class CountOf>
  explicit Layout(CountOf count_for) : counts(at(size())), displacements(at(size())) {
    for (int rank = size() - 1; rank >= 0; --rank) {
      counts[at(rank)] = count_for(rank);
      displacements[at(rank)] = elements;
      elements += counts[at(rank)] + 3;
    }
    large_counts.assign(counts.begin(), counts.end());
    large_displacements.assign(displacements.begin(), displacements.end());
  }
};

// Memory in which a layout's blocks lie.
class Memory {
 public:
  Memory(const Layout& layout, int width)
      : layout_(layout), width_(width), ints_(at(layout.elements * width), kUntouched) {}
  int* data() { return ints_.data(); }
  int& element(int rank, int i) { return ints_[at((layout_.displacements[at(rank)] + i) * width_)]; }
  template <class Value>
  void fill(int rank, Value value_of) {
    for (int i = 0; i < layout_.counts[at(rank)]; ++i) element(rank, i) = value_of(rank, i);
  }
  template <class Value>
  void fill(Value value_of) {
    for (int rank = 0; rank < size(); ++rank) fill(rank, value_of);
  }
  // Whether this, and nothing else, has been written.
  template <class Value>
  void expect_blocks(Value value_of, const std::string& what, const Where& where = Where::current()) const {
    Memory wanted(layout_, width_);
    wanted.fill(value_of);
    expect(ints_ == wanted.ints_, what + " is wrong", where);
  }
  void expect_untouched(const std::string& what, const Where& where = Where::current()) const {
    expect_equal(std::count(ints_.begin(), ints_.end(), kUntouched), static_cast<std::ptrdiff_t>(ints_.size()),
                 what + ", untouched numbers,", where);
  }

 private:
  const Layout& layout_;
  int width_;
  Numbers ints_;
};

template <class Body>
void for_all_kinds(Body body) {
  for (const bool gaps : {false, true}) {
    const Elements elements(gaps);
    for (const int scale : kScales) body(elements, scale);
  }
}

// One block, of elements without gaps.
Numbers own_block(int from, int to, int scale) {
  Numbers block(at(count_of(from, to, scale)));
  for (int i = 0; i < count_of(from, to, scale); ++i) block[at(i)] = value(from, to, i);
  return block;
}

void a_root_gathers_blocks_of_any_lengths() {
  for_all_kinds([](const Elements& elements, int scale) {
    for (int root = 0; root < size(); ++root) {
      const Layout layout([&](int from) { return count_of(from, root, scale); });
      const auto wanted = [&](int from, int i) { return value(from, root, i); };
      Numbers mine = own_block(rank(), root, scale);
      const int count = static_cast<int>(mine.size());
      Memory all(layout, elements.width);
      expect_error(rank() == root ? MPI_Gatherv(mine.data(), count, MPI_INT, all.data(), layout.counts.data(),
                                                layout.displacements.data(), elements.type, root, MPI_COMM_WORLD)
                                  : MPI_Gatherv(mine.data(), count, MPI_INT, nullptr, nullptr, nullptr,
                                                MPI_DATATYPE_NULL, root, MPI_COMM_WORLD),
                   MPI_SUCCESS, "MPI_Gatherv");
      if (rank() == root) all.expect_blocks(wanted, "MPI_Gatherv");

      Memory again(layout, elements.width);
      if (rank() == root) again.fill(root, wanted);
      MPI_Gatherv_c(rank() == root ? MPI_IN_PLACE : mine.data(), count, MPI_INT, again.data(),
                    layout.large_counts.data(), layout.large_displacements.data(), elements.type, root,
                    MPI_COMM_WORLD);
      if (rank() == root)
        again.expect_blocks(wanted, "MPI_Gatherv_c in place");
      else
        again.expect_untouched("MPI_Gatherv_c");
    }
  });
}

void a_root_scatters_blocks_of_any_lengths() {
  for_all_kinds([](const Elements& elements, int scale) {
    for (int root = 0; root < size(); ++root) {
      const Layout layout([&](int to) { return count_of(root, to, scale); });
      const Numbers wanted = own_block(root, rank(), scale);
      const int count = static_cast<int>(wanted.size());
      Memory all(layout, elements.width);
      all.fill([&](int to, int i) { return value(root, to, i); });
      Numbers mine(wanted.size(), kUntouched);
      expect_error(rank() == root ? MPI_Scatterv(all.data(), layout.counts.data(), layout.displacements.data(),
                                                 elements.type, mine.data(), count, MPI_INT, root, MPI_COMM_WORLD)
                                  : MPI_Scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, mine.data(), count,
                                                 MPI_INT, root, MPI_COMM_WORLD),
                   MPI_SUCCESS, "MPI_Scatterv");
      expect(mine == wanted, "MPI_Scatterv is wrong");

      mine.assign(mine.size(), kUntouched);
      MPI_Scatterv_c(all.data(), layout.large_counts.data(), layout.large_displacements.data(), elements.type,
                     rank() == root ? MPI_IN_PLACE : mine.data(), count, MPI_INT, root, MPI_COMM_WORLD);
      if (rank() != root) expect(mine == wanted, "MPI_Scatterv_c in place is wrong");
      all.expect_blocks([&](int to, int i) { return value(root, to, i); }, "what MPI_Scatterv sent");
    }
  });
}

void all_gather_blocks_of_any_lengths() {
  for_all_kinds([](const Elements& elements, int scale) {
    const Layout layout([&](int from) { return count_of(from, 1, scale); });
    const auto wanted = [&](int from, int i) { return value(from, 1, i); };
    const Numbers mine = own_block(rank(), 1, scale);
    Memory all(layout, elements.width);
    expect_error(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT, all.data(), layout.counts.data(),
                                layout.displacements.data(), elements.type, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Allgatherv");
    all.expect_blocks(wanted, "MPI_Allgatherv");

    Memory again(layout, elements.width);
    again.fill(rank(), wanted);
    MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, again.data(), layout.large_counts.data(),
                     layout.large_displacements.data(), elements.type, MPI_COMM_WORLD);
    again.expect_blocks(wanted, "MPI_Allgatherv_c in place");
  });
}

void each_gives_each_a_block_of_any_length() {
  for_all_kinds([](const Elements& elements, int scale) {
    const Layout out([&](int to) { return count_of(rank(), to, scale); });
    const Layout in([&](int from) { return count_of(from, rank(), scale); });
    const auto wanted = [&](int from, int i) { return value(from, rank(), i); };
    Memory given(out, 1), got(in, elements.width), got_large(in, elements.width);
    given.fill([&](int to, int i) { return value(rank(), to, i); });
    expect_error(MPI_Alltoallv(given.data(), out.counts.data(), out.displacements.data(), MPI_INT, got.data(),
                               in.counts.data(), in.displacements.data(), elements.type, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Alltoallv");
    got.expect_blocks(wanted, "MPI_Alltoallv");
    MPI_Alltoallv_c(given.data(), out.large_counts.data(), out.large_displacements.data(), MPI_INT, got_large.data(),
                    in.large_counts.data(), in.large_displacements.data(), elements.type, MPI_COMM_WORLD);
    got_large.expect_blocks(wanted, "MPI_Alltoallv_c");
  });
}

// In place, a block goes where as long a one comes from.
int length_between(int one, int other, int scale) {
  return count_of(std::min(one, other), std::max(one, other), scale);
}

void each_exchanges_blocks_in_place() {
  for_all_kinds([](const Elements& elements, int scale) {
    const Layout layout([&](int other) { return length_between(rank(), other, scale); });
    Memory memory(layout, elements.width);
    memory.fill([&](int to, int i) { return value(rank(), to, i); });
    expect_error(MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, memory.data(), layout.counts.data(),
                               layout.displacements.data(), elements.type, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Alltoallv in place");
    memory.expect_blocks([&](int from, int i) { return value(from, rank(), i); }, "MPI_Alltoallv in place");
  });
}

// Every block has a type of its own: from even ranks ints with gaps, from odd ones none; nothing has no type.
class Types {
 public:
  Types(const Elements& even, const Elements& odd, const Numbers& counts) : types_(at(size())) {
    for (int rank = 0; rank < size(); ++rank)
      types_[at(rank)] = counts[at(rank)] == 0 ? MPI_DATATYPE_NULL : rank % 2 == 0 ? even.type : odd.type;
  }
  [[nodiscard]] const MPI_Datatype* data() const { return types_.data(); }

 private:
  std::vector<MPI_Datatype> types_;
};

// In ints, of blocks that lie at least as far apart as the widest type needs.
template <class Integer>
std::vector<Integer> in_bytes(const Numbers& displacements) {
  std::vector<Integer> bytes;
  for (const int each : displacements) bytes.push_back(each * 2 * static_cast<Integer>(sizeof(int)));
  return bytes;
}

void each_gives_each_a_block_of_any_type() {
  const Elements wide(true), narrow(false);
  for (const int scale : kScales) {
    const Layout out([&](int to) { return count_of(rank(), to, scale); });
    const Layout in([&](int from) { return count_of(from, rank(), scale); });
    const Types out_types(narrow, wide, out.counts), in_types(wide, narrow, in.counts);
    // As Memory of width 2, in which elements without gaps follow each other.
    const auto put = [](Numbers* ints, const Layout& layout, int rank, int i, bool gaps) -> int& {
      return (*ints)[at(2 * layout.displacements[at(rank)] + (gaps ? 2 * i : i))];
    };
    Numbers given(at(2 * out.elements), kUntouched), wanted(at(2 * in.elements), kUntouched);
    for (int other = 0; other < size(); ++other) {
      for (int i = 0; i < out.counts[at(other)]; ++i)
        put(&given, out, other, i, other % 2 != 0) = value(rank(), other, i);
      for (int i = 0; i < in.counts[at(other)]; ++i)
        put(&wanted, in, other, i, other % 2 == 0) = value(other, rank(), i);
    }
    Numbers got(wanted.size(), kUntouched);
    const Numbers sent_at = in_bytes<int>(out.displacements), received_at = in_bytes<int>(in.displacements);
    expect_error(MPI_Alltoallw(given.data(), out.counts.data(), sent_at.data(), out_types.data(), got.data(),
                               in.counts.data(), received_at.data(), in_types.data(), MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Alltoallw");
    expect(got == wanted, "MPI_Alltoallw is wrong");
    got.assign(got.size(), kUntouched);
    const auto large_sent_at = in_bytes<MPI_Aint>(out.displacements);
    const auto large_received_at = in_bytes<MPI_Aint>(in.displacements);
    MPI_Alltoallw_c(given.data(), out.large_counts.data(), large_sent_at.data(), out_types.data(), got.data(),
                    in.large_counts.data(), large_received_at.data(), in_types.data(), MPI_COMM_WORLD);
    expect(got == wanted, "MPI_Alltoallw_c is wrong");
  }
}

void each_exchanges_blocks_of_any_type_in_place() {
  const Elements wide(true), narrow(false);
  for (const int scale : kScales) {
    const Layout layout([&](int other) { return length_between(rank(), other, scale); });
    const Types types(wide, narrow, layout.counts);
    const Numbers displacements = in_bytes<int>(layout.displacements);
    Numbers memory(at(2 * layout.elements), kUntouched), wanted = memory;
    for (int other = 0; other < size(); ++other)
      for (int i = 0; i < layout.counts[at(other)]; ++i) {
        const std::size_t place = at(2 * layout.displacements[at(other)] + (other % 2 == 0 ? 2 * i : i));
        memory[place] = value(rank(), other, i);
        wanted[place] = value(other, rank(), i);
      }
    MPI_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, memory.data(), layout.counts.data(), displacements.data(),
                  types.data(), MPI_COMM_WORLD);
    expect(memory == wanted, "MPI_Alltoallw in place is wrong");
  }
}

// A block's address is the address of the buffer and a displacement, so the buffer may be MPI_BOTTOM.
void blocks_at_absolute_addresses() {
  int mine = rank();
  Numbers all(at(size()), kUntouched), counts(at(size()), 1), displacements(at(size()), 0);
  std::vector<MPI_Datatype> types(at(size()), MPI_DATATYPE_NULL), sent(at(size()), MPI_DATATYPE_NULL);
  for (int rank = 0; rank < size(); ++rank) {
    const int one = 1;
    MPI_Aint address = 0;
    MPI_Get_address(&all[at(rank)], &address);
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &types[at(rank)]);
    MPI_Type_commit(&types[at(rank)]);
    MPI_Get_address(&mine, &address);
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &sent[at(rank)]);
    MPI_Type_commit(&sent[at(rank)]);
  }
  expect_error(MPI_Alltoallw(MPI_BOTTOM, counts.data(), displacements.data(), sent.data(), MPI_BOTTOM, counts.data(),
                             displacements.data(), types.data(), MPI_COMM_WORLD),
               MPI_SUCCESS, "MPI_Alltoallw from MPI_BOTTOM");
  for (int rank = 0; rank < size(); ++rank) {
    expect_equal(all[at(rank)], rank, "what a rank sent from MPI_BOTTOM");
    MPI_Type_free(&types[at(rank)]);
    MPI_Type_free(&sent[at(rank)]);
  }
}

// Or the displacement is the address, where it is long enough for one, and the type is any.
void blocks_displaced_from_bottom() {
  int mine = rank();
  Numbers all(at(size()), kUntouched);
  const std::vector<MPI_Count> counts(at(size()), 1);
  const std::vector<MPI_Datatype> types(at(size()), MPI_INT);
  std::vector<MPI_Aint> from(at(size())), to(at(size()));
  for (int rank = 0; rank < size(); ++rank) {
    MPI_Get_address(&mine, &from[at(rank)]);
    MPI_Get_address(&all[at(rank)], &to[at(rank)]);
  }
  expect_error(MPI_Alltoallw_c(MPI_BOTTOM, counts.data(), from.data(), types.data(), MPI_BOTTOM, counts.data(),
                               to.data(), types.data(), MPI_COMM_WORLD),
               MPI_SUCCESS, "MPI_Alltoallw_c from MPI_BOTTOM");
  for (int rank = 0; rank < size(); ++rank) expect_equal(all[at(rank)], rank, "what came to an address");
  // The first page has no data, so these are a null pointer and a displacement.
  std::ranges::fill(to, 64);
  expect_error(MPI_Alltoallw_c(&mine, counts.data(), std::vector<MPI_Aint>(at(size()), 0).data(), types.data(),
                               nullptr, counts.data(), to.data(), types.data(), MPI_COMM_WORLD),
               MPI_ERR_BUFFER, "MPI_Alltoallw_c into null");
}

}  // namespace

int main() {
  return run({{"a root gathers blocks of any lengths", a_root_gathers_blocks_of_any_lengths},
              {"a root scatters blocks of any lengths", a_root_scatters_blocks_of_any_lengths},
              {"all gather blocks of any lengths", all_gather_blocks_of_any_lengths},
              {"each gives each a block of any length", each_gives_each_a_block_of_any_length},
              {"each exchanges blocks in place", each_exchanges_blocks_in_place},
              {"each gives each a block of any type", each_gives_each_a_block_of_any_type},
              {"each exchanges blocks of any type in place", each_exchanges_blocks_of_any_type_in_place},
              {"blocks at absolute addresses", blocks_at_absolute_addresses},
              {"blocks displaced from MPI_BOTTOM", blocks_displaced_from_bottom}});
}
