// Start, end, and inquiry: MPI 5.0, chapters 9 and 11.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "abi/error_strings.hpp"
#include "api/call.hpp"
#include "api/check.hpp"
#include "platform/clock.hpp"

namespace antiphon::api {

namespace {

void start_mpi(int thread_level) {
  if (current.phase == Phase::running)
    base::fail(abi::ERR_OTHER, "MPI is initialized already: a program calls MPI_Init or MPI_Init_thread once");
  if (current.phase == Phase::finalized)
    base::fail(abi::ERR_OTHER, "MPI was finalized: it cannot be initialized a second time");
  current.process = new process::Process(bootstrap::discover(bootstrap::process_environment()), thread_level);
  current.phase = Phase::running;
}

void copy_out(char* target, int* length, const std::string& text, std::size_t capacity) {
  const std::size_t bytes = std::min(text.size(), capacity - 1);
  std::memcpy(target, text.data(), bytes);
  target[bytes] = '\0';
  *length = static_cast<int>(bytes);
}

}  // namespace

void init(Call&, int*, char***) { start_mpi(abi::THREAD_SINGLE); }

void init_thread(Call&, int*, char***, int required, int* provided) {
  check::not_null(provided, "provided");
  if (required != abi::THREAD_SINGLE && required != abi::THREAD_FUNNELED && required != abi::THREAD_SERIALIZED &&
      required != abi::THREAD_MULTIPLE)
    base::fail(abi::ERR_ARG, fmt::format("required={} is no thread level: MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, "
                                         "MPI_THREAD_SERIALIZED and MPI_THREAD_MULTIPLE are",
                                         required));
  start_mpi(required);
  *provided = required;
}

void finalize(Call& call) {
  call.process().finalize();
  current.phase = Phase::finalized;
}

void initialized(Call&, int* flag) {
  check::not_null(flag, "flag");
  *flag = current.phase != Phase::before_init;
}

void finalized(Call&, int* flag) {
  check::not_null(flag, "flag");
  *flag = current.phase == Phase::finalized;
}

void query_thread(Process& process, int* provided) {
  check::not_null(provided, "provided");
  *provided = process.thread_level();
}

void abort(Process& process, objects::Comm& comm, int errorcode) {
  process.job().abort(errorcode, fmt::format("MPI_Abort was called on {}", comm.name()));
}

double wtime() { return static_cast<double>(platform::monotonic_ns()) * 1e-9; }

double wtick() { return 1e-9; }

void get_processor_name(Process&, char* name, int* resultlen) {
  check::not_null(name, "name");
  check::not_null(resultlen, "resultlen");
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  if (gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "localhost");
  copy_out(name, resultlen, host, MPI_MAX_PROCESSOR_NAME);
}

void get_version(Call&, int* version, int* subversion) {
  check::not_null(version, "version");
  check::not_null(subversion, "subversion");
  *version = abi::VERSION;
  *subversion = abi::SUBVERSION;
}

void get_library_version(Call&, char* version, int* resultlen) {
  check::not_null(version, "version");
  check::not_null(resultlen, "resultlen");
  copy_out(version, resultlen, fmt::format("Antiphon {} (MPI 5.0, ABI 1.0)", ANTIPHON_VERSION),
           MPI_MAX_LIBRARY_VERSION_STRING);
}

void error_class(Call&, int errorcode, int* errorclass) {
  check::not_null(errorclass, "errorclass");
  if (!abi::find_error_class(errorcode))
    base::fail(abi::ERR_ARG, fmt::format("errorcode={} is no error code that MPI returned", errorcode));
  *errorclass = errorcode;
}

void error_string(Call&, int errorcode, char* string, int* resultlen) {
  check::not_null(string, "string");
  check::not_null(resultlen, "resultlen");
  const auto* found = abi::find_error_class(errorcode);
  if (!found) base::fail(abi::ERR_ARG, fmt::format("errorcode={} is no error code that MPI returned", errorcode));
  copy_out(string, resultlen, fmt::format("{}: {}", found->name, found->text), MPI_MAX_ERROR_STRING);
}

}  // namespace antiphon::api
