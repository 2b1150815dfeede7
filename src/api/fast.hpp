// What most calls of the most frequent procedures come to, when all is as usual. An entry point asks here first: true
// means that the call is done; false that nothing has happened and it has to go the long way, which locks, checks
// every argument and reports errors. Nothing here may fail or wait, and what is here is for threads that are in MPI
// one at a time. For others there is api/beside.hpp.
#pragma once

#include "api/current.hpp"
#include "api/status.hpp"
#include "base/copy.hpp"
#include "mpi.h"

namespace antiphon::api {

// Null if the long way has to be gone.
inline process::Process* look_at_process() { return current.alone.load(std::memory_order_relaxed); }
inline const objects::Comm* look_at(MPI_Comm handle) {
  const process::Process* process = look_at_process();
  return process ? process->comms.find(reinterpret_cast<std::uintptr_t>(handle)) : nullptr;
}

inline bool try_comm_rank(MPI_Comm handle, int* rank) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !rank) return false;
  *rank = comm->rank();
  return true;
}

inline bool try_comm_size(MPI_Comm handle, int* size) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !size) return false;
  *size = comm->size();
  return true;
}

// A value that is there proves that its key lives; without one, the key has to be looked at.
inline bool try_comm_get_attr(MPI_Comm handle, int keyval, void* attribute_val, int* flag) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !attribute_val || !flag) return false;
  if (void* const* value = comm->attributes().find(keyval)) {
    *static_cast<void**>(attribute_val) = *value;
  } else {
    const int* predefined = look_at_process()->predefined_attribute(keyval);
    if (!predefined) return false;
    *static_cast<const void**>(attribute_val) = predefined;
  }
  *flag = 1;
  return true;
}

inline bool try_attr_get(MPI_Comm handle, int keyval, void* attribute_val, int* flag) {
  return try_comm_get_attr(handle, keyval, attribute_val, flag);
}

// ---- short messages

// The arguments of a message, if nothing about them is special.
struct PlainMessage {
  objects::Comm* comm;  // null: something is
  std::size_t bytes;
};
inline PlainMessage look_at_message(process::Process& process, const void* buf, int count, MPI_Datatype datatype,
                                    int peer, int tag, MPI_Comm handle) {
  objects::Comm* comm = process.comms.find(reinterpret_cast<std::uintptr_t>(handle));
  if (!comm) return {};
  const objects::Datatype* type = process.datatypes.find(reinterpret_cast<std::uintptr_t>(datatype));
  if (!type || type->plain_size() == objects::Datatype::kNotPlain) return {};
  if (static_cast<unsigned>(peer) >= static_cast<unsigned>(comm->peers()) || (tag | count) < 0) return {};
  if (reinterpret_cast<std::uintptr_t>(buf) <= abi::IN_PLACE) return {};
  return {comm, static_cast<std::size_t>(static_cast<unsigned>(count)) * type->plain_size()};
}

inline bool try_send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm handle) {
  process::Process* process = look_at_process();
  if (!process) return false;
  const PlainMessage message = look_at_message(*process, buf, count, datatype, dest, tag, handle);
  return message.comm &&
         process->pt2pt().try_short_send({buf, message.bytes, dest, tag, *message.comm, message.comm->context()});
}

inline bool try_isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm handle,
                      MPI_Request* request) {
  if (!request || !try_send(buf, count, datatype, dest, tag, handle)) return false;
  *request = reinterpret_cast<MPI_Request>(process::kCompletedRequest);
  return true;
}

inline bool try_irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
                      MPI_Request* request) {
  process::Process* process = look_at_process();
  if (!process || !request) return false;
  const PlainMessage message = look_at_message(*process, buf, count, datatype, source, tag, handle);
  if (!message.comm) return false;
  pt2pt::ReceiveRequest* const started =
      process->pt2pt().try_start_receive({buf, message.bytes, source, tag, *message.comm, message.comm->context()});
  if (!started) return false;
  *request = reinterpret_cast<MPI_Request>(process->requests.insert_owned(*started));
  return true;
}

// ---- requests

// Ends an operation that is over without an error.
[[gnu::noinline]] inline void end_plain(process::Process& process, MPI_Request* handle, const objects::Request& over,
                                        MPI_Status* status) {
  set_status(status, over.outcome);
  const auto value = reinterpret_cast<std::uintptr_t>(*handle);
  *handle = MPI_REQUEST_NULL;
  if (value >= objects::kPredefinedHandles) (void)process.requests.erase(value);
}

// In vain, mostly: programs ask again and again. What arrives, and what went wrong, is for the long way.
inline bool try_test(MPI_Request* request, int* flag, MPI_Status* status) {
  process::Process* process = look_at_process();
  if (!process || !request || !flag) return false;
  const objects::Request* tested = process->requests.find(reinterpret_cast<std::uintptr_t>(*request));
  if (!tested || tested->kind() >= objects::Request::Kind::generalized) return false;
  if (!tested->done()) {
    *flag = 0;
    return process->progress().is_quiet();
  }
  if (tested->outcome.error != 0) return false;
  *flag = 1;
  end_plain(*process, request, *tested, status);
  return true;
}

// ---- one-sided operations

// The two ends of a put or get, if all of it is one copy in this process's memory.
struct PlainTransfer {
  std::byte* local;  // null: it is not
  std::byte* remote;
  std::size_t bytes;
};
inline PlainTransfer look_at_transfer(const void* origin, int origin_count, MPI_Datatype origin_type, int target,
                                      MPI_Aint displacement, int target_count, MPI_Datatype target_type,
                                      MPI_Win handle) {
  process::Process* process = look_at_process();
  if (!process) return {};
  objects::Window* window = process->windows.find(reinterpret_cast<std::uintptr_t>(handle));
  const objects::Datatype* type = process->datatypes.find(reinterpret_cast<std::uintptr_t>(origin_type));
  if (!window || !type || origin_type != target_type || !type->in_one_piece()) return {};
  if (origin_count < 0 || origin_count != target_count || target < 0 || target >= window->comm().size()) return {};
  const objects::Window::Exposed& part = window->of(target);
  std::int64_t begin = 0, bytes = 0, end = 0;
  if (!part.here || displacement < 0 || __builtin_mul_overflow(displacement, part.disp_unit, &begin) ||
      __builtin_mul_overflow(origin_count, type->size(), &bytes) || __builtin_add_overflow(begin, bytes, &end) ||
      static_cast<std::uint64_t>(end) > part.bytes)
    return {};
  if (reinterpret_cast<std::uintptr_t>(origin) <= abi::IN_PLACE || !window->epochs().try_access(target)) return {};
  return {static_cast<std::byte*>(const_cast<void*>(origin)), part.here + begin, static_cast<std::size_t>(bytes)};
}

inline bool try_put(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  const PlainTransfer put = look_at_transfer(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                             target_count, target_datatype, win);
  if (!put.local) return false;
  base::copy_bytes(put.remote, put.local, put.bytes);
  return true;
}

inline bool try_get(void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  const PlainTransfer get = look_at_transfer(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                             target_count, target_datatype, win);
  if (!get.local) return false;
  base::copy_bytes(get.local, get.remote, get.bytes);
  return true;
}

}  // namespace antiphon::api
