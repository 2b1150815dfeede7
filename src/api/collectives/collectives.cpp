// Collective communication with one count for all: MPI 5.0, chapter 6.
#include "api/collectives/blocks.hpp"
#include "api/collectives/reductions.hpp"
#include "api/collectives/without_data.hpp"

namespace antiphon::api {

using coll::Operation;
using objects::Comm;
using objects::Datatype;
using objects::Op;

namespace {

// Whether `mine`, a rank's own contribution or share, is where `everyones` buffer has it. If not, both must be of the
// same length.
bool checked_in_place(const Block& mine, const Block& everyones) {
  const std::size_t bytes = everyones.bytes();
  if (check::in_place(everyones.buffer))
    check::cold::bad_buffer(everyones.buffer_name, everyones.buffer, everyones.count);
  if (check::in_place(mine.buffer)) return true;
  const std::size_t my_bytes = mine.bytes();
  if (my_bytes != bytes)
    base::fail(my_bytes > bytes ? abi::ERR_TRUNCATE : abi::ERR_COUNT,
               fmt::format("{}={} of {} are {} bytes, {}={} of {} are {}: both must be the same", mine.count_name,
                           mine.count, mine.type->description(), my_bytes, everyones.count_name, everyones.count,
                           everyones.type->description(), bytes));
  return false;
}

// What a rank gives and gets in blocks, all of the same bytes. Across an intercommunicator the two groups may differ
// in the bytes of a block, and nothing is in place.
struct Exchange {
  std::optional<coll::Region> mine;
  coll::Region all;

  Exchange(const Comm& comm, const Block& send, int sends, const Block& receive) {
    const bool in_place = !comm.is_inter() && checked_in_place(send, receive);
    all = receive.blocks(comm.peers());
    if (in_place) return;
    mine = send.blocks(sends);
  }
  void need_apart() const {
    if (mine) check_apart(*mine, all);
  }
};

// The same where only the root has everybody's blocks, as in a gather or a scatter.
struct Rooted {
  std::optional<coll::Region> mine;
  coll::Region all;

  Rooted(const Comm& comm, int root, const Block& each, const Block& everyones) {
    if (!is_root(comm, root)) {
      mine = each.blocks(1);
      return;
    }
    all = everyones.blocks(comm.peers());
    if (comm.is_inter() || checked_in_place(each, everyones)) return;
    mine = each.blocks(1);
  }
  void need_apart(const char* mine_name, const char* all_name) const {
    if (mine) check_apart(*mine, all, mine_name, all_name);
  }
};

// What the others do with such blocks, one for each rank, wherever this rank's buffers are wrong.
coll::Attempt at_blocks(Operation what, const Comm& comm, const Block& each, int root = 0) {
  return {.what = {.operation = what, .ranks = comm.size(), .bytes = each.bytes()}, .root = root};
}
// Most likely the block is right that all ranks have, rather than those of the root.
coll::Attempt at_blocks(Operation what, const Comm& comm, const Block& each, const Block& everyones, int root) {
  return at_blocks(what, comm, check::in_place(each.buffer) ? everyones : each, root);
}

}  // namespace

void barrier(Process& process, Comm& comm, coll::Deferred* later) { process.coll().barrier(comm, later); }

namespace {
// Where nothing else is wrong, it is known what the others do.
[[gnu::cold, gnu::noinline]] void bcast_without_address(Process& process, void* buffer, MPI_Count count,
                                                        const Datatype& datatype, int root, Comm& comm,
                                                        coll::Deferred* later) {
  const coll::Region what = checked(
      process, comm, later,
      [&] {
        return at_blocks(Operation::bcast, comm, {buffer, count, &datatype, "buffer", "count", "datatype"}, root);
      },
      [&] { return region(check::message("buffer", buffer, "count", count, datatype)); });
  process.coll().bcast(what, root, comm, later);
}
}  // namespace

void bcast(Process& process, void* buffer, MPI_Count count, const Datatype& datatype, int root, Comm& comm,
           coll::Deferred* later) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  if (!is_address(buffer)) [[unlikely]]
    return bcast_without_address(process, buffer, count, datatype, root, comm, later);
  process.coll().bcast(region(check::message("buffer", buffer, "count", count, datatype)), root, comm, later);
}

void reduce(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
            const Op& op, int root, Comm& comm, coll::Deferred* later) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Reduced it = checked(
      process, comm, later, [&] { return at_reduction(Operation::reduce, comm, count, datatype, op, root); },
      [&] {
        return Reduced(op, datatype, [&](Reduced& given) {
          if (!is_root(comm, root)) {
            given.result = given.reducing.unused(count);
            given.mine = given.reducing.vector("sendbuf", sendbuf, "count", count);
            return;
          }
          given.result = given.reducing.vector("recvbuf", recvbuf, "count", count);
          if (!comm.is_inter() && !check::in_place(sendbuf)) given.give(sendbuf, count);
        });
      });
  if (is_root(comm, root)) it.need_apart();
  process.coll().reduce(it.mine, it.result, root, comm, later);
}

void allreduce(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
               const Op& op, Comm& comm, coll::Deferred* later) {
  const Reduced it = checked(
      process, comm, later, [&] { return at_reduction(Operation::allreduce, comm, count, datatype, op); },
      [&] {
        return Reduced(op, datatype, [&](Reduced& given) {
          given.result = given.reducing.vector("recvbuf", recvbuf, "count", count);
          if (comm.is_inter() || !check::in_place(sendbuf)) given.give(sendbuf, count);
        });
      });
  it.need_apart();
  process.coll().allreduce(it.mine, it.result, comm, later);
}

void gather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm, coll::Deferred* later) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  const Rooted blocks = checked(
      process, comm, later, [&] { return at_blocks(Operation::gather, comm, send, receive, root); },
      [&] { return Rooted(comm, root, send, receive); });
  blocks.need_apart("sendbuf", "recvbuf");
  process.coll().gather(blocks.mine, blocks.all, root, comm, later);
}

void scatter(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
             MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm, coll::Deferred* later) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  const Rooted blocks = checked(
      process, comm, later, [&] { return at_blocks(Operation::scatter, comm, receive, send, root); },
      [&] { return Rooted(comm, root, receive, send); });
  blocks.need_apart("recvbuf", "sendbuf");
  process.coll().scatter(blocks.all, blocks.mine, root, comm, later);
}

void allgather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
               MPI_Count recvcount, const Datatype* recvtype, Comm& comm, coll::Deferred* later) {
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  const Exchange exchange = checked(
      process, comm, later, [&] { return at_blocks(Operation::allgather, comm, receive); },
      [&] { return Exchange(comm, send, 1, receive); });
  exchange.need_apart();
  process.coll().allgather(exchange.mine, exchange.all, comm, later);
}

void alltoall(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
              MPI_Count recvcount, const Datatype* recvtype, Comm& comm, coll::Deferred* later) {
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  const Exchange exchange = checked(
      process, comm, later, [&] { return at_blocks(Operation::alltoall, comm, receive); },
      [&] { return Exchange(comm, send, comm.peers(), receive); });
  exchange.need_apart();
  process.coll().alltoall(exchange.mine, exchange.all, comm, later);
}

}  // namespace antiphon::api
