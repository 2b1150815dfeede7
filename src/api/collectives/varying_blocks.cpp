// Collectives with a count for each rank: MPI 5.0, 6.5 to 6.8.
#include "api/collectives/varying_blocks.hpp"

#include <optional>

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;

namespace {

void exchange(Process& process, const Varying& send, const coll::BlockList& out, const Varying& receive,
              const coll::BlockList& in, Comm& comm, coll::Deferred* later) {
  for (int rank = 0; rank < in.number(); ++rank) check_apart(out[rank], in[rank]);
  if (!comm.is_inter()) check_same(send.amount(comm.rank(), out), receive.amount(comm.rank(), in));
  process.coll().alltoall(out, in, comm, later);
}

}  // namespace

void gatherv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
             CountArray recvcounts, DisplacementArray displs, const Datatype* recvtype, int root, Comm& comm,
             coll::Deferred* later) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block send = send_side(sendbuf, sendcount, sendtype);
  if (!is_root(comm, root)) return process.coll().gather(send.blocks(1), coll::BlockList({}), root, comm, later);
  const Varying receive = receive_side(recvbuf, recvcounts, displs, "displs");
  const coll::BlockList all = receive.blocks(comm.peers(), recvtype);
  std::optional<coll::Region> mine;
  if (!comm.is_inter() && !check::in_place(sendbuf)) {
    mine = send.blocks(1);
    for (int rank = 0; rank < all.number(); ++rank) check_apart(*mine, all[rank]);
    check_same({send.count_name, Amount::kNone, sendcount, mine->bytes}, receive.amount(root, all));
  }
  process.coll().gather(mine, all, root, comm, later);
}

void scatterv(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray displs,
              const Datatype* sendtype, void* recvbuf, MPI_Count recvcount, const Datatype* recvtype, int root,
              Comm& comm, coll::Deferred* later) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block receive = receive_side(recvbuf, recvcount, recvtype);
  if (!is_root(comm, root)) return process.coll().scatter(coll::BlockList({}), receive.blocks(1), root, comm, later);
  const Varying send = send_side(sendbuf, sendcounts, displs, "displs");
  const coll::BlockList all = send.blocks(comm.peers(), sendtype);
  std::optional<coll::Region> mine;
  if (!comm.is_inter() && !check::in_place(recvbuf)) {
    mine = receive.blocks(1);
    for (int rank = 0; rank < all.number(); ++rank) check_apart(all[rank], *mine);
    check_same(send.amount(root, all), {receive.count_name, Amount::kNone, recvcount, mine->bytes});
  }
  process.coll().scatter(all, mine, root, comm, later);
}

void allgatherv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
                CountArray recvcounts, DisplacementArray displs, const Datatype* recvtype, Comm& comm,
                coll::Deferred* later) {
  const Varying receive = receive_side(recvbuf, recvcounts, displs, "displs");
  const coll::BlockList all = receive.blocks(comm.peers(), recvtype);
  if (!comm.is_inter() && check::in_place(sendbuf)) return process.coll().allgather({}, all, comm, later);
  const Block send = send_side(sendbuf, sendcount, sendtype);
  const coll::Region mine = send.blocks(1);
  for (int rank = 0; rank < all.number(); ++rank) check_apart(mine, all[rank]);
  if (!comm.is_inter())
    check_same({send.count_name, Amount::kNone, sendcount, mine.bytes}, receive.amount(comm.rank(), all));
  process.coll().allgather(mine, all, comm, later);
}

void alltoallv(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray sdispls,
               const Datatype* sendtype, void* recvbuf, CountArray recvcounts, DisplacementArray rdispls,
               const Datatype* recvtype, Comm& comm, coll::Deferred* later) {
  const Varying send = send_side(sendbuf, sendcounts, sdispls, "sdispls");
  const Varying receive = receive_side(recvbuf, recvcounts, rdispls, "rdispls");
  const coll::BlockList in = receive.blocks(comm.peers(), recvtype);
  if (!comm.is_inter() && check::in_place(sendbuf)) return process.coll().alltoall({}, in, comm, later);
  exchange(process, send, send.blocks(comm.peers(), sendtype), receive, in, comm, later);
}

void alltoallw(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray sdispls,
               const MPI_Datatype sendtypes[], void* recvbuf, CountArray recvcounts, DisplacementArray rdispls,
               const MPI_Datatype recvtypes[], Comm& comm, coll::Deferred* later) {
  const Varying send = send_side(sendbuf, sendcounts, sdispls, "sdispls", "sendtypes");
  const Varying receive = receive_side(recvbuf, recvcounts, rdispls, "rdispls", "recvtypes");
  const coll::BlockList in = receive.blocks(process, comm.peers(), recvtypes);
  if (!comm.is_inter() && check::in_place(sendbuf)) return process.coll().alltoall({}, in, comm, later);
  exchange(process, send, send.blocks(process, comm.peers(), sendtypes), receive, in, comm, later);
}

}  // namespace antiphon::api
