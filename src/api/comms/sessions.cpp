// Sessions: MPI 5.0, 11.3 and 11.4.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/copy_out.hpp"
#include "api/handles.hpp"
#include "api/lifetime.hpp"
#include "process/memory_kinds.hpp"

namespace antiphon::api {

using objects::Errhandler;
using objects::Group;
using objects::Info;
using objects::ProcessSet;
using objects::Ref;
using objects::Session;

namespace {

struct ThreadLevel {
  int value;
  const char* name;
};
constexpr ThreadLevel kThreadLevels[] = {{abi::THREAD_SINGLE, "MPI_THREAD_SINGLE"},
                                         {abi::THREAD_FUNNELED, "MPI_THREAD_FUNNELED"},
                                         {abi::THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED"},
                                         {abi::THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE"}};

// Whoever asks for nothing in particular gets what there is.
int wanted_thread_level(const Info* info) {
  const std::string* name = info ? info->find("thread_level") : nullptr;
  if (!name) return abi::THREAD_MULTIPLE;
  for (const ThreadLevel& level : kThreadLevels)
    if (*name == level.name) return level.value;
  base::fail(abi::ERR_INFO_VALUE,
             fmt::format("info: thread_level=\"{}\" is not a thread level (valid: MPI_THREAD_SINGLE, "
                         "MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE)",
                         *name));
}

MPI_Info new_handle(Ref<Info> info) { return reinterpret_cast<MPI_Info>(anytime().add_info(std::move(info))); }

const ProcessSet& find_set(Process& process, const char* name) {
  check::not_null(name, "pset_name");
  std::string all;
  for (const ProcessSet& set : process.process_sets()) {
    if (set.is_called(name)) return set;
    all += (all.empty() ? "" : ", ") + set.name;
  }
  base::fail(abi::ERR_ARG,
             fmt::format("pset_name=\"{}\" is not a process set of this session, which has {}", name, all));
}

}  // namespace

void session_init(Call& call, const Info* info, Errhandler& errhandler, MPI_Session* session) {
  check::not_null(session, "session");
  const int provided = begin_session(call, wanted_thread_level(info));
  const std::string* kinds = info ? info->find(process::kMemoryKindsKey) : nullptr;
  auto born = Ref<Session>::adopt(
      new Session(Ref<Errhandler>::share(errhandler), provided, process::memory_kinds(kinds ? *kinds : "")));
  *session = reinterpret_cast<MPI_Session>(call.process().sessions.insert(std::move(born)));
}

void session_finalize(Call& call, MPI_Session* session) {
  check::not_null(session, "session");
  objects::Session& ending = call.session(*session, "session");
  (void)call.process().buffered().detach(&ending);
  end_session(call, ending);
  (void)call.process().sessions.erase(reinterpret_cast<std::uintptr_t>(*session));
  *session = MPI_SESSION_NULL;
}

void session_get_info(Process&, Session& session, MPI_Info* info_used) {
  check::not_null(info_used, "info_used");
  const auto made = Ref<Info>::adopt(new Info);
  made->set("thread_level", std::ranges::find(kThreadLevels, session.thread_level(), &ThreadLevel::value)->name);
  made->set(process::kMemoryKindsKey, session.memory_kinds());
  *info_used = new_handle(made);
}

void session_get_num_psets(Process& process, Session&, const Info*, int* npset_names) {
  check::not_null(npset_names, "npset_names");
  *npset_names = static_cast<int>(process.process_sets().size());
}

void session_get_nth_pset(Process& process, Session&, const Info*, int n, int* pset_len, char* pset_name) {
  check::not_null(pset_len, "pset_len");
  const auto& sets = process.process_sets();
  if (n < 0 || static_cast<std::size_t>(n) >= sets.size())
    base::fail(abi::ERR_ARG, fmt::format("n={} is not the number of a process set: there are {} (0 to {})", n,
                                         sets.size(), sets.size() - 1));
  copy_text_of_size(pset_name, "pset_name", pset_len, "pset_len", sets[static_cast<std::size_t>(n)].name);
}

void session_get_pset_info(Process& process, Session&, const char* pset_name, MPI_Info* info) {
  check::not_null(info, "info");
  const ProcessSet& set = find_set(process, pset_name);
  const auto made = Ref<Info>::adopt(new Info);
  made->set("mpi_size", std::to_string(set.group->size()));
  *info = new_handle(made);
}

void group_from_session_pset(Process& process, Session& session, const char* pset_name, MPI_Group* newgroup) {
  check::not_null(newgroup, "newgroup");
  objects::GroupBuilder builder;
  builder.add_all(*find_set(process, pset_name).group);
  const Ref<Group> group = builder.build();
  group->set_session(session.handle());
  *newgroup = group_handle(process, group);
}

}  // namespace antiphon::api
