// Blocking collective communication: MPI 5.0, chapter 6.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/one_piece.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Op;

namespace {

// On an intercommunicator, nobody of the root's group but the root itself takes part.
bool takes_part(int root) { return root != abi::PROC_NULL; }
bool is_root(const Comm& comm, int root) { return comm.is_inter() ? root == abi::ROOT : root == comm.rank(); }

coll::Vector checked_vector(MPI_Count count, const Datatype& type, const Op& op) {
  const std::size_t bytes = check::span("count", count, type);
  const coll::ReduceKernel kernel = type.predefined() ? coll::reduce_kernel(op.kind(), type.element()) : nullptr;
  if (!kernel || op.kind() == Op::Kind::replace || op.kind() == Op::Kind::no_op)
    base::fail(abi::ERR_OP, fmt::format("op={} is not defined on {} (MPI 5.0, 6.9.2 lists what is)", op.name(),
                                        type.description()));
  const auto element = static_cast<std::size_t>(type.extent());
  return {bytes / element, element, kernel};
}

const Datatype& needed(const Datatype* type, const char* argument) {
  if (!type) base::fail(abi::ERR_TYPE, fmt::format("{} is MPI_DATATYPE_NULL; a datatype is needed here", argument));
  return *type;
}

// One side of a call, with the names of its arguments.
struct Block {
  const void* buffer;
  MPI_Count count;
  const Datatype* type;
  const char* buffer_name;
  const char* count_name;
  const char* type_name;

  [[nodiscard]] std::size_t bytes() const { return check::bytes(count_name, count, needed(type, type_name)); }
  // The buffer of so many such blocks.
  [[nodiscard]] OnePiece blocks(int number, OnePiece::Before before) const {
    MPI_Count elements = 0;
    if (__builtin_mul_overflow(count, number, &elements)) check::cold::too_large(count_name, count, *type);
    return {check::message(buffer_name, buffer, count_name, elements, *type), before};
  }
};

Block send_side(const void* buffer, MPI_Count count, const Datatype* type) {
  return {buffer, count, type, "sendbuf", "sendcount", "sendtype"};
}
Block receive_side(const void* buffer, MPI_Count count, const Datatype* type) {
  return {buffer, count, type, "recvbuf", "recvcount", "recvtype"};
}

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

// Null means in place from here on, so a block of no bytes is somewhere, where nobody writes.
std::byte* not_in_place(const OnePiece& mine) {
  static constexpr std::byte kNothing{};
  return mine.data() ? mine.data() : const_cast<std::byte*>(&kNothing);
}

// What a rank gives and gets in blocks, all of the same bytes.
struct Exchange {
  OnePiece mine, all;
  std::byte* from;  // null: in place
  std::size_t bytes;

  Exchange(const Block& send, int sends, const Block& receive, int receives) : bytes(receive.bytes()) {
    const bool in_place = checked_in_place(send, receive);
    if (!in_place) mine = send.blocks(sends, OnePiece::Before::loaded);
    all = receive.blocks(receives, in_place ? OnePiece::Before::loaded : OnePiece::Before::ignored);
    from = in_place ? nullptr : not_in_place(mine);
  }
};

// The same across an intercommunicator, where the two groups may differ in the bytes of a block and nothing is in
// place.
struct Across {
  OnePiece mine, all;
  std::size_t sent, received;

  Across(const Block& send, int sends, const Block& receive, int receives)
      : sent(send.bytes()), received(receive.bytes()) {
    mine = send.blocks(sends, OnePiece::Before::loaded);
    all = receive.blocks(receives, OnePiece::Before::ignored);
  }
};

}  // namespace

void barrier(Process& process, Comm& comm) { process.coll().barrier(comm); }

void bcast(Process& process, void* buffer, MPI_Count count, const Datatype& datatype, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const bool sends = is_root(comm, root);
  const check::Message message = check::message("buffer", buffer, "count", count, datatype);
  const OnePiece piece(message, sends ? OnePiece::Before::loaded : OnePiece::Before::ignored);
  process.coll().bcast(piece.data(), message.bytes, root, comm);
  if (!sends) piece.store();
}

void reduce(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
            const Op& op, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const coll::Vector vector = checked_vector(count, datatype, op);
  if (is_root(comm, root)) check::buffer("recvbuf", recvbuf, count, datatype);
  if (is_root(comm, root) && (comm.is_inter() || check::in_place(sendbuf)))
    sendbuf = recvbuf;
  else
    check::buffer("sendbuf", sendbuf, count, datatype);
  process.coll().reduce(sendbuf, recvbuf, vector, root, comm);
}

void allreduce(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
               const Op& op, Comm& comm) {
  const coll::Vector vector = checked_vector(count, datatype, op);
  check::buffer("recvbuf", recvbuf, count, datatype);
  if (!comm.is_inter() && check::in_place(sendbuf))
    sendbuf = recvbuf;
  else
    check::buffer("sendbuf", sendbuf, count, datatype);
  process.coll().allreduce(sendbuf, recvbuf, vector, comm);
}

void gather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  if (root == abi::ROOT) {
    const std::size_t bytes = receive.bytes();
    const OnePiece all = receive.blocks(comm.peers(), OnePiece::Before::ignored);
    process.coll().gather(nullptr, all.data(), bytes, root, comm);
    return all.store();
  }
  if (is_root(comm, root)) {
    const Exchange exchange(send, 1, receive, comm.size());
    process.coll().gather(exchange.from, exchange.all.data(), exchange.bytes, root, comm);
    return exchange.all.store();
  }
  const std::size_t bytes = send.bytes();
  process.coll().gather(send.blocks(1, OnePiece::Before::loaded).data(), nullptr, bytes, root, comm);
}

void scatter(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
             MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  OnePiece mine, all;
  if (!is_root(comm, root)) {
    const std::size_t bytes = receive.bytes();
    mine = receive.blocks(1, OnePiece::Before::ignored);
    process.coll().scatter(nullptr, mine.data(), bytes, root, comm);
  } else {
    const std::size_t bytes = send.bytes();
    const bool no_share = comm.is_inter() || checked_in_place(receive, send);
    if (!no_share) mine = receive.blocks(1, OnePiece::Before::ignored);
    all = send.blocks(comm.peers(), OnePiece::Before::loaded);
    process.coll().scatter(all.data(), no_share ? nullptr : not_in_place(mine), bytes, root, comm);
  }
  mine.store();
}

void allgather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
               MPI_Count recvcount, const Datatype* recvtype, Comm& comm) {
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  if (comm.is_inter()) {
    const Across across(send, 1, receive, comm.peers());
    process.coll().allgather_across(across.mine.data(), across.sent, across.all.data(), across.received, comm);
    return across.all.store();
  }
  const Exchange exchange(send, 1, receive, comm.size());
  process.coll().allgather(exchange.from, exchange.all.data(), exchange.bytes, comm);
  exchange.all.store();
}

void alltoall(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
              MPI_Count recvcount, const Datatype* recvtype, Comm& comm) {
  const Block send = send_side(sendbuf, sendcount, sendtype), receive = receive_side(recvbuf, recvcount, recvtype);
  if (comm.is_inter()) {
    const Across across(send, comm.peers(), receive, comm.peers());
    process.coll().alltoall_across(across.mine.data(), across.sent, across.all.data(), across.received, comm);
    return across.all.store();
  }
  const Exchange exchange(send, comm.size(), receive, comm.size());
  process.coll().alltoall(exchange.from, exchange.all.data(), exchange.bytes, comm);
  exchange.all.store();
}

}  // namespace antiphon::api
