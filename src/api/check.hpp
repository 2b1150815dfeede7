// Checks of arguments that procedures share. Each throws an Error that names the argument, its value and what would
// be valid; what passes costs a compare.
#pragma once

#include <fmt/format.h>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "mpi.h"
#include "objects/comm.hpp"
#include "objects/datatype.hpp"

namespace antiphon::api::check {

namespace cold {

[[noreturn, gnu::cold, gnu::noinline]] inline void bad_rank(const char* argument, int rank, const objects::Comm& comm,
                                                            const char* others) {
  base::fail(abi::ERR_RANK, fmt::format("{}={} is no rank of {}, {} {} (0 to {}){}", argument, rank, comm.name(),
                                        comm.is_inter() ? "whose remote group has" : "which has", comm.peers(),
                                        comm.peers() - 1, others));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_root(int rank, const objects::Comm& comm) {
  base::fail(abi::ERR_ROOT, fmt::format("root={} is no rank of {}, {} {} (0 to {}){}", rank, comm.name(),
                                        comm.is_inter() ? "whose remote group has" : "which has", comm.peers(),
                                        comm.peers() - 1, comm.is_inter() ? ", MPI_ROOT or MPI_PROC_NULL" : ""));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void wrong_kind(const char* argument, const objects::Comm& comm) {
  base::fail(abi::ERR_COMM,
             fmt::format("{} is {}, an {}communicator; an {}communicator is needed here", argument, comm.name(),
                         comm.is_inter() ? "inter" : "intra", comm.is_inter() ? "intra" : "inter"));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_tag(const char* argument, int tag, const char* others) {
  base::fail(abi::ERR_TAG, fmt::format("{}={} is not valid: 0 to 2147483647{} are", argument, tag, others));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_count(const char* argument, MPI_Count count) {
  base::fail(abi::ERR_COUNT, fmt::format("{}={} is negative: a count is 0 or more", argument, count));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void too_large(const char* argument, MPI_Count count,
                                                             const objects::Datatype& type) {
  base::fail(abi::ERR_COUNT, fmt::format("{}={} elements of {} are more bytes than there can be in memory", argument,
                                         count, type.description()));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void bad_buffer(const char* argument, const void* buffer,
                                                              MPI_Count count) {
  base::fail(abi::ERR_BUFFER, fmt::format("{} is {}, but {} elements are to be transferred: pass their address",
                                          argument, buffer ? "MPI_IN_PLACE" : "null", count));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void uncommitted(const objects::Datatype& type) {
  base::fail(abi::ERR_TYPE,
             fmt::format("the datatype {} is not committed: call MPI_Type_commit first", type.description()));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void null_result(const char* argument) {
  base::fail(abi::ERR_ARG, fmt::format("{} is null: pass the address of a variable for the result", argument));
}

}  // namespace cold

inline void destination(const char* argument, int rank, const objects::Comm& comm) {
  if ((rank < 0 && rank != abi::PROC_NULL) || rank >= comm.peers()) [[unlikely]]
    cold::bad_rank(argument, rank, comm, " or MPI_PROC_NULL");
}
inline void source(const char* argument, int rank, const objects::Comm& comm) {
  if ((rank < 0 && rank != abi::PROC_NULL && rank != abi::ANY_SOURCE) || rank >= comm.peers()) [[unlikely]]
    cold::bad_rank(argument, rank, comm, ", MPI_ANY_SOURCE or MPI_PROC_NULL");
}
// A process that is there: neither wildcard nor MPI_PROC_NULL.
inline void member(const char* argument, int rank, const objects::Comm& comm) {
  if (rank < 0 || rank >= comm.peers()) [[unlikely]]
    cold::bad_rank(argument, rank, comm, "");
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
inline void send_tag(const char* argument, int tag) {
  if (tag < 0) [[unlikely]]
    cold::bad_tag(argument, tag, "");
}
inline void receive_tag(const char* argument, int tag) {
  if (tag < 0 && tag != abi::ANY_TAG) [[unlikely]]
    cold::bad_tag(argument, tag, " and MPI_ANY_TAG");
}

inline void not_null(const void* result, const char* argument) {
  if (!result) [[unlikely]]
    cold::null_result(argument);
}

inline bool in_place(const void* buffer) { return reinterpret_cast<std::uintptr_t>(buffer) == abi::IN_PLACE; }

// A buffer in which `count` elements are to be found, or put. What is null may be MPI_BOTTOM, if the type holds
// absolute addresses; no data lies in the first page.
inline void data(const char* argument, const void* address, MPI_Count count, const objects::Datatype& type) {
  constexpr std::uintptr_t kPage = 4096;
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (value > abi::IN_PLACE || count == 0 || type.size() == 0) [[likely]]
    return;
  if (value == abi::IN_PLACE || static_cast<std::uintptr_t>(type.true_lb()) < kPage)
    cold::bad_buffer(argument, address, count);
}

// Bytes of `count` elements in memory, where all types are contiguous.
inline std::size_t bytes(const char* argument, MPI_Count count, const objects::Datatype& type) {
  if (count < 0) [[unlikely]]
    cold::bad_count(argument, count);
  std::size_t product = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(count), type.extent(), &product) || product > PTRDIFF_MAX)
      [[unlikely]]
    cold::too_large(argument, count, type);
  if (!type.committed()) [[unlikely]]
    cold::uncommitted(type);
  return product;
}

// The same, for a buffer that must be there unless it is empty.
inline std::size_t buffer(const char* argument, const void* address, MPI_Count count, const objects::Datatype& type,
                          const char* count_argument = "count") {
  const std::size_t size = bytes(count_argument, count, type);
  if (reinterpret_cast<std::uintptr_t>(address) <= abi::IN_PLACE && size != 0) [[unlikely]]
    cold::bad_buffer(argument, address, count);
  return size;
}

}  // namespace antiphon::api::check
