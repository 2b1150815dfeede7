// Broadcast, gather, scatter, allgather and alltoall, from and to every root, in place and not, short and long:
// MPI 5.0, 6.4 to 6.8.
#include <algorithm>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

using Numbers = std::vector<int>;

// Elements a block: nothing, one, and both sides of the limits between algorithms and protocols.
constexpr int kBlocks[] = {0, 1, 7, 1000, 20'000};
constexpr int kUntouched = -7;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The block that rank `from` has for rank `to`.
Numbers block(int count, int from, int to) {
  Numbers numbers(at(count));
  for (int i = 0; i < count; ++i) numbers[at(i)] = from * 1'000'000 + to * 10'000 + i % 9973;
  return numbers;
}

void append(Numbers* all, const Numbers& more) { all->insert(all->end(), more.begin(), more.end()); }

template <class Block>
Numbers joined(Block block_of) {
  Numbers all;
  for (int other = 0; other < size(); ++other) append(&all, block_of(other));
  return all;
}

void put(Numbers* all, int position, const Numbers& one) {
  std::copy(one.begin(), one.end(), all->begin() + static_cast<std::ptrdiff_t>(at(position) * one.size()));
}

template <class Body>
void for_all_blocks_and_roots(Body body) {
  for (const int count : kBlocks)
    for (int root = 0; root < size(); ++root)
      if (count < 20'000 || root == size() / 2) body(count, root);
}

void a_broadcast_gives_everybody_the_roots_data() {
  for_all_blocks_and_roots([](int count, int root) {
    const Numbers wanted = block(count, root, 0);
    Numbers data = rank() == root ? wanted : Numbers(at(count), kUntouched);
    expect_error(MPI_Bcast(data.data(), count, MPI_INT, root, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Bcast");
    expect(data == wanted, "MPI_Bcast of " + std::to_string(count) + " is wrong");
  });
}

void a_gather_gives_the_root_everybodys_data() {
  for_all_blocks_and_roots([](int count, int root) {
    const Numbers wanted = joined([&](int from) { return block(count, from, root); });
    const Numbers mine = block(count, rank(), root);
    Numbers all(rank() == root ? wanted.size() : 0, kUntouched);
    expect_error(MPI_Gather(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, root, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Gather");
    if (rank() == root) expect(all == wanted, "MPI_Gather of " + std::to_string(count) + " is wrong");

    if (rank() == root) {
      all.assign(wanted.size(), kUntouched);
      put(&all, root, mine);
      MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), count, MPI_INT, root, MPI_COMM_WORLD);
      expect(all == wanted, "MPI_Gather in place of " + std::to_string(count) + " is wrong");
    } else {
      MPI_Gather(mine.data(), count, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    }
  });
}

void a_scatter_gives_everybody_a_part_of_the_roots_data() {
  for_all_blocks_and_roots([](int count, int root) {
    const Numbers all = joined([&](int to) { return block(count, root, to); });
    const Numbers wanted = block(count, root, rank());
    Numbers mine(at(count), kUntouched);
    expect_error(MPI_Scatter(rank() == root ? all.data() : nullptr, count, MPI_INT, mine.data(), count, MPI_INT, root,
                             MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Scatter");
    expect(mine == wanted, "MPI_Scatter of " + std::to_string(count) + " is wrong");

    mine.assign(mine.size(), kUntouched);
    if (rank() == root)
      MPI_Scatter(all.data(), count, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    else
      MPI_Scatter(nullptr, 0, MPI_DATATYPE_NULL, mine.data(), count, MPI_INT, root, MPI_COMM_WORLD);
    if (rank() != root) expect(mine == wanted, "MPI_Scatter in place of " + std::to_string(count) + " is wrong");
  });
}

void an_allgather_gives_everybody_everybodys_data() {
  for (const int count : kBlocks) {
    const Numbers wanted = joined([&](int from) { return block(count, from, 0); });
    const Numbers mine = block(count, rank(), 0);
    Numbers all(wanted.size(), kUntouched);
    expect_error(MPI_Allgather(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS,
                 "MPI_Allgather");
    expect(all == wanted, "MPI_Allgather of " + std::to_string(count) + " is wrong");

    all.assign(wanted.size(), kUntouched);
    put(&all, rank(), mine);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), count, MPI_INT, MPI_COMM_WORLD);
    expect(all == wanted, "MPI_Allgather in place of " + std::to_string(count) + " is wrong");
  }
}

void an_alltoall_gives_everybody_a_part_of_everybodys_data() {
  for (const int count : kBlocks) {
    const Numbers out = joined([&](int to) { return block(count, rank(), to); });
    const Numbers wanted = joined([&](int from) { return block(count, from, rank()); });
    Numbers in(wanted.size(), kUntouched);
    expect_error(MPI_Alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS,
                 "MPI_Alltoall");
    expect(in == wanted, "MPI_Alltoall of " + std::to_string(count) + " is wrong");

    in = out;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data(), count, MPI_INT, MPI_COMM_WORLD);
    expect(in == wanted, "MPI_Alltoall in place of " + std::to_string(count) + " is wrong");
  }
}

// Neighbouring colours work at the same time, ranks in reverse order.
void parts_of_a_split_communicator_do_not_meet() {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 3 == 2 ? MPI_UNDEFINED : rank() % 3, -rank(), &part);
  expect((part == MPI_COMM_NULL) == (rank() % 3 == 2), "MPI_COMM_NULL is for those without a colour, and only them");
  if (part == MPI_COMM_NULL) return;
  int members = 0, my_place = 0;
  MPI_Comm_size(part, &members);
  MPI_Comm_rank(part, &my_place);
  std::vector<int> all(at(members), kUntouched);
  for (int round = 0; round < 20; ++round) {
    const int mine = rank();
    MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, part);
    for (int i = 0; i < members; ++i) {
      expect_equal(all[at(i)] % 3, rank() % 3, "the colour of a member");
      if (i > 0) expect(all[at(i)] < all[at(i - 1)], "the members are not in the order of their keys");
    }
    expect_equal(all[at(my_place)], rank(), "the member that this rank is");
    int sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, part);
    int wanted = 0;
    for (const int member : all) wanted += member;
    expect_equal(sum, wanted, "the sum of the members");
  }
  MPI_Comm_free(&part);
}

}  // namespace

int main() {
  return run(
      {{"a broadcast gives everybody the root's data", a_broadcast_gives_everybody_the_roots_data},
       {"a gather gives the root everybody's data", a_gather_gives_the_root_everybodys_data},
       {"a scatter gives everybody a part of the root's data", a_scatter_gives_everybody_a_part_of_the_roots_data},
       {"an allgather gives everybody everybody's data", an_allgather_gives_everybody_everybodys_data},
       {"an alltoall gives everybody a part of everybody's data",
        an_alltoall_gives_everybody_a_part_of_everybodys_data},
       {"parts of a split communicator do not meet", parts_of_a_split_communicator_do_not_meet}});
}
