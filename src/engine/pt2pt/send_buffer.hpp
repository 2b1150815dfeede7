// A buffer that the program has attached for buffered sends (MPI 5.0, 3.6), with the messages in it that have not
// been sent yet. A message takes only as many bytes as it has; its record is stored elsewhere, so the
// MPI_BSEND_OVERHEAD that programs add for each message stays free. Belongs to BufferedSends; the lane protects it.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

#include "objects/request.hpp"

namespace antiphon::pt2pt {

class SendBuffer {
 public:
  // The user's memory.
  SendBuffer(std::byte* start, std::size_t bytes) : start_(start), bytes_(bytes) {}
  // Allocates memory for each message (MPI_BUFFER_AUTOMATIC).
  SendBuffer() : automatic_(true) {}
  SendBuffer(const SendBuffer&) = delete;
  SendBuffer& operator=(const SendBuffer&) = delete;

  [[nodiscard]] bool automatic() const { return automatic_; }
  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Adds a message: fill(place) writes its bytes; send(place) starts to send them and returns a request, or null if
  // they have been sent already. False if there is no room.
  template <class Fill, class Send>
  [[nodiscard]] bool put(std::size_t bytes, Fill&& fill, Send&& send) {
    const auto message = reserve(bytes);
    if (message == messages_.end()) return false;
    fill(message->place);
    message->sending = send(message->place);
    if (!message->sending) drop(message);
    return true;
  }

  // Removes messages that have been sent. True if none are left.
  bool reap();
  // Bytes in use. Call reap() before.
  [[nodiscard]] std::size_t taken() const;
  [[nodiscard]] std::vector<objects::Ref<objects::Request>> under_way() const;

 private:
  struct Message {
    std::byte* place;
    std::size_t bytes;
    std::unique_ptr<std::byte[]> own = {};  // memory of a message in an automatic buffer
    objects::Ref<objects::Request> sending = {};
  };
  using Messages = std::list<Message>;

  Messages::iterator reserve(std::size_t bytes);
  Messages::iterator reserve_before(Messages::iterator next, std::size_t bytes);
  void drop(Messages::iterator message);

  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
  bool automatic_ = false;
  Messages messages_;                          // ordered by place
  Messages::iterator next_ = messages_.end();  // the next message is placed before this one, if it fits
};

}  // namespace antiphon::pt2pt
