#include <antiphon/mpi.hpp>
#include <cstdio>

int main() {
  antiphon::environment mpi;
  auto world = antiphon::world();
  const int sum = world.allreduce(world.rank(), std::plus{});
  if (world.rank() == 0) std::printf("%d in C++20\n", sum);
}
