// Checks of arguments that procedures share. Each throws an Error that names the argument, its value and what
// would be valid. A check that passes costs a compare.
#pragma once

#include <fmt/format.h>

#include <limits>

#include "abi/constants.hpp"
#include "api/address.hpp"
#include "base/error.hpp"
#include "engine/data/move.hpp"
#include "mpi.h"
#include "objects/comm.hpp"
#include "objects/datatype.hpp"
#include "objects/op.hpp"
#include "objects/window.hpp"

namespace antiphon::api::check {

// How error messages show a pointer that is not a valid address.
inline std::string shown(const void* pointer) {
  const auto value = reinterpret_cast<std::uintptr_t>(pointer);
  return value == 0 ? "null" : value == abi::IN_PLACE ? "MPI_IN_PLACE" : fmt::format("{:#x}, no address", value);
}

namespace cold {

[[noreturn, gnu::cold, gnu::noinline]] inline void bad_rank(const char* argument, int rank, const objects::Comm& comm,
                                                            const char* others) {
  base::fail(abi::ERR_RANK, fmt::format("{}={} is not a rank of {}, {} {} (valid: 0 to {}{})", argument, rank,
                                        comm.name(), comm.is_inter() ? "whose remote group has" : "which has",
                                        comm.peers(), comm.peers() - 1, others));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_root(int rank, const objects::Comm& comm) {
  base::fail(abi::ERR_ROOT, fmt::format("root={} is not a rank of {}, {} {} (valid: 0 to {}{})", rank, comm.name(),
                                        comm.is_inter() ? "whose remote group has" : "which has", comm.peers(),
                                        comm.peers() - 1, comm.is_inter() ? ", MPI_ROOT, MPI_PROC_NULL" : ""));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_target(const char* argument, int rank,
                                                              const objects::Window& window) {
  base::fail(abi::ERR_RANK,
             fmt::format("{}={} is not a rank of {}, which has {} (valid: 0 to {}, MPI_PROC_NULL)", argument, rank,
                         window.title(), window.comm().size(), window.comm().size() - 1));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void wrong_kind(const char* argument, const objects::Comm& comm) {
  base::fail(abi::ERR_COMM,
             fmt::format("{} is {}, an {}communicator; an {}communicator is needed here", argument, comm.name(),
                         comm.is_inter() ? "inter" : "intra", comm.is_inter() ? "intra" : "inter"));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void undefined_operation(const objects::Op& op,
                                                                       const objects::Datatype& type) {
  const bool is_half = type.element() == objects::Element::float16 || type.element() == objects::Element::complex32;
  base::fail(abi::ERR_OP, fmt::format("op={} is not defined on {} ({})", op.name(), type.description(),
                                      is_half ? "Antiphon cannot compute with 16-bit numbers"
                                              : "MPI 5.0, 6.9.2, lists the operations of each datatype"));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_tag(const char* argument, int tag, const char* others) {
  base::fail(abi::ERR_TAG, fmt::format("{}={} is not valid (valid: 0 to 2147483647{})", argument, tag, others));
}
// A count below INT_MIN is most likely a positive number of 2^63 or more that overflowed, so the message shows it as
// such, too.
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_count(const char* argument, MPI_Count count) {
  if (count < std::numeric_limits<int>::min())
    base::fail(abi::ERR_COUNT,
               fmt::format("{}={} is more than 2^63-1, the most that an MPI_Count can hold, or negative "
                           "({}): a count is 0 or more",
                           argument, static_cast<std::uint64_t>(count), count));
  base::fail(abi::ERR_COUNT, fmt::format("{}={} is negative (valid: 0 or more)", argument, count));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void too_large(const char* argument, MPI_Count count,
                                                             const objects::Datatype& type) {
  base::fail(abi::ERR_COUNT, fmt::format("{}={} elements of {} are more bytes than an address space has", argument,
                                         count, type.description()));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_buffer(const char* argument, const void* buffer,
                                                              MPI_Count count) {
  base::fail(abi::ERR_BUFFER, fmt::format("{} is {}, but {} elements are to be transferred: pass their address",
                                          argument, shown(buffer), count));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void uncommitted(const objects::Datatype& type) {
  base::fail(abi::ERR_TYPE, fmt::format("{} is not committed: call MPI_Type_commit first", type.description()));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void null_result(const char* argument, const void* given = nullptr) {
  base::fail(abi::ERR_ARG,
             fmt::format("{} is {}: pass the address of a variable for the result", argument, shown(given)));
}

}  // namespace cold

inline void destination(const char* argument, int rank, const objects::Comm& comm) {
  if ((rank < 0 && rank != abi::PROC_NULL) || rank >= comm.peers()) [[unlikely]]
    cold::bad_rank(argument, rank, comm, ", MPI_PROC_NULL");
}
inline void source(const char* argument, int rank, const objects::Comm& comm) {
  if ((rank < 0 && rank != abi::PROC_NULL && rank != abi::ANY_SOURCE) || rank >= comm.peers()) [[unlikely]]
    cold::bad_rank(argument, rank, comm, ", MPI_ANY_SOURCE, MPI_PROC_NULL");
}
// A rank of the communicator: neither a wildcard nor MPI_PROC_NULL.
inline void member(const char* argument, int rank, const objects::Comm& comm) {
  if (rank < 0 || rank >= comm.peers()) [[unlikely]]
    cold::bad_rank(argument, rank, comm, "");
}
// The target rank of an operation on a window.
inline void target(const char* argument, int rank, const objects::Window& window) {
  if ((rank < 0 && rank != abi::PROC_NULL) || rank >= window.comm().size()) [[unlikely]]
    cold::bad_target(argument, rank, window);
}
inline void root(int rank, const objects::Comm& comm) {
  if (comm.is_inter() && (rank == abi::ROOT || rank == abi::PROC_NULL)) return;
  if (rank < 0 || rank >= comm.peers()) [[unlikely]]
    cold::bad_root(rank, comm);
}
inline void intracommunicator(const char* argument, const objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    cold::wrong_kind(argument, comm);
}
inline void intercommunicator(const char* argument, const objects::Comm& comm) {
  if (!comm.is_inter()) [[unlikely]]
    cold::wrong_kind(argument, comm);
}
// One call may not use objects of two sessions (MPI 5.0, 11.3).
inline void one_session(const char* first_name, const objects::Group& first, const char* second_name,
                        const objects::Group& second) {
  if (first.session() != second.session() && first.session() != 0 && second.session() != 0)
    base::fail(abi::ERR_GROUP,
               fmt::format("{} and {} belong to different sessions: all objects of a call must belong to one session",
                           first_name, second_name));
}
inline void send_tag(const char* argument, int tag) {
  if (tag < 0) [[unlikely]]
    cold::bad_tag(argument, tag, "");
}
inline void receive_tag(const char* argument, int tag) {
  if (tag < 0 && tag != abi::ANY_TAG) [[unlikely]]
    cold::bad_tag(argument, tag, " and MPI_ANY_TAG");
}

// Also rejects other values that cannot be addresses.
inline void not_null(const void* result, const char* argument) {
  if (!is_address(result)) [[unlikely]]
    cold::null_result(argument, result);
}

// An array argument; the call accesses its first `used` elements.
inline void array(const char* name, const void* address, std::size_t used) {
  if (used > 0 && !is_address(address)) [[unlikely]]
    base::fail(abi::ERR_ARG,
               fmt::format("{} is {}, but has {} elements: pass its address", name, shown(address), used));
}

inline bool in_place(const void* buffer) { return reinterpret_cast<std::uintptr_t>(buffer) == abi::IN_PLACE; }

// A buffer of `count` elements. A null pointer may be MPI_BOTTOM, which is valid with a datatype of absolute
// addresses; an absolute address in the first page is invalid.
inline void data(const char* argument, const void* address, MPI_Count count, const objects::Datatype& type) {
  if (is_address(address) || count == 0 || type.size() == 0) [[likely]]
    return;
  if (address || static_cast<std::uintptr_t>(type.true_lb()) < kFirstAddress)
    cold::bad_buffer(argument, address, count);
}

// `count` times a property of the type in bytes.
inline std::size_t times(const char* argument, MPI_Count count, std::int64_t each, const objects::Datatype& type) {
  if (count < 0) [[unlikely]]
    cold::bad_count(argument, count);
  std::int64_t product = 0;
  if (__builtin_mul_overflow(count, each, &product)) [[unlikely]]
    cold::too_large(argument, count, type);
  return static_cast<std::size_t>(product);
}

// Bytes of data in `count` elements.
inline std::size_t bytes(const char* argument, MPI_Count count, const objects::Datatype& type) {
  const std::size_t product = times(argument, count, type.size(), type);
  if (!type.committed()) [[unlikely]]
    cold::uncommitted(type);
  return product;
}

// The decoded buffer of a message: `bytes` of data. If the data is contiguous, it begins at `buffer`. Otherwise
// `buffer` is the argument as passed, and `scattered` describes the layout.
struct Message {
  std::byte* buffer;
  std::size_t bytes;
  data::Scattered scattered;
};

namespace cold {

// The case of a datatype that is not always contiguous. The elements of this call may be contiguous nevertheless, for
// example because there is only one.
[[gnu::noinline]] inline Message scattered_message(const char* argument, const void* address,
                                                   const char* count_argument, MPI_Count count,
                                                   const objects::Datatype& type) {
  const std::size_t size = check::bytes(count_argument, count, type);
  std::int64_t span = 0;
  if (__builtin_mul_overflow(count, type.extent(), &span)) too_large(count_argument, count, type);
  data(argument, address, count, type);
  const layout::Layout& layout = type.layout();
  const auto buffer = reinterpret_cast<std::uintptr_t>(address);
  if (size == 0 || layout.contiguous() || (count == 1 && layout.one().is_run()))
    return {reinterpret_cast<std::byte*>(buffer + static_cast<std::uintptr_t>(layout.displacement())), size, {}};
  return {reinterpret_cast<std::byte*>(buffer), size, {&type, count}};
}

}  // namespace cold

// Decodes the buffer of a message. It may be null only if no data is transferred or the datatype holds absolute
// addresses.
inline Message message(const char* argument, const void* address, const char* count_argument, MPI_Count count,
                       const objects::Datatype& type) {
  if (!type.in_one_piece()) [[unlikely]]
    return cold::scattered_message(argument, address, count_argument, count, type);
  const std::size_t size = times(count_argument, count, type.size(), type);
  if (!is_address(address) && size != 0) [[unlikely]]
    cold::bad_buffer(argument, address, count);
  return {static_cast<std::byte*>(const_cast<void*>(address)), size, {nullptr, count}};
}

// Bytes from the first of `count` elements to the end of the last, their padding included. Reductions work on all of
// these. For predefined types.
inline std::size_t span(const char* argument, MPI_Count count, const objects::Datatype& type) {
  (void)bytes(argument, count, type);
  return times(argument, count, type.extent(), type);
}

// span(), after a check that the buffer is an address unless it is empty.
inline std::size_t buffer(const char* argument, const void* address, MPI_Count count, const objects::Datatype& type,
                          const char* count_argument = "count") {
  const std::size_t size = span(count_argument, count, type);
  if (!is_address(address) && size != 0) [[unlikely]]
    cold::bad_buffer(argument, address, count);
  return size;
}

}  // namespace antiphon::api::check
