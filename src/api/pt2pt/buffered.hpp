// Buffered sends, for blocking and persistent calls.
#pragma once

#include "process/process.hpp"

namespace antiphon::api {

// Through the buffer of the communicator, else of the session that it comes from, else of the process
// (MPI 5.0, 3.6).
inline void send_buffered(process::Process& process, const pt2pt::Send& send) {
  const objects::Session* session = process.sessions.find(send.comm.group().session());
  if (session)
    process.buffered().send(send, {&send.comm, session, nullptr});
  else
    process.buffered().send(send, {&send.comm, nullptr});
}

}  // namespace antiphon::api
