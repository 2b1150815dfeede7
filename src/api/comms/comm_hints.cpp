#include "api/comms/comm_hints.hpp"

#include <algorithm>

#include "api/call.hpp"
#include "api/check.hpp"
#include "process/hinted_settings.hpp"
#include "process/memory_kinds.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Info;
using objects::Ref;

namespace {
constexpr std::string_view kAssertions[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                            "mpi_assert_exact_length", "mpi_assert_allow_overtaking"};
bool is_assertion(const Info::Entry& entry) {
  return std::ranges::find(kAssertions, entry.key) != std::end(kAssertions) &&
         (entry.value == "true" || entry.value == "false");
}
}  // namespace

std::string memory_kinds_of(Process& process, const objects::Group& group) {
  const objects::Session* session = process.sessions.find(group.session());
  return session ? session->memory_kinds() : process::memory_kinds_of_world();
}

void take_hints(Process& process, Comm& comm, const Info* info) {
  if (!info) return;
  Ref<Info> hints;
  settings::Values settings = comm.settings() ? *comm.settings() : process.settings();
  bool changes_settings = false;
  for (const Info::Entry& entry : info->entries()) {
    if (process::set_by_hint(entry.key, entry.value, settings))
      changes_settings = true;
    else if (!is_assertion(entry))
      continue;
    if (!hints) hints = comm.hints() ? Info::copy_of(*comm.hints()) : Ref<Info>::adopt(new Info);
    hints->set(entry.key, entry.value);
  }
  if (hints) comm.set_hints(std::move(hints));
  if (changes_settings) comm.set_settings(settings);
}

void comm_set_info(Process& process, Comm& comm, const Info* info) { take_hints(process, comm, info); }

void comm_get_info(Process& process, Comm& comm, MPI_Info* info_used) {
  check::not_null(info_used, "info_used");
  auto made = comm.hints() ? Info::copy_of(*comm.hints()) : Ref<Info>::adopt(new Info);
  made->set(process::kMemoryKindsKey, memory_kinds_of(process, comm.group()));
  *info_used = reinterpret_cast<MPI_Info>(anytime().add_info(std::move(made)));
}

}  // namespace antiphon::api
