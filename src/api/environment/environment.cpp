// Start, end, and inquiry: MPI 5.0, chapters 9 and 11.
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/copy_out.hpp"
#include "api/lifetime.hpp"
#include "platform/linux/hardware.hpp"

namespace antiphon::api {

void init(Call& call, int*, char***) { begin_world(call, abi::THREAD_SINGLE); }

void init_thread(Call& call, int*, char***, int required, int* provided) {
  check::not_null(provided, "provided");
  if (required != abi::THREAD_SINGLE && required != abi::THREAD_FUNNELED && required != abi::THREAD_SERIALIZED &&
      required != abi::THREAD_MULTIPLE)
    base::fail(abi::ERR_ARG, fmt::format("required={} is not a thread level (valid: MPI_THREAD_SINGLE, "
                                         "MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE)",
                                         required));
  begin_world(call, required);
  *provided = required;
}

void finalize(Call& call) { end_world(call); }

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

void is_thread_main(Process& process, int* flag) {
  check::not_null(flag, "flag");
  *flag = process.is_main_thread();
}

// For each type of hardware that the system tells of, whether the calling thread is restricted to one part of it.
void get_hw_resource_info(Process&, MPI_Info* hw_info) {
  check::not_null(hw_info, "hw_info");
  const platform::Whereabouts here = platform::whereabouts();
  const platform::Whereabouts of_one_cpu = platform::whereabouts({sched_getcpu()}, "");
  auto made = objects::Ref<objects::Info>::adopt(new objects::Info);
  for (std::size_t type = 0; type < here.size(); ++type)
    if (of_one_cpu[type])
      made->set(std::string("hwloc://") + platform::kHardwareTypes[type], here[type] ? "true" : "false");
  *hw_info = reinterpret_cast<MPI_Info>(anytime().add_info(std::move(made)));
}

// There are no profiles of ours to control: tools that wrap MPI give this a meaning (MPI 5.0, 15.2.4).
void pcontrol(Process&, int) {}

void abort(Process& process, objects::Comm& comm, int errorcode) {
  process.abort(errorcode, fmt::format("MPI_Abort was called on {}", comm.name()));
}

double wtime() { return static_cast<double>(current.now()) * 1e-9; }

double wtick() { return 1e-9; }

void get_processor_name(Process&, char* name, int* resultlen) {
  check::not_null(name, "name");
  check::not_null(resultlen, "resultlen");
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  if (gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "localhost");
  copy_text(name, resultlen, host, MPI_MAX_PROCESSOR_NAME);
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
  copy_text(version, resultlen, fmt::format("Antiphon {} (MPI 5.0, ABI 1.0)", ANTIPHON_VERSION),
            MPI_MAX_LIBRARY_VERSION_STRING);
}

}  // namespace antiphon::api
