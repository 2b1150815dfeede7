// Collectives among the neighbours of a topology: MPI 5.0, 8.6 to 8.9.
#include "api/collectives/varying_blocks.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;

namespace {

// How many neighbours this process sends to and receives from.
struct Degrees {
  int out, in;
};
Degrees degrees(const Comm& comm) {
  if (!comm.topology())
    base::fail(abi::ERR_TOPOLOGY,
               fmt::format("comm is {}, which has no topology, and so no neighbors: MPI_Cart_create, "
                           "MPI_Graph_create or MPI_Dist_graph_create make a communicator that has",
                           comm.name()));
  const objects::Neighborhood& around = comm.topology()->around(comm.rank());
  return {static_cast<int>(around.destinations.size()), static_cast<int>(around.sources.size())};
}

// Nothing is in place among neighbours.
void check_not_in_place(const Block& send) {
  if (check::in_place(send.buffer)) check::cold::bad_buffer(send.buffer_name, send.buffer, send.count);
}

}  // namespace

void neighbor_allgather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype,
                        void* recvbuf, MPI_Count recvcount, const Datatype& recvtype, Comm& comm,
                        coll::Deferred* later) {
  const auto [out, in] = degrees(comm);
  const Block send = send_side(sendbuf, sendcount, &sendtype), receive = receive_side(recvbuf, recvcount, &recvtype);
  check_not_in_place(send);
  process.coll().neighbor_allgather(send.blocks(1), receive.blocks(in), comm, later);
}

void neighbor_allgatherv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype,
                         void* recvbuf, CountArray recvcounts, DisplacementArray displs, const Datatype& recvtype,
                         Comm& comm, coll::Deferred* later) {
  const auto [out, in] = degrees(comm);
  const Block send = send_side(sendbuf, sendcount, &sendtype);
  check_not_in_place(send);
  const Varying receive = receive_side(recvbuf, recvcounts, displs, "displs");
  process.coll().neighbor_allgather(send.blocks(1), receive.blocks(in, &recvtype), comm, later);
}

void neighbor_alltoall(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype,
                       void* recvbuf, MPI_Count recvcount, const Datatype& recvtype, Comm& comm,
                       coll::Deferred* later) {
  const auto [out, in] = degrees(comm);
  const Block send = send_side(sendbuf, sendcount, &sendtype), receive = receive_side(recvbuf, recvcount, &recvtype);
  check_not_in_place(send);
  process.coll().neighbor_alltoall(send.blocks(out), receive.blocks(in), comm, later);
}

void neighbor_alltoallv(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray sdispls,
                        const Datatype& sendtype, void* recvbuf, CountArray recvcounts, DisplacementArray rdispls,
                        const Datatype& recvtype, Comm& comm, coll::Deferred* later) {
  const auto [out, in] = degrees(comm);
  const Varying send = send_side(sendbuf, sendcounts, sdispls, "sdispls");
  const Varying receive = receive_side(recvbuf, recvcounts, rdispls, "rdispls");
  process.coll().neighbor_alltoall(send.blocks(out, &sendtype), receive.blocks(in, &recvtype), comm, later);
}

void neighbor_alltoallw(Process& process, const void* sendbuf, CountArray sendcounts, const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, CountArray recvcounts,
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], Comm& comm, coll::Deferred* later) {
  const auto [out, in] = degrees(comm);
  const Varying send = send_side(sendbuf, sendcounts, sdispls, "sdispls", "sendtypes");
  const Varying receive = receive_side(recvbuf, recvcounts, rdispls, "rdispls", "recvtypes");
  process.coll().neighbor_alltoall(send.blocks(process, out, sendtypes), receive.blocks(process, in, recvtypes), comm,
                                   later);
}

}  // namespace antiphon::api
