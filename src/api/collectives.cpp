// Blocking collective communication: MPI 5.0, chapter 6.
#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Op;

namespace {

coll::Vector checked_vector(MPI_Count count, const Datatype& type, const Op& op) {
  const std::size_t bytes = check::bytes("count", count, type);
  const coll::ReduceKernel kernel = type.predefined() ? coll::reduce_kernel(op.kind(), type.element()) : nullptr;
  if (!kernel || op.kind() == Op::Kind::replace || op.kind() == Op::Kind::no_op)
    base::fail(abi::ERR_OP, fmt::format("op={} is not defined on {} (MPI 5.0, 6.9.2 lists what is)", op.name(),
                                        type.name().empty() ? "a derived datatype" : type.name()));
  return {bytes / type.extent(), type.extent(), kernel};
}

const Datatype& needed(const Datatype* type, const char* argument) {
  if (!type) base::fail(abi::ERR_TYPE, fmt::format("{} is MPI_DATATYPE_NULL; a datatype is needed here", argument));
  return *type;
}

void need_buffer(const char* argument, const void* buffer, std::size_t bytes, MPI_Count count) {
  if (!buffer && bytes != 0) check::cold::bad_buffer(argument, buffer, count);
}

// Both buffers of a call whose two sides must agree; MPI_IN_PLACE becomes null. Returns the bytes of one block.
std::size_t checked_block(const void** sendbuf, MPI_Count sendcount, const Datatype* sendtype, const void* recvbuf,
                          MPI_Count recvcount, const Datatype* recvtype) {
  const std::size_t bytes = check::bytes("recvcount", recvcount, needed(recvtype, "recvtype"));
  if (check::in_place(recvbuf)) check::cold::bad_buffer("recvbuf", recvbuf, recvcount);
  need_buffer("recvbuf", recvbuf, bytes, recvcount);
  if (check::in_place(*sendbuf)) {
    *sendbuf = nullptr;
    return bytes;
  }
  const std::size_t sent = check::bytes("sendcount", sendcount, needed(sendtype, "sendtype"));
  if (sent != bytes)
    base::fail(sent > bytes ? abi::ERR_TRUNCATE : abi::ERR_COUNT,
               fmt::format("sendcount={} of {} are {} bytes, recvcount={} of {} are {}: both must be the same",
                           sendcount, sendtype->name(), sent, recvcount, recvtype->name(), bytes));
  need_buffer("sendbuf", *sendbuf, sent, sendcount);
  static constexpr std::byte kNothing{};
  if (!*sendbuf) *sendbuf = &kNothing;  // null means in place from here on
  return bytes;
}

}  // namespace

void barrier(Process& process, Comm& comm) { process.coll().barrier(comm); }

void bcast(Process& process, void* buffer, MPI_Count count, const Datatype& datatype, int root, Comm& comm) {
  check::root(root, comm);
  const std::size_t bytes = check::buffer("buffer", buffer, count, datatype);
  process.coll().bcast(buffer, bytes, root, comm);
}

void reduce(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
            const Op& op, int root, Comm& comm) {
  check::root(root, comm);
  const coll::Vector vector = checked_vector(count, datatype, op);
  const bool is_root = comm.rank() == root;
  if (is_root) check::buffer("recvbuf", recvbuf, count, datatype);
  if (is_root && check::in_place(sendbuf))
    sendbuf = recvbuf;
  else
    check::buffer("sendbuf", sendbuf, count, datatype);
  process.coll().reduce(sendbuf, recvbuf, vector, root, comm);
}

void allreduce(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
               const Op& op, Comm& comm) {
  const coll::Vector vector = checked_vector(count, datatype, op);
  check::buffer("recvbuf", recvbuf, count, datatype);
  if (check::in_place(sendbuf))
    sendbuf = recvbuf;
  else
    check::buffer("sendbuf", sendbuf, count, datatype);
  process.coll().allreduce(sendbuf, recvbuf, vector, comm);
}

void gather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm) {
  check::root(root, comm);
  if (comm.rank() == root) {
    const std::size_t bytes = checked_block(&sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    return process.coll().gather(sendbuf, recvbuf, bytes, root, comm);
  }
  const std::size_t bytes = check::buffer("sendbuf", sendbuf, sendcount, needed(sendtype, "sendtype"));
  process.coll().gather(sendbuf, nullptr, bytes, root, comm);
}

void scatter(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
             MPI_Count recvcount, const Datatype* recvtype, int root, Comm& comm) {
  check::root(root, comm);
  if (comm.rank() == root) {
    const void* kept = recvbuf;
    const std::size_t bytes = checked_block(&kept, recvcount, recvtype, sendbuf, sendcount, sendtype);
    return process.coll().scatter(sendbuf, kept ? recvbuf : nullptr, bytes, root, comm);
  }
  const std::size_t bytes = check::buffer("recvbuf", recvbuf, recvcount, needed(recvtype, "recvtype"));
  process.coll().scatter(nullptr, recvbuf, bytes, root, comm);
}

void allgather(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
               MPI_Count recvcount, const Datatype* recvtype, Comm& comm) {
  const std::size_t bytes = checked_block(&sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
  process.coll().allgather(sendbuf, recvbuf, bytes, comm);
}

void alltoall(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
              MPI_Count recvcount, const Datatype* recvtype, Comm& comm) {
  const std::size_t bytes = checked_block(&sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
  process.coll().alltoall(sendbuf, recvbuf, bytes, comm);
}

}  // namespace antiphon::api
