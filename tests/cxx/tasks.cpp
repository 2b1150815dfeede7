// The tasks of docs/cxx.md, as they stand there.
#include <algorithm>
#include <antiphon/mpi.hpp>
#include <antiphon/serialization.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

struct particle {
  double mass;
  std::array<double, 3> position;
  int id;
};
struct extremum {
  double value;
  int rank;
};

struct table {
  std::string name;
  std::vector<std::vector<double>> rows;
};

void require(bool holds, int task) {
  if (holds) return;
  std::fprintf(stderr, "task %d went wrong\n", task);
  antiphon::world().abort();
}
void compute() {}

}  // namespace

int main() {
  // 1
  antiphon::environment mpi;
  auto world = antiphon::world();
  std::printf("%d of %d\n", world.rank(), world.size());

  const int rank = world.rank(), size = world.size();
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  if (size > 1) {
    std::vector<double> values(rank == 0 ? 5 : 0, 1.5);
    // 2
    if (rank == 0) world.send(values, {.to = 1});
    if (rank == 1) values = world.recv<std::vector<double>>({.from = 0});
    require(values.size() == (rank < 2 ? 5 : 0), 2);
  }
  {
    std::vector<double> mine(100, rank), theirs;
    const std::size_t n = mine.size();
    // 3
    auto sent = world.isend(std::move(mine), {.to = right});
    auto came = world.irecv(std::vector<double>(n), {.from = left});
    compute();
    mine = sent.get();
    theirs = came.get();
    require(mine[99] == rank && theirs[99] == left, 3);
  }
  {
    const double value = rank;
    // 4
    double sum = world.allreduce(value, std::plus{});
    require(sum == size * (size - 1) / 2.0, 4);
  }
  {
    const std::vector<double> mine(static_cast<std::size_t>(rank), 2.5);
    // 5
    auto all = world.allgatherv(mine);
    require(all[size - 1].size() == static_cast<std::size_t>(size - 1), 5);
  }
  {
    std::vector<double> values(rank == 0 ? 7 : 0, 3.5);
    // 6
    values = world.bcast(std::move(values), {.root = 0});
    require(values == std::vector<double>(7, 3.5), 6);
  }
  if (size > 1) {
    particle p{rank == 0 ? 2.0 : 0.0, {1, 2, 3}, rank};
    // 7
    if (rank == 0) world.send(p, {.to = 1});
    if (rank == 1) p = world.recv<particle>({.from = 0});
    require(rank > 1 || (p.mass == 2.0 && p.id == 0), 7);
  }
  {
    const double value = rank == size / 2 ? 10 : rank % 3;
    // 8
    const auto larger = [](auto a, auto b) { return a.value < b.value ? b : a; };
    auto best = world.allreduce(extremum{value, rank}, larger);
    require(best.rank == size / 2, 8);
  }
  {
    std::vector<std::vector<int>> buckets;
    for (int r = 0; r < size; ++r) buckets.emplace_back(static_cast<std::size_t>(r), rank);
    // 9
    auto incoming = world.alltoallv(antiphon::ragged<int>::of(buckets));
    require(incoming[left].size() == static_cast<std::size_t>(rank), 9);
  }
  {
    // 10
    auto half = world.split({.color = rank % 2});
    int sum = half.allreduce(rank, std::plus{});
    require(sum % 2 == (rank % 2) * half.size() % 2, 10);
  }
  for (const double limit : {5.0, 7.0}) {
    const double value = 4 + rank;
    // 11
    const auto bounded = [limit](double a, double b) { return std::min(a + b, limit); };
    double sum = world.allreduce(value, bounded);
    require(size == 1 || sum == limit, 11);
  }
  {
    std::vector<int> seen(static_cast<std::size_t>(size), -1);
    const auto use = [&](std::size_t whose, int answer) { seen[whose] = answer; };
    // 12
    std::vector<antiphon::future<int>> answers;
    for (int r = 0; r < size; ++r) answers.push_back(world.irecv<int>({.from = r}));
    for (int r = 0; r < size; ++r) world.send(10 * rank, {.to = r});
    while (auto next = antiphon::wait_any(answers)) use(*next, answers[*next].get());
    for (int r = 0; r < size; ++r) require(seen[static_cast<std::size_t>(r)] == 10 * r, 12);
  }
  if (size > 1) {
    table mine{"mine", {{1, 2}, {}, {3}}}, theirs;
    // 13
    if (rank == 0) world.send(antiphon::serialized(mine), {.to = 1});
    if (rank == 1) theirs = world.recv<antiphon::serialized<table>>({.from = 0}).value();
    require(rank != 1 || (theirs.name == mine.name && theirs.rows == mine.rows), 13);
  }
  {
    table mine{std::string(static_cast<std::size_t>(rank), 'x'), {}};
    // 14
    auto all = world.allgather(antiphon::serialized(mine));
    require(all.back().name.size() == static_cast<std::size_t>(size - 1), 14);
  }
}
