#include "engine/pt2pt/send_buffer.hpp"

#include <numeric>

namespace antiphon::pt2pt {

// Reserves space after the newest message, as in a ring; if there is none, anywhere in the buffer.
SendBuffer::Messages::iterator SendBuffer::reserve(std::size_t bytes) {
  if (automatic_) {
    (void)reap();
    auto own = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::byte* const place = own.get();
    return messages_.insert(messages_.end(), Message{place, bytes, std::move(own)});
  }
  if (const auto found = reserve_before(next_, bytes); found != messages_.end()) return found;
  (void)reap();
  for (auto next = messages_.begin();; ++next) {
    if (const auto found = reserve_before(next, bytes); found != messages_.end()) return found;
    if (next == messages_.end()) return next;
  }
}

SendBuffer::Messages::iterator SendBuffer::reserve_before(Messages::iterator next, std::size_t bytes) {
  const auto before = next == messages_.begin() ? messages_.end() : std::prev(next);
  std::byte* const place = before == messages_.end() ? start_ : before->place + before->bytes;
  const std::byte* const end = next == messages_.end() ? start_ + bytes_ : next->place;
  if (static_cast<std::size_t>(end - place) < bytes) return messages_.end();
  const auto made = messages_.insert(next, Message{place, bytes});
  next_ = next;
  return made;
}

void SendBuffer::drop(Messages::iterator message) {
  if (next_ == message) ++next_;
  messages_.erase(message);
}

bool SendBuffer::reap() {
  for (auto message = messages_.begin(); message != messages_.end();) {
    const auto next = std::next(message);
    if (message->sending->done()) drop(message);
    message = next;
  }
  return messages_.empty();
}

std::size_t SendBuffer::taken() const {
  return std::accumulate(messages_.begin(), messages_.end(), std::size_t{0},
                         [](std::size_t sum, const Message& message) { return sum + message.bytes; });
}

std::vector<objects::Ref<objects::Request>> SendBuffer::under_way() const {
  std::vector<objects::Ref<objects::Request>> requests;
  for (const Message& message : messages_) requests.push_back(message.sending);
  return requests;
}

}  // namespace antiphon::pt2pt
