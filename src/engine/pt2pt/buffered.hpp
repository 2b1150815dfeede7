// Buffered sends, MPI 5.0, 3.6. They are complete when they return, because a message that cannot be sent at once
// is copied into a buffer that the program has attached to a communicator, to a session or to the process.
// Progress sends the messages in a buffer like any other. Belongs to the Process; the lane's lock protects it.
#pragma once

#include <unordered_map>

#include "engine/pt2pt/combined.hpp"
#include "engine/pt2pt/messages.hpp"
#include "engine/pt2pt/send_buffer.hpp"

namespace antiphon::pt2pt {

class BufferedSends {
 public:
  // What a buffer is attached to: a communicator, a session, or the process (null).
  using Owner = const void*;

  BufferedSends(Messages& engine, Combined& combined, progress::Progress& progress)
      : engine_(engine), combined_(combined), progress_(progress) {}

  // Returns false if the owner has a buffer already.
  [[nodiscard]] bool attach(Owner owner, std::unique_ptr<SendBuffer> buffer);
  // Waits until all messages in the buffer have been sent. Null if the owner has none.
  [[nodiscard]] std::unique_ptr<SendBuffer> detach(Owner owner);
  // Whether all buffers are empty.
  [[nodiscard]] bool all_gone();
  // Waits until the messages that are in the buffer now have been sent.
  void flush(Owner owner, objects::Comm& comm);
  [[nodiscard]] objects::Ref<objects::Request> start_flush(Owner owner, objects::Comm& comm);

  // Uses the buffer of the first owner that has one. Fails if none has one, or if that buffer has no room.
  void send(const Send& send, std::initializer_list<Owner> owners);

 private:
  [[nodiscard]] SendBuffer* find(Owner owner);
  void send_through(const Send& send, SendBuffer& buffer);

  Messages& engine_;
  Combined& combined_;
  progress::Progress& progress_;
  std::unordered_map<Owner, std::unique_ptr<SendBuffer>> attached_;
};

}  // namespace antiphon::pt2pt
