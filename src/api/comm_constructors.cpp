// Communicators from communicators: MPI 5.0, 7.4.2.
#include "api/attributes.hpp"
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/handles.hpp"
#include "objects/group_operations.hpp"
#include "service/comm_create.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Group;
using objects::Ref;

namespace {

void need_subset(const Group& group, const Comm& comm) {
  if (&group == &comm.group()) return;
  const objects::RankIndex members(comm.group());
  for (int rank = 0; rank < group.size(); ++rank)
    if (const int process = group.world_rank(rank); !members.contains(process)) [[unlikely]]
      base::fail(
          abi::ERR_GROUP,
          fmt::format("rank {} of group is rank {} of MPI_COMM_WORLD, which is not in {}{}: a subset is needed", rank,
                      process, comm.is_inter() ? "the local group of " : "", comm.name()));
}

}  // namespace

void comm_dup(Process& process, Comm& comm, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  const Ref<Comm> made = service::comm_dup(process.toolbox(), comm);
  const MPI_Comm handle = comm_handle(process, made);
  copy_attributes(process.comms, comm, *made);
  *newcomm = handle;
}

void comm_idup(Process& process, Comm& comm, MPI_Comm* newcomm, MPI_Request* request) {
  check::not_null(newcomm, "newcomm");
  check::not_null(request, "request");
  service::Duplications::Started started = process.duplications().start(comm);
  *newcomm = comm_handle(process, std::move(started.copy));
  *request = request_handle(process, std::move(started.request));
}

void comm_create(Process& process, Comm& comm, Group& group, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  need_subset(group, comm);
  *newcomm = comm_handle(process, service::comm_create(process.toolbox(), comm, Ref<Group>::share(group)));
}

void comm_create_group(Process& process, Comm& comm, Group& group, int tag, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  check::intracommunicator("comm", comm);
  check::send_tag("tag", tag);
  need_subset(group, comm);
  *newcomm = comm_handle(process, service::comm_create_group(process.toolbox(), comm, Ref<Group>::share(group), tag));
}

void comm_split(Process& process, Comm& comm, int color, int key, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  if (color < 0 && color != abi::UNDEFINED)
    base::fail(abi::ERR_ARG, fmt::format("color={} is not valid: 0 or more, or MPI_UNDEFINED", color));
  *newcomm = comm_handle(process, service::comm_split(process.toolbox(), comm, color, key));
}

}  // namespace antiphon::api
