// Blocking collective communication: MPI 5.0, chapter 6.
#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Op;

namespace {

// On an intercommunicator, nobody of the root's group but the root itself takes part.
bool takes_part(int root) { return root != abi::PROC_NULL; }
bool is_root(const Comm& comm, int root) { return comm.is_inter() ? root == abi::ROOT : root == comm.rank(); }

coll::Vector checked_vector(MPI_Count count, const Datatype& type, const Op& op) {
  const std::size_t bytes = check::bytes("count", count, type);
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

void need_buffer(const char* argument, const void* buffer, std::size_t bytes, MPI_Count count) {
  if (!buffer && bytes != 0) check::cold::bad_buffer(argument, buffer, count);
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
  // Of a buffer that cannot be in place.
  [[nodiscard]] std::size_t checked_bytes() const {
    return check::buffer(buffer_name, buffer, count, needed(type, type_name), count_name);
  }
};

Block send_side(const void* buffer, MPI_Count count, const Datatype* type) {
  return {buffer, count, type, "sendbuf", "sendcount", "sendtype"};
}
Block receive_side(const void* buffer, MPI_Count count, const Datatype* type) {
  return {buffer, count, type, "recvbuf", "recvcount", "recvtype"};
}

// The two sides of a call on a rank that has both; `mine`, its own contribution or share, may be MPI_IN_PLACE, which
// becomes null. Returns the bytes of one block, which must be the same on both.
std::size_t checked_blocks(Block& mine, const Block& everyones) {
  const std::size_t bytes = everyones.bytes();
  if (check::in_place(everyones.buffer))
    check::cold::bad_buffer(everyones.buffer_name, everyones.buffer, everyones.count);
  need_buffer(everyones.buffer_name, everyones.buffer, bytes, everyones.count);
  if (check::in_place(mine.buffer)) {
    mine.buffer = nullptr;
    return bytes;
  }
  const std::size_t my_bytes = mine.bytes();
  if (my_bytes != bytes)
    base::fail(my_bytes > bytes ? abi::ERR_TRUNCATE : abi::ERR_COUNT,
               fmt::format("{}={} of {} are {} bytes, {}={} of {} are {}: both must be the same", mine.count_name,
                           mine.count, mine.type->description(), my_bytes, everyones.count_name, everyones.count,
                           everyones.type->description(), bytes));
  need_buffer(mine.buffer_name, mine.buffer, my_bytes, mine.count);
  static constexpr std::byte kNothing{};
  if (!mine.buffer) mine.buffer = &kNothing;  // null means in place from here on
  return bytes;
}

}  // namespace

void barrier(Process& process, Comm& comm) { process.coll().barrier(comm); }

void bcast(Process& process, void* buffer, MPI_Count count, const Datatype& datatype, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const std::size_t bytes = check::buffer("buffer", buffer, count, datatype);
  process.coll().bcast(buffer, bytes, root, comm);
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
  if (root == abi::ROOT) {
    const std::size_t bytes = receive_side(recvbuf, recvcount, recvtype).checked_bytes();
    return process.coll().gather(nullptr, recvbuf, bytes, root, comm);
  }
  if (is_root(comm, root)) {
    Block mine = send_side(sendbuf, sendcount, sendtype);
    const std::size_t bytes = checked_blocks(mine, receive_side(recvbuf, recvcount, recvtype));
    return process.coll().gather(mine.buffer, recvbuf, bytes, root, comm);
  }
  const std::size_t bytes = check::buffer("sendbuf", sendbuf, sendcount, needed(sendtype, "sendtype"), "sendcount");
  process.coll().gather(sendbuf, nullptr, bytes, root, comm);
}

void scatter(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
             MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  if (root == abi::ROOT) {
    const std::size_t bytes = send_side(sendbuf, sendcount, sendtype).checked_bytes();
    return process.coll().scatter(sendbuf, nullptr, bytes, root, comm);
  }
  if (is_root(comm, root)) {
    Block mine = receive_side(recvbuf, recvcount, recvtype);
    const std::size_t bytes = checked_blocks(mine, send_side(sendbuf, sendcount, sendtype));
    return process.coll().scatter(sendbuf, mine.buffer ? recvbuf : nullptr, bytes, root, comm);
  }
  const std::size_t bytes = check::buffer("recvbuf", recvbuf, recvcount, needed(recvtype, "recvtype"), "recvcount");
  process.coll().scatter(nullptr, recvbuf, bytes, root, comm);
}

void allgather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
               MPI_Count recvcount, const Datatype* recvtype, Comm& comm) {
  if (comm.is_inter()) {
    const std::size_t sent = send_side(sendbuf, sendcount, sendtype).checked_bytes();
    const std::size_t received = receive_side(recvbuf, recvcount, recvtype).checked_bytes();
    return process.coll().allgather_across(sendbuf, sent, recvbuf, received, comm);
  }
  Block mine = send_side(sendbuf, sendcount, sendtype);
  const std::size_t bytes = checked_blocks(mine, receive_side(recvbuf, recvcount, recvtype));
  process.coll().allgather(mine.buffer, recvbuf, bytes, comm);
}

void alltoall(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
              MPI_Count recvcount, const Datatype* recvtype, Comm& comm) {
  if (comm.is_inter()) {
    const std::size_t sent = send_side(sendbuf, sendcount, sendtype).checked_bytes();
    const std::size_t received = receive_side(recvbuf, recvcount, recvtype).checked_bytes();
    return process.coll().alltoall_across(sendbuf, sent, recvbuf, received, comm);
  }
  Block mine = send_side(sendbuf, sendcount, sendtype);
  const std::size_t bytes = checked_blocks(mine, receive_side(recvbuf, recvcount, recvtype));
  process.coll().alltoall(mine.buffer, recvbuf, bytes, comm);
}

}  // namespace antiphon::api
