// mpi_patterns [NAME]...: the patterns as an MPI program, all of them or those named. Start it under mpiexec on any
// number of ranks.
#include <cstdio>
#include <cstring>
#include <exception>

#include "mpi_party.hpp"
#include "patterns.hpp"

int main(int argc, char** argv) {
  using namespace antiphon::patterns;
  MPI_Init(&argc, &argv);
  int run = 0;
  try {
    MpiParty me;
    for (const Pattern& pattern : all()) {
      bool wanted = argc == 1;
      for (int i = 1; i < argc; ++i) wanted |= std::strcmp(argv[i], pattern.name) == 0;
      if (!wanted) continue;
      pattern.run(me);
      me.barrier();
      ++run;
    }
    if (me.rank() == 0) std::printf("%d patterns on %d ranks: all is well\n", run, me.size());
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return run > 0 ? 0 : 2;  // none of the names is one
}
