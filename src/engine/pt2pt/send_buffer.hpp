// A buffer that the program has attached for buffered sends (MPI 5.0, 3.6), and the messages in it that have not
// been sent yet. A message takes as many bytes as it has; its record is stored elsewhere, so the
// MPI_BSEND_OVERHEAD that programs add for each message is not needed. Belongs to BufferedSends; the lane's lock
// protects it.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "objects/request.hpp"

namespace antiphon::pt2pt {

class SendBuffer {
 public:
  // Space of the user's.
  SendBuffer(std::byte* start, std::size_t bytes) : start_(start), bytes_(bytes) {}
  // As much as is needed (MPI_BUFFER_AUTOMATIC).
  SendBuffer() : automatic_(true) {}
  SendBuffer(const SendBuffer&) = delete;
  SendBuffer& operator=(const SendBuffer&) = delete;

  [[nodiscard]] bool automatic() const { return automatic_; }
  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Puts a message in: fill(place) writes its bytes, send(place) begins to send them and returns a request, or none
  // if they have gone already. False if there is no room.
  template <class Fill, class Send>
  [[nodiscard]] bool put(std::size_t bytes, Fill&& fill, Send&& send) {
    const auto message = reserve(bytes);
    if (message == messages_.end()) return false;
    fill(message->place);
    message->sending = send(message->place);
    if (!message->sending) drop(message);
    return true;
  }

  // Forgets what has gone. True if nothing is left.
  bool reap();
  // Of the space, how much is taken now; reap() before.
  [[nodiscard]] std::size_t taken() const;
  [[nodiscard]] std::vector<objects::Ref<objects::Request>> under_way() const;

 private:
  struct Message {
    std::byte* place;
    std::size_t bytes;
    std::unique_ptr<std::byte[]> own = {};  // of an automatic buffer
    objects::Ref<objects::Request> sending = {};
  };
  using Messages = std::list<Message>;

  Messages::iterator reserve(std::size_t bytes);
  Messages::iterator reserve_before(Messages::iterator next, std::size_t bytes);
  void drop(Messages::iterator message);

  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
  bool automatic_ = false;
  Messages messages_;                          // by place
  Messages::iterator next_ = messages_.end();  // before it the next message is tried first
};

}  // namespace antiphon::pt2pt
