// mpiexec: parses the command line, then runs the job in a supervisor process, while this process handles signals
// (guard.hpp).
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "common/failure.hpp"
#include "mpiexec/command_line.hpp"
#include "mpiexec/guard.hpp"
#include "mpiexec/job.hpp"
#include "mpiexec/job_settings.hpp"
#include "mpiexec/option_table.hpp"
#include "mpiexec/place_ranks.hpp"

namespace {

using namespace antiphon::launch;

// If mpiexec was started without standard input, output or error, a file that it opens later would get that
// descriptor. So these are filled with descriptors that can be neither read nor written.
void fill_standard_descriptors() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/", O_PATH);
  if (fd > STDERR_FILENO) close(fd);
}

int print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
  tell("cannot write output: {} (stdout)", std::strerror(errno));
  return kExitFailure;
}

template <typename Work>
int report_failures(const Work& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    tell(std::string_view{failure.message});
    return failure.exit_status;
  } catch (const antiphon::base::Error& error) {
    tell(std::string_view{error.message});
    return kExitFailure;
  } catch (const std::exception& error) {
    tell("{}", error.what());
    return kExitFailure;
  }
}

int run(const JobOptions& options) {
  return run_guarded([&options](const SupervisorContext& context) {
    return report_failures([&] { return Job(options, context).run(); });
  });
}

// MPICH and Open MPI support this variable, so scripts set it.
void apply_environment(JobOptions& options) {
  const char* text = std::getenv("MPIEXEC_TIMEOUT");
  if (text == nullptr || options.timeout) return;
  const double seconds = std::strtod(text, nullptr);
  if (seconds > 0) options.timeout = std::chrono::duration<double>(seconds);
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_descriptors();
  return report_failures([&] {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    Request request = parse_command_line(arguments);
    if (std::holds_alternative<HelpRequest>(request)) return print(help_text());
    if (std::holds_alternative<VersionRequest>(request)) return print("mpiexec (Antiphon) " ANTIPHON_VERSION "\n");
    auto& options = std::get<JobOptions>(request);
    apply_environment(options);
    options.settings = job_settings(options, environ);
    place_ranks(options, antiphon::bootstrap::process_environment());
    return run(options);
  });
}
