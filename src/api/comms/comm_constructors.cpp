// Communicators from communicators: MPI 5.0, 7.4.2.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/comms/attributes.hpp"
#include "api/comms/comm_hints.hpp"
#include "api/comms/from_groups.hpp"
#include "api/handles.hpp"
#include "objects/group_operations.hpp"
#include "service/comm_create.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Group;
using objects::Info;
using objects::Ref;

namespace {

void need_subset(const Group& group, const Comm& comm) {
  if (&group == &comm.group()) return;
  check::one_session("group", group, "comm", comm.group());
  const objects::RankIndex members(comm.group());
  for (int rank = 0; rank < group.size(); ++rank)
    if (const int process = group.world_rank(rank); !members.contains(process)) [[unlikely]]
      base::fail(
          abi::ERR_GROUP,
          fmt::format("rank {} of group is rank {} of MPI_COMM_WORLD, which is not in {}{}: a subset is needed", rank,
                      process, comm.is_inter() ? "the local group of " : "", comm.name()));
}

// Hints are not inherited (MPI 5.0, 7.4.2).
void duplicate(Process& process, Comm& comm, const Info* info, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  const Ref<Comm> made = service::comm_dup(process.toolbox(), comm);
  take_hints(process, *made, info);
  const MPI_Comm handle = comm_handle(process, made);
  copy_attributes(process.comms, comm, *made);
  *newcomm = handle;
}

// Attributes are those of the time of the call. When a copy function fails, the duplicate is agreed on all the same,
// since the others cannot know, and then dropped.
void start_duplicating(Process& process, Comm& comm, const Info* info, MPI_Comm* newcomm, MPI_Request* request) {
  check::not_null(newcomm, "newcomm");
  check::not_null(request, "request");
  *newcomm = MPI_COMM_NULL;
  *request = MPI_REQUEST_NULL;
  service::Duplications::Started started = process.duplications().start(comm);
  take_hints(process, *started.copy, info);
  const MPI_Comm handle = comm_handle(process, started.copy);
  copy_attributes(process.comms, comm, *started.copy);
  *newcomm = handle;
  *request = request_handle(process, std::move(started.request));
}

}  // namespace

void comm_dup(Process& process, Comm& comm, MPI_Comm* newcomm) { duplicate(process, comm, nullptr, newcomm); }

void comm_dup_with_info(Process& process, Comm& comm, const Info* info, MPI_Comm* newcomm) {
  duplicate(process, comm, info, newcomm);
}

void comm_idup(Process& process, Comm& comm, MPI_Comm* newcomm, MPI_Request* request) {
  start_duplicating(process, comm, nullptr, newcomm, request);
}

void comm_idup_with_info(Process& process, Comm& comm, const Info* info, MPI_Comm* newcomm, MPI_Request* request) {
  start_duplicating(process, comm, info, newcomm, request);
}

void comm_create(Process& process, Comm& comm, Group& group, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  need_subset(group, comm);
  *newcomm = comm_handle(process, service::comm_create(process.toolbox(), comm, Ref<Group>::share(group)));
}

void comm_create_group(Process& process, Comm& comm, Group& group, int tag, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  check::intracommunicator("comm", comm);
  check::send_tag("tag", tag);
  need_subset(group, comm);
  *newcomm = comm_handle(process, service::comm_create_group(process.toolbox(), comm, Ref<Group>::share(group), tag));
}

void comm_split(Process& process, Comm& comm, int color, int key, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  if (color < 0 && color != abi::UNDEFINED)
    base::fail(abi::ERR_ARG, fmt::format("color={} is not valid (valid: 0 or more, or MPI_UNDEFINED)", color));
  *newcomm = comm_handle(process, service::comm_split(process.toolbox(), comm, color, key));
}

void comm_create_from_group(Process& process, Group& group, const char* stringtag, const Info* info,
                            objects::Errhandler& errhandler, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  check::stringtag(stringtag);
  if (group.size() == 0) return;
  check::in_group("group", group, process.rank());
  const Ref<Comm> made =
      service::comm_create_from_group(process.toolbox(), process.assembly(), Ref<Group>::share(group), stringtag,
                                      Ref<objects::Errhandler>::share(errhandler));
  take_hints(process, *made, info);
  *newcomm = comm_handle(process, made);
}

}  // namespace antiphon::api
