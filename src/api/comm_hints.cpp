#include "api/comm_hints.hpp"

#include <algorithm>

#include "api/call.hpp"
#include "api/check.hpp"
#include "process/memory_kinds.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Info;
using objects::Ref;

namespace {
constexpr std::string_view kAssertions[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                            "mpi_assert_exact_length", "mpi_assert_allow_overtaking"};
}

std::string memory_kinds_of(Process& process, const objects::Group& group) {
  const objects::Session* session = process.sessions.find(group.session());
  return session ? session->memory_kinds() : process::memory_kinds_of_world();
}

void take_hints(Comm& comm, const Info* info) {
  if (!info) return;
  Ref<Info> hints;
  for (const Info::Entry& entry : info->entries()) {
    if (std::ranges::find(kAssertions, entry.key) == std::end(kAssertions)) continue;
    if (entry.value != "true" && entry.value != "false") continue;
    if (!hints) hints = comm.hints() ? Info::copy_of(*comm.hints()) : Ref<Info>::adopt(new Info);
    hints->set(entry.key, entry.value);
  }
  if (hints) comm.set_hints(std::move(hints));
}

void comm_set_info(Process&, Comm& comm, const Info* info) { take_hints(comm, info); }

void comm_get_info(Process& process, Comm& comm, MPI_Info* info_used) {
  check::not_null(info_used, "info_used");
  auto made = comm.hints() ? Info::copy_of(*comm.hints()) : Ref<Info>::adopt(new Info);
  made->set(process::kMemoryKindsKey, memory_kinds_of(process, comm.group()));
  *info_used = reinterpret_cast<MPI_Info>(anytime().add_info(std::move(made)));
}

}  // namespace antiphon::api
