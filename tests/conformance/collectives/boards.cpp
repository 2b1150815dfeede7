// Collectives that come again and again on a communicator take another way than its first ones: nobody may notice.
// Streams in which ranks run ahead, communicators that overlap, that are freed at once, messages meanwhile.
#include <unistd.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 7, kMany = 40;

int from_root(int root, int round) { return 1000 * root + round; }

void in_a_stream(MPI_Comm comm, int round) {
  int me = 0, ranks = 0;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  const int root = round / 5 % ranks;
  const int mine = me + round, all = ranks * round + ranks * (ranks - 1) / 2;
  int told = me == root ? from_root(root, round) : -1;
  MPI_Bcast(&told, 1, MPI_INT, root, comm);
  expect_equal(told, from_root(root, round), "what the root told");
  int sum = -1;
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
  if (me == root) expect_equal(sum, all, "the sum at the root");
  std::vector<int> each(static_cast<std::size_t>(ranks), -1);
  MPI_Gather(&mine, 1, MPI_INT, each.data(), 1, MPI_INT, root, comm);
  if (me == root) expect_equal(each.back(), ranks - 1 + round, "what the last rank gave the root");
  MPI_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect_equal(sum, (me + 1) * round + me * (me + 1) / 2, "the sum up to this rank");
}

void together(MPI_Comm comm, int round) {
  int me = 0, ranks = 0;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  const int mine = me + round, all = ranks * round + ranks * (ranks - 1) / 2;
  int sum = mine;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect_equal(sum, all, "the sum");
  std::vector<int> each(static_cast<std::size_t>(ranks), -1);
  MPI_Allgather(&mine, 1, MPI_INT, each.data(), 1, MPI_INT, comm);
  expect_equal(std::accumulate(each.begin(), each.end(), 0), all, "the sum of what all gave");
  std::vector<short> in(each.size(), -1), out(each.size());
  for (std::size_t to = 0; to < out.size(); ++to) out[to] = static_cast<short>(me * 16 + static_cast<int>(to));
  MPI_Alltoall(out.data(), 1, MPI_SHORT, in.data(), 1, MPI_SHORT, comm);
  for (int from = 0; from < ranks; ++from)
    expect_equal(static_cast<int>(in[static_cast<std::size_t>(from)]), from * 16 + me, "what a rank gave this one");
}

void ranks_run_ahead_in_streams() {
  for (int round = 0; round < 200; ++round) in_a_stream(MPI_COMM_WORLD, round);
  for (int round = 0; round < 60; ++round)
    round % 3 == 0 ? together(MPI_COMM_WORLD, round) : in_a_stream(MPI_COMM_WORLD, round);
}

// Everybody else is asleep when one comes.
void one_comes_late() {
  for (int late = 0; late < size(); ++late)
    for (int round = 0; round < 3; ++round) {
      if (rank() == late && !is_simulated()) usleep(3000);
      round == 0 ? in_a_stream(MPI_COMM_WORLD, late) : together(MPI_COMM_WORLD, late);
      if (rank() == late && round == 1 && !is_simulated()) usleep(1000);
      MPI_Barrier(MPI_COMM_WORLD);
    }
}

void communicators_overlap() {
  MPI_Comm half, odd;
  MPI_Comm_split(MPI_COMM_WORLD, rank() < size() / 2, rank(), &half);
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, -rank(), &odd);
  for (int round = 0; round < kMany; ++round) {
    std::array<int, 100> out, in;
    out.fill(round);
    MPI_Request requests[2];
    MPI_Irecv(in.data(), 100, MPI_INT, (rank() + size() - 1) % size(), kTag, MPI_COMM_WORLD, &requests[0]);
    in_a_stream(half, round);
    MPI_Isend(out.data(), 100, MPI_INT, (rank() + 1) % size(), kTag, MPI_COMM_WORLD, &requests[1]);
    together(odd, round);
    in_a_stream(MPI_COMM_WORLD, round);
    if (round % 2 == 0) together(half, round);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect_equal(in[99], round, "what the message brought");
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&odd);
}

// The root is gone before the others have read what it said last.
void communicators_are_freed_at_once() {
  for (int time = 0; time < 20; ++time) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int told = 0;
    for (int round = 0; round < 4 + time; ++round) {
      told = rank() == time % size() ? from_root(time, round) : -1;
      MPI_Bcast(&told, 1, MPI_INT, time % size(), comm);
      expect_equal(told, from_root(time, round), "what the root told");
    }
    MPI_Comm_free(&comm);
  }
}

// More of them than a board has lines, of datatypes that are freed meanwhile, among others that block; each ended
// when a rank likes. Some are freed with their communicator.
void exchanges_that_do_not_block() {
  constexpr int kUnderWay = 150;
  struct Exchanged {
    int mine, sum = -1;
    std::vector<int> all;
    std::vector<char> to_each, from_each;
  };
  for (int round = 0; round < 4; ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 5; ++i) MPI_Barrier(comm);
    const auto ranks = static_cast<std::size_t>(size());
    std::vector<Exchanged> data(kUnderWay);
    std::vector<MPI_Request> requests;
    MPI_Datatype pair;
    MPI_Type_vector(2, 1, 1, MPI_CHAR, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < kUnderWay; ++i) {
      Exchanged& each = data[static_cast<std::size_t>(i)];
      each = {.mine = rank() * i, .all = std::vector<int>(ranks, -1), .to_each = {}, .from_each = {}};
      each.to_each.assign(2 * ranks, static_cast<char>(i % 100));
      each.from_each.assign(2 * ranks, -1);
      requests.resize(requests.size() + 4);
      MPI_Request* const next = &requests[requests.size() - 4];
      MPI_Iallreduce(&each.mine, &each.sum, 1, MPI_INT, MPI_SUM, comm, &next[0]);
      MPI_Iallgather(&each.mine, 1, MPI_INT, each.all.data(), 1, MPI_INT, comm, &next[1]);
      MPI_Ialltoall(each.to_each.data(), 1, pair, each.from_each.data(), 2, MPI_CHAR, comm, &next[2]);
      MPI_Ibarrier(comm, &next[3]);
      if (i % 50 == 0) together(comm, i);
    }
    MPI_Type_free(&pair);
    MPI_Comm_free(&comm);
    if (round % 2 == 0)
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    else
      for (auto request = requests.rbegin(); request != requests.rend(); ++request)
        MPI_Wait(&*request, MPI_STATUS_IGNORE);
    for (int i = 0; i < kUnderWay; ++i) {
      const Exchanged& each = data[static_cast<std::size_t>(i)];
      expect_equal(each.sum, i * size() * (size() - 1) / 2, "the sum");
      for (int from = 0; from < size(); ++from)
        expect_equal(each.all[static_cast<std::size_t>(from)], from * i, "what a rank gave to all");
      expect(each.from_each == each.to_each, "what ranks gave to this one is something else");
    }
  }
}

// One that a rank has begun goes on while it waits for a message.
void exchanges_go_on_meanwhile() {
  for (int round = 0; round < 20; ++round) {
    MPI_Request request;
    int word = round;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (rank() != 0 && !is_simulated() && round % 4 == 0) usleep(2000);
    if (rank() == 0) MPI_Recv(&word, 1, MPI_INT, size() - 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // the last rank sends when it has rank 0's word, which sleeps meanwhile
    if (rank() == size() - 1) MPI_Send(&word, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
  }
}

// What a rank has begun goes on while it waits in a barrier.
void messages_go_on_meanwhile() {
  const std::size_t bytes = is_simulated() ? 5000 : 1'000'000;
  std::vector<char> out(bytes), in(bytes);
  for (int round = 0; round < 10; ++round) {
    std::memset(out.data(), 'a' + round, bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank() == 0) MPI_Isend(out.data(), static_cast<int>(bytes), MPI_CHAR, 1, kTag, MPI_COMM_WORLD, &request);
    if (rank() == 1)
      MPI_Recv(in.data(), static_cast<int>(bytes), MPI_CHAR, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank() == 1) expect(in == out, "the message brought something else");
  }
}

constexpr int kCount = 5;
using Numbers = std::array<double, kCount>;

// What call(mine, result, comm) gives the first time, and many times later. Sums of these numbers depend on where
// they are begun.
template <class Call>
void expect_same_bits(const char* what, Call call) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Numbers mine{}, first{};
  for (int i = 0; i < kCount; ++i)
    mine[static_cast<std::size_t>(i)] = (rank() % 2 != 0 ? 1.0 : -1e9) / (3 + rank() * 7 + i);
  for (int round = 0; round < 8; ++round) {
    Numbers result{};
    call(mine.data(), result.data(), comm);
    if (round == 0) first = result;
    expect(std::memcmp(result.data(), first.data(), sizeof first) == 0,
           std::string(what) + " gives other bits the " + std::to_string(round + 1) + "th time than the first");
  }
  MPI_Comm_free(&comm);
}

void bits_do_not_depend_on_the_way() {
  using In = const double*;
  using Out = double*;
  expect_same_bits("MPI_Allreduce", [](In mine, Out result, MPI_Comm comm) {
    MPI_Allreduce(mine, result, kCount, MPI_DOUBLE, MPI_SUM, comm);
  });
  expect_same_bits("MPI_Scan", [](In mine, Out result, MPI_Comm comm) {
    MPI_Scan(mine, result, kCount, MPI_DOUBLE, MPI_SUM, comm);
  });
  expect_same_bits("MPI_Exscan", [](In mine, Out result, MPI_Comm comm) {
    MPI_Exscan(mine, result, kCount, MPI_DOUBLE, MPI_SUM, comm);
  });
  for (int root = 0; root < size(); ++root)
    expect_same_bits("MPI_Reduce", [root](In mine, Out result, MPI_Comm comm) {
      MPI_Reduce(mine, result, kCount, MPI_DOUBLE, MPI_SUM, root, comm);
    });
}

}  // namespace

int main() {
  return run({{"bits do not depend on the way", bits_do_not_depend_on_the_way},
              {"ranks run ahead in streams", ranks_run_ahead_in_streams},
              {"one comes late", one_comes_late},
              {"communicators overlap", communicators_overlap},
              {"communicators are freed at once", communicators_are_freed_at_once},
              {"exchanges that do not block", exchanges_that_do_not_block},
              {"exchanges go on meanwhile", exchanges_go_on_meanwhile, {.least = 2}},
              {"messages go on meanwhile", messages_go_on_meanwhile, {.least = 2}}});
}
