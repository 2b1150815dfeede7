// Fast paths of the most frequent procedures, for the usual case. An entry point calls the function here first.
// True: the call is done. False: nothing has happened, and the entry point continues with the full path, which
// takes the lane, checks every argument and reports errors. Nothing here fails, and functions that wait give up
// after a while.
//
// Short messages have one path whatever threads do: sections (pt2pt/section.hpp) protect what they use by locks of
// their own, which are never taken where one thread at a time calls MPI. All other functions here read what the
// lane protects, so they are only for processes in which one thread at a time calls MPI.
#pragma once

#include "api/pt2pt/status.hpp"
#include "api/windows/short_windows.hpp"

namespace antiphon::api {

inline bool try_comm_rank(MPI_Comm handle, int* rank) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !is_address(rank)) return false;
  *rank = comm->rank();
  return true;
}

inline bool try_comm_size(MPI_Comm handle, int* size) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !is_address(size)) return false;
  *size = comm->size();
  return true;
}

// If the communicator has a value for the key, the key is valid. Otherwise it may be a predefined key; all other keys
// take the full path, which checks them.
inline bool try_comm_get_attr(MPI_Comm handle, int keyval, void* attribute_val, int* flag) {
  const objects::Comm* comm = look_at(handle);
  if (!comm || !is_address(attribute_val) || !is_address(flag)) return false;
  if (void* const* value = comm->attributes().find(keyval)) {
    *static_cast<void**>(attribute_val) = *value;
  } else {
    const int* predefined = look_at_process()->predefined_attribute(*comm, keyval);
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

// The decoded arguments of a message, if the fast path can take them.
struct PlainMessage {
  objects::Comm* comm;  // null: the fast path cannot take this message
  std::size_t bytes;
};
inline PlainMessage look_at_message(process::Process& process, const void* buf, int count, MPI_Datatype datatype,
                                    int peer, int tag, MPI_Comm handle) {
  objects::Comm* comm = process.comms.find(reinterpret_cast<std::uintptr_t>(handle));
  if (!comm) return {};
  const objects::Datatype* type = process.datatypes.find(reinterpret_cast<std::uintptr_t>(datatype));
  if (!type || type->plain_size() == objects::Datatype::kNotPlain) return {};
  if (static_cast<unsigned>(peer) >= static_cast<unsigned>(comm->peers()) || (tag | count) < 0) return {};
  if (!is_address(buf)) return {};
  return {comm, static_cast<std::size_t>(static_cast<unsigned>(count)) * type->plain_size()};
}

[[gnu::always_inline]] inline bool try_send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag,
                                            MPI_Comm handle) {
  process::Process* process = look_at_open_process();
  if (!process) return false;
  const PlainMessage message = look_at_message(*process, buf, count, datatype, dest, tag, handle);
  return message.comm && process->pt2pt().eager().try_send(
                             {buf, message.bytes, dest, tag, *message.comm, message.comm->user_space()});
}

inline bool try_isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm handle,
                      MPI_Request* request) {
  if (!is_address(request) || !try_send(buf, count, datatype, dest, tag, handle)) return false;
  *request = reinterpret_cast<MPI_Request>(process::kCompletedRequest);
  return true;
}

// Variants for processes in which several threads may call MPI at once. The requests here are receives that complete
// without the lane.
namespace shared {
bool try_irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
               MPI_Request* request) noexcept;
bool try_test(MPI_Request* request, int* flag, MPI_Status* status) noexcept;
bool try_wait(MPI_Request* request, MPI_Status* status) noexcept;
bool try_waitall(int count, MPI_Request requests[], MPI_Status* statuses) noexcept;
}  // namespace shared

inline bool try_irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
                      MPI_Request* request) {
  process::Process* process = look_at_process();
  if (!process) [[unlikely]]
    return threads_share_mpi() && shared::try_irecv(buf, count, datatype, source, tag, handle, request);
  if (!is_address(request)) return false;
  const PlainMessage message = look_at_message(*process, buf, count, datatype, source, tag, handle);
  if (!message.comm) return false;
  pt2pt::ReceiveRequest* const started = process->pt2pt().matching().start_at_once(
      {buf, message.bytes, source, tag, *message.comm, message.comm->user_space()});
  if (!started) return false;
  *request = reinterpret_cast<MPI_Request>(process->requests.open(*started));
  return true;
}

// ---- requests

inline bool may_get_status(const MPI_Status* status) { return status == MPI_STATUS_IGNORE || is_address(status); }

// Sets the status of an operation that completed without an error, and frees its request.
[[gnu::noinline]] inline void end_plain(process::Process& process, MPI_Request* handle, const objects::Request& over,
                                        MPI_Status* status) {
  set_status(status, over.outcome);
  const auto value = reinterpret_cast<std::uintptr_t>(*handle);
  *handle = MPI_REQUEST_NULL;
  if (value >= objects::kPredefinedHandles) (void)process.requests.erase(value);
}

// Usually the request is not complete yet, because programs test repeatedly. The full path takes over if a poll would
// find something, or if the operation failed.
inline bool try_test(MPI_Request* request, int* flag, MPI_Status* status) {
  process::Process* process = look_at_process();
  if (!process) [[unlikely]]
    return threads_share_mpi() && shared::try_test(request, flag, status);
  if (!is_address(request) || !is_address(flag)) return false;
  const objects::Request* tested = process->requests.find(reinterpret_cast<std::uintptr_t>(*request));
  if (!tested || tested->kind() >= objects::Request::Kind::generalized) return false;
  if (!tested->done()) {
    *flag = 0;
    return process->progress().is_quiet();
  }
  if (tested->outcome.error != 0 || !may_get_status(status)) return false;
  *flag = 1;
  end_plain(*process, request, *tested, status);
  return true;
}

inline bool try_wait(MPI_Request* request, MPI_Status* status) {
  return threads_share_mpi() && shared::try_wait(request, status);
}

inline bool try_waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
  return threads_share_mpi() && shared::try_waitall(count, requests, statuses);
}

}  // namespace antiphon::api
