// antiphon-node: the daemon by which mpiexec runs ranks on another host. It is told everything through its standard
// input, and ends with it.
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "common/failure.hpp"
#include "daemon/router.hpp"

int main(int argc, char** argv) {
  using namespace antiphon::launch;
  if (argc == 2 && std::string_view{argv[1]} == "--version") {
    constexpr std::string_view kVersion = "antiphon-node (Antiphon) " ANTIPHON_VERSION "\n";
    return write(STDOUT_FILENO, kVersion.data(), kVersion.size()) < 0 ? kExitFailure : 0;
  }
  if (argc > 1 || isatty(STDIN_FILENO) == 1) {
    tell("antiphon-node is started by mpiexec, and takes no arguments but --version");
    return kExitUsage;
  }
  return run_router();
}
