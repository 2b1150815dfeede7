// Intercommunicators: MPI 5.0, 7.6.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/handles.hpp"
#include "service/intercomm.hpp"

namespace antiphon::api {

using objects::Comm;

void intercomm_create(Process& process, Comm& local_comm, int local_leader, Comm* peer_comm, int remote_leader,
                      int tag, MPI_Comm* newintercomm) {
  check::not_null(newintercomm, "newintercomm");
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
    remote.emplace(*peer_comm, remote_leader);
  }
  *newintercomm =
      comm_handle(process, service::intercomm_create(process.toolbox(), local_comm, local_leader, remote, tag));
}

void intercomm_merge(Process& process, Comm& intercomm, int high, MPI_Comm* newintracomm) {
  check::not_null(newintracomm, "newintracomm");
  check::intercommunicator("intercomm", intercomm);
  *newintracomm = comm_handle(process, service::intercomm_merge(process.toolbox(), intercomm, high != 0));
}

}  // namespace antiphon::api
