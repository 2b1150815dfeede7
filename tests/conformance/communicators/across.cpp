// Collectives of intercommunicators: what one side gives arrives at the other. Rooted ones with every rank as root.
#include <vector>

#include "communicators/sides.hpp"

using namespace conformance;

namespace {

std::size_t count_of(int value) { return static_cast<std::size_t>(value); }

// Something that only the member `place` of `side` can have meant for the member `other` of the other side.
int word(int side, int place, int other, int i) { return side * 1'000'000 + place * 10'000 + other * 100 + i; }

// Calls `use(side, place, root)` for each process as root: who it is, and what this process passes for it.
template <class Use>
void with_each_root(const Sides& sides, Use use) {
  for (const int side : {0, 1})
    for (int place = 0; place < (side == sides.side ? sides.mine : sides.theirs); ++place)
      use(side, place, side != sides.side ? place : place == sides.place ? MPI_ROOT : MPI_PROC_NULL);
}

// A block of `length` words from me for each of the other side.
std::vector<int> words_from_me(const Sides& sides, int length) {
  std::vector<int> words;
  for (int to = 0; to < sides.theirs; ++to)
    for (int i = 0; i < length; ++i) words.push_back(word(sides.side, sides.place, to, i));
  return words;
}
std::vector<int> words_for_me(const Sides& sides, int length) {
  std::vector<int> words;
  for (int from = 0; from < sides.theirs; ++from)
    for (int i = 0; i < length; ++i) words.push_back(word(1 - sides.side, from, sides.place, i));
  return words;
}

void barriers() {
  const Sides sides;
  // The last process of the odd side comes only when it has heard from the first of the even side, which must still
  // be inside then.
  MPI_Request heard = MPI_REQUEST_NULL;
  int inside = 0;
  if (sides.side == 0 && sides.place == 0)
    MPI_Issend(&inside, 1, MPI_INT, sides.theirs - 1, kTag, sides.inter, &heard);
  if (sides.side == 1 && sides.place == sides.mine - 1)
    MPI_Recv(&inside, 1, MPI_INT, 0, kTag, sides.inter, MPI_STATUS_IGNORE);
  MPI_Barrier(sides.inter);
  // Between nodes, that it has heard may arrive after what ends the barrier, which takes another way.
  if (!on_one_node()) MPI_Wait(&heard, MPI_STATUS_IGNORE);
  int done = 0;
  MPI_Test(&heard, &done, MPI_STATUS_IGNORE);
  expect(done, "a process left the barrier before another came");
}

void broadcasts() {
  const Sides sides;
  with_each_root(sides, [&](int side, int place, int root) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{30'000}}) {
      std::vector<int> words(length, root == MPI_ROOT ? rank() : -1);
      MPI_Bcast(words.data(), static_cast<int>(length), MPI_INT, root, sides.inter);
      const int expected = side == sides.side ? (place == sides.place ? rank() : -1) : 2 * place + side;
      expect(words == std::vector<int>(length, expected), "the words from the root are wrong");
    }
  });
}

void reductions() {
  const Sides sides;
  const int mine[2] = {rank(), 1};
  int sum[2] = {};
  MPI_Allreduce(mine, sum, 2, MPI_INT, MPI_SUM, sides.inter);
  int expected = 0;
  for (int place = 0; place < sides.theirs; ++place) expected += sides.world_rank_of(place);
  expect_equal(sum[0], expected, "the sum of the other side's ranks");
  expect_equal(sum[1], sides.theirs, "the sum of ones");
  with_each_root(sides, [&](int, int, int root) {
    int at_root[2] = {-1, -1};
    MPI_Reduce(mine, at_root, 2, MPI_INT, MPI_SUM, root, sides.inter);
    expect_equal(at_root[0], root == MPI_ROOT ? expected : -1, "the sum at the root");
    expect_equal(at_root[1], root == MPI_ROOT ? sides.theirs : -1, "the number of those that gave");
  });
}

void gathers_and_scatters() {
  const Sides sides;
  with_each_root(sides, [&](int side, int place, int root) {
    const auto all = root == MPI_ROOT ? count_of(3 * sides.theirs) : 0;
    std::vector<int> gathered(all), mine;
    for (int i = 0; i < 3; ++i) mine.push_back(word(sides.side, sides.place, place, i));
    MPI_Gather(mine.data(), 3, MPI_INT, gathered.data(), 3, MPI_INT, root, sides.inter);
    if (root == MPI_ROOT) expect(gathered == words_for_me(sides, 3), "the words at the root are wrong");

    const std::vector<int> given = root == MPI_ROOT ? words_from_me(sides, 3) : std::vector<int>{};
    std::vector<int> got(3, -1), expected(3, -1);
    MPI_Scatter(given.data(), 3, MPI_INT, got.data(), 3, MPI_INT, root, sides.inter);
    for (int i = 0; i < 3 && side != sides.side; ++i) expected[count_of(i)] = word(side, place, sides.place, i);
    expect(got == expected, "the words from the root are wrong");
  });
}

// The even side gives two words each, the odd side as many as said.
void exchanges(int odd) {
  const Sides sides;
  const int given = sides.side == 0 ? 2 : odd, taken = sides.side == 0 ? odd : 2;
  std::vector<int> mine, all(count_of(taken * sides.theirs)), expected;
  for (int i = 0; i < given; ++i) mine.push_back(word(sides.side, sides.place, 0, i));
  for (int from = 0; from < sides.theirs; ++from)
    for (int i = 0; i < taken; ++i) expected.push_back(word(1 - sides.side, from, 0, i));
  MPI_Allgather(mine.data(), given, MPI_INT, all.data(), taken, MPI_INT, sides.inter);
  expect(all == expected, "the words that are for all are wrong");

  const std::vector<int> out = words_from_me(sides, given);
  std::vector<int> in(count_of(taken * sides.theirs));
  MPI_Alltoall(out.data(), given, MPI_INT, in.data(), taken, MPI_INT, sides.inter);
  expect(in == words_for_me(sides, taken), "the words from each to each are wrong");
}
void exchanges_of_equal_length() { exchanges(2); }
void exchanges_of_different_length() { exchanges(5); }
void exchanges_in_one_direction() { exchanges(0); }

// How many words the member `place` of `side` has for `other`.
int length(int side, int place, int other) { return (side + 2 * place + 3 * other) % 4; }

// Where blocks of these lengths lie, one after the other.
std::vector<int> one_after_the_other(const std::vector<int>& lengths) {
  std::vector<int> starts;
  int start = 0;
  for (const int each : lengths) {
    starts.push_back(start);
    start += each;
  }
  return starts;
}

// Blocks of different lengths from one side to the other: those from me, or those for me.
struct Varying {
  std::vector<int> lengths, starts, words;

  // As `length_of` and `word_of` say for each member of the other side.
  template <class LengthOf, class WordOf>
  Varying(const Sides& sides, LengthOf length_of, WordOf word_of) {
    for (int place = 0; place < sides.theirs; ++place) {
      lengths.push_back(length_of(place));
      for (int i = 0; i < lengths.back(); ++i) words.push_back(word_of(place, i));
    }
    starts = one_after_the_other(lengths);
  }
};

void blocks_of_any_lengths() {
  const Sides sides;
  const auto from_me = [&](int to, int i) { return word(sides.side, sides.place, to, i); };
  const auto to_me = [&](int from, int i) { return word(1 - sides.side, from, sides.place, i); };
  const Varying out(
      sides, [&](int to) { return length(sides.side, sides.place, to); }, from_me);
  const Varying in(
      sides, [&](int from) { return length(1 - sides.side, from, sides.place); }, to_me);
  std::vector<int> got(in.words.size(), -1);
  MPI_Alltoallv(out.words.data(), out.lengths.data(), out.starts.data(), MPI_INT, got.data(), in.lengths.data(),
                in.starts.data(), MPI_INT, sides.inter);
  expect(got == in.words, "the words from each to each are wrong");

  with_each_root(sides, [&](int side, int place, int root) {
    const bool at_root = root == MPI_ROOT;
    std::vector<int> mine, gathered(at_root ? in.words.size() : 0, -1);
    const int length_for_root = root >= 0 ? length(sides.side, sides.place, place) : 0;
    for (int i = 0; i < length_for_root; ++i) mine.push_back(from_me(place, i));
    MPI_Gatherv(mine.data(), length_for_root, MPI_INT, gathered.data(), in.lengths.data(), in.starts.data(), MPI_INT,
                root, sides.inter);
    if (at_root) expect(gathered == in.words, "the words at the root are wrong");

    const int length_from_root = root >= 0 ? length(side, place, sides.place) : 0;
    std::vector<int> expected, scattered(count_of(length_from_root), -1);
    for (int i = 0; i < length_from_root; ++i) expected.push_back(to_me(place, i));
    MPI_Scatterv(out.words.data(), out.lengths.data(), out.starts.data(), MPI_INT, scattered.data(), length_from_root,
                 MPI_INT, root, sides.inter);
    expect(scattered == expected, "the words from the root are wrong");
  });
}

void exchanges_of_any_lengths() {
  const Sides sides;
  const Varying all(
      sides, [&](int from) { return length(1 - sides.side, from, 0); },
      [&](int from, int i) { return word(1 - sides.side, from, 0, i); });
  std::vector<int> mine, got(all.words.size(), -1);
  for (int i = 0; i < length(sides.side, sides.place, 0); ++i) mine.push_back(word(sides.side, sides.place, 0, i));
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT, got.data(), all.lengths.data(),
                 all.starts.data(), MPI_INT, sides.inter);
  expect(got == all.words, "the words that are for all are wrong");
}

// As many elements on both sides, shared out among those of each.
void scattered_reductions() {
  const Sides sides;
  const int all = 2 * sides.mine * sides.theirs, block = 2 * sides.theirs;
  std::vector<int> mine, expected;
  for (int i = 0; i < all; ++i) {
    mine.push_back(rank() * 100 + i);
    expected.push_back(0);
    for (int place = 0; place < sides.theirs; ++place) expected.back() += sides.world_rank_of(place) * 100 + i;
  }
  const auto expected_from = [&](int first, std::size_t length) {
    return std::vector<int>(expected.begin() + first, expected.begin() + first + static_cast<std::ptrdiff_t>(length));
  };
  std::vector<int> got(count_of(block), -1);
  MPI_Reduce_scatter_block(mine.data(), got.data(), block, MPI_INT, MPI_SUM, sides.inter);
  expect(got == expected_from(block * sides.place, got.size()), "a block of the other side's sum is wrong");

  std::vector<int> shares(count_of(sides.mine), block);  // the first has most of it
  for (int place = 1; place < sides.mine; ++place) {
    shares[count_of(place)] -= place;
    shares[0] += place;
  }
  got.assign(count_of(shares[count_of(sides.place)]), -1);
  MPI_Reduce_scatter(mine.data(), got.data(), shares.data(), MPI_INT, MPI_SUM, sides.inter);
  expect(got == expected_from(one_after_the_other(shares)[count_of(sides.place)], got.size()),
         "a share of the other side's sum is wrong");
}

void refusals() {
  const Sides sides;
  int in[16] = {}, out[16] = {};
  MPI_Comm_set_errhandler(sides.inter, MPI_ERRORS_RETURN);
  expect_error(MPI_Bcast(in, 1, MPI_INT, sides.theirs, sides.inter), MPI_ERR_ROOT, "a root beyond the other side");
  expect_error(MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, sides.inter), MPI_ERR_BUFFER, "in place");
  expect_error(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, sides.inter), MPI_ERR_BUFFER, "in place");
  expect_error(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, sides.inter), MPI_ERR_BUFFER, "in place");
  expect_error(MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, sides.inter), MPI_ERR_COMM, "a scan across");
  expect_error(MPI_Exscan(out, in, 1, MPI_INT, MPI_SUM, sides.inter), MPI_ERR_COMM, "an exclusive scan across");
  expect_error(MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, sides.inter), MPI_ERR_BUFFER,
               "in place");
  expect_error(MPI_Gather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD), MPI_ERR_ROOT,
               "MPI_ROOT on an intracommunicator");
  expect_error(MPI_Bcast(out, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD), MPI_ERR_ROOT,
               "MPI_PROC_NULL on an intracommunicator");
}

}  // namespace

int main() {
  return run({{"nobody leaves a barrier before the other side has come", barriers},
              {"a broadcast goes to the other side", broadcasts},
              {"each side gets what the other contributes", reductions},
              {"a root gathers from and scatters to the other side", gathers_and_scatters},
              {"both sides may give alike", exchanges_of_equal_length},
              {"the sides may give blocks of different lengths", exchanges_of_different_length},
              {"a side may give nothing", exchanges_in_one_direction},
              {"blocks of any lengths, from each to each, to and from roots", blocks_of_any_lengths},
              {"everybody gets blocks of any lengths", exchanges_of_any_lengths},
              {"each side shares out what the other contributes", scattered_reductions},
              {"nothing is in place, and roots are of the other side", refusals}});
}
