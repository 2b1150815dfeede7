// Programs that end in one way or another: `exits WAY`. exits_test.py looks at what the job makes of it.
#include <antiphon/mpi.hpp>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

int main(int, char** argv) {
  const std::string_view way = argv[1];
  try {
    antiphon::environment mpi(antiphon::thread_level::multiple);
    const auto world = antiphon::world();
    if (mpi.threads() != antiphon::thread_level::multiple) return 3;
    if (way == "well") {
      // What is still there when MPI ends must not trouble it.
      static antiphon::owned<antiphon::communicator> forgotten;
      forgotten = world.dup();
      std::printf("%d\n", world.allreduce(1, std::plus{}));
    }
    // The others wait for rank 0, which leaves.
    if (way == "exception") {
      if (world.rank() == 0) throw std::runtime_error("caught outside");
      world.barrier();
    }
    if (way == "operation") {
      const int limit = world.size();
      (void)world.allreduce(1, [limit](int, int) -> int {
        throw std::runtime_error("operands over the limit of " + std::to_string(limit));
      });
    }
    if (way == "unheard-error") {
      std::vector<int> room(1);
      const auto received = world.irecv(std::span(room), {.from = world.rank()});
      world.isend(std::vector<int>(2), {.to = world.rank()}).get();
    }
  } catch (const std::runtime_error&) {
    std::puts("went on");
  }
}
