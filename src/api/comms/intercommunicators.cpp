// Intercommunicators: MPI 5.0, 7.6.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/comms/comm_hints.hpp"
#include "api/comms/from_groups.hpp"
#include "api/handles.hpp"
#include "service/intercomm.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Group;
using objects::Ref;

void intercomm_create(Process& process, Comm& local_comm, int local_leader, Comm* peer_comm, int remote_leader,
                      int tag, MPI_Comm* newintercomm) {
  check::not_null(newintercomm, "newintercomm");
  *newintercomm = MPI_COMM_NULL;
  check::intracommunicator("local_comm", local_comm);
  check::member("local_leader", local_leader, local_comm);
  check::send_tag("tag", tag);
  std::optional<service::RemoteLeader> remote;
  if (local_comm.rank() == local_leader) {  // elsewhere peer_comm and remote_leader do not matter
    if (!peer_comm)
      base::fail(abi::ERR_COMM, "peer_comm is MPI_COMM_NULL; the local leader needs a communicator here");
    check::member("remote_leader", remote_leader, *peer_comm);
    if (peer_comm->world_rank(remote_leader) == process.rank())
      base::fail(abi::ERR_RANK,
                 fmt::format("remote_leader={} is this process itself, the local leader: the leader of "
                             "the other group is needed",
                             remote_leader));
    remote.emplace(service::RemoteLeader{*peer_comm, remote_leader});
  }
  *newintercomm =
      comm_handle(process, service::intercomm_create(process.toolbox(), local_comm, local_leader, remote, tag));
}

void intercomm_merge(Process& process, Comm& intercomm, int high, MPI_Comm* newintracomm) {
  check::not_null(newintracomm, "newintracomm");
  *newintracomm = MPI_COMM_NULL;
  check::intercommunicator("intercomm", intercomm);
  *newintracomm = comm_handle(process, service::intercomm_merge(process.toolbox(), intercomm, high != 0));
}

void intercomm_create_from_groups(Process& process, Group& local_group, int local_leader, Group* remote_group,
                                  int remote_leader, const char* stringtag, const objects::Info* info,
                                  objects::Errhandler& errhandler, MPI_Comm* newintercomm) {
  check::not_null(newintercomm, "newintercomm");
  *newintercomm = MPI_COMM_NULL;
  check::stringtag(stringtag);
  if (local_group.size() == 0) return;
  check::in_group("local_group", local_group, process.rank());
  check::group_rank("local_leader", local_leader, "local_group", local_group);
  std::optional<service::RemoteGroup> remote;
  if (local_group.world_rank(local_leader) == process.rank()) {  // elsewhere the remote group does not matter
    if (!remote_group)
      base::fail(abi::ERR_GROUP, "remote_group is MPI_GROUP_NULL; the local leader needs a group here");
    check::one_session("local_group", local_group, "remote_group", *remote_group);
    check::group_rank("remote_leader", remote_leader, "remote_group", *remote_group);
    remote.emplace(service::RemoteGroup{*remote_group, remote_leader});
  }
  const Ref<Comm> made = service::intercomm_create_from_groups(
      process.toolbox(), process.assembly(), Ref<Group>::share(local_group), local_leader, remote, stringtag,
      Ref<objects::Errhandler>::share(errhandler));
  take_hints(process, *made, info);
  *newintercomm = comm_handle(process, made);
}

}  // namespace antiphon::api
