// The arguments of sends, receives and probes, checked and turned into what the engine takes.
#pragma once

#include "api/bodies.hpp"
#include "api/check.hpp"
#include "process/process.hpp"

namespace antiphon::api {

// What a call names the arguments of its message: MPI_Sendrecv has two of them.
struct MessageNames {
  const char* buffer = "buf";
  const char* count = "count";
  const char* tag = "tag";
};

// The buffer need not be there when nothing is transferred (MPI 5.0, 3.10).
inline check::Message checked_message(const MessageNames& names, const void* buf, MPI_Count count,
                                      const objects::Datatype& type, int peer) {
  if (peer == abi::PROC_NULL) [[unlikely]]
    return {nullptr, check::bytes(names.count, count, type), {}};
  return check::message(names.buffer, buf, names.count, count, type);
}

inline pt2pt::Send checked_send(const void* buf, MPI_Count count, const objects::Datatype& type, int dest, int tag,
                                objects::Comm& comm, pt2pt::Mode mode = pt2pt::Mode::standard,
                                const MessageNames& names = {}) {
  check::destination("dest", dest, comm);
  check::send_tag(names.tag, tag);
  const check::Message message = checked_message(names, buf, count, type, dest);
  // Field by field, so that they stay in registers.
  return {message.buffer, message.bytes,     dest, tag,
          comm,           comm.user_space(), mode, {message.scattered.type, message.scattered.count}};
}

inline pt2pt::Receive checked_receive(void* buf, MPI_Count count, const objects::Datatype& type, int source, int tag,
                                      objects::Comm& comm, const MessageNames& names = {}) {
  check::source("source", source, comm);
  check::receive_tag(names.tag, tag);
  const check::Message message = checked_message(names, buf, count, type, source);
  return {message.buffer,
          message.bytes,
          source,
          tag,
          comm,
          comm.user_space(),
          {message.scattered.type, message.scattered.count}};
}

inline pt2pt::Envelope checked_envelope(int source, int tag, const objects::Comm& comm) {
  check::source("source", source, comm);
  check::receive_tag("tag", tag);
  return {comm.user_space(), source, tag};
}

// What the user gets for an operation: all sends that were over at once share one request.
inline MPI_Request handle_of(Process& process, objects::Ref<objects::Request> started) {
  if (!started) return reinterpret_cast<MPI_Request>(process::kCompletedRequest);
  return reinterpret_cast<MPI_Request>(process.requests.insert(std::move(started)));
}

}  // namespace antiphon::api
