// The buffer arguments of collectives: checks them, and makes regions of them.
#pragma once

#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

// On an intercommunicator, nobody of the root's group but the root itself takes part.
inline bool takes_part(int root) { return root != abi::PROC_NULL; }
inline bool is_root(const objects::Comm& comm, int root) {
  return comm.is_inter() ? root == abi::ROOT : root == comm.rank();
}

inline coll::Region region(const check::Message& message) {
  return {message.buffer, message.bytes, message.scattered};
}

inline const objects::Datatype& needed(const objects::Datatype* type, const char* argument) {
  if (!type) base::fail(abi::ERR_TYPE, fmt::format("{} is MPI_DATATYPE_NULL; a datatype is needed here", argument));
  return *type;
}

namespace cold {
[[noreturn, gnu::cold, gnu::noinline]] inline void shared(const coll::Region& given, const coll::Region& got,
                                                          const char* given_name, const char* got_name) {
  base::fail(abi::ERR_BUFFER,
             fmt::format("{} and {} share memory, {} and {} bytes from {} and {} on: pass two buffers, "
                         "or MPI_IN_PLACE where it is allowed",
                         given_name, got_name, given.bytes, got.bytes, fmt::ptr(given.at), fmt::ptr(got.at)));
}
}  // namespace cold

// What is given and what is got must not share memory. Blocks with gaps may lie within each other, as long as they
// are not the same.
inline void check_apart(const coll::Region& given, const coll::Region& got, const char* given_name = "sendbuf",
                        const char* got_name = "recvbuf") {
  const auto distance = reinterpret_cast<std::uintptr_t>(got.at) - reinterpret_cast<std::uintptr_t>(given.at);
  if (distance >= given.bytes && -distance >= got.bytes) [[likely]]
    return;
  const bool overlap = given.in_one_piece() && got.in_one_piece()
                           ? given.bytes != 0 && got.bytes != 0
                           : distance == 0 && given.scattered.type == got.scattered.type && given.bytes != 0;
  if (overlap) cold::shared(given, got, given_name, got_name);
}

// One side of a call, with the names of its arguments.
struct Block {
  const void* buffer;
  MPI_Count count;
  const objects::Datatype* type;
  const char* buffer_name;
  const char* count_name;
  const char* type_name;

  [[nodiscard]] std::size_t bytes() const { return check::bytes(count_name, count, needed(type, type_name)); }
  // The buffer of so many such blocks.
  [[nodiscard]] coll::Region blocks(int number) const {
    (void)bytes();
    MPI_Count elements = 0;
    if (__builtin_mul_overflow(count, number, &elements)) check::cold::too_large(count_name, count, *type);
    return region(check::message(buffer_name, buffer, count_name, elements, *type));
  }
};

inline Block send_side(const void* buffer, MPI_Count count, const objects::Datatype* type) {
  return {buffer, count, type, "sendbuf", "sendcount", "sendtype"};
}
inline Block receive_side(const void* buffer, MPI_Count count, const objects::Datatype* type) {
  return {buffer, count, type, "recvbuf", "recvcount", "recvtype"};
}

}  // namespace antiphon::api
