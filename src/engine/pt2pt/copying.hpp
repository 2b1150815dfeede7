// One side's state of a long message that is copied in parts directly from one process's memory to the other's. Batch
// copies parts of several messages in one system call, because a system call takes as long as copying ten thousand
// bytes.
#pragma once

#include <list>
#include <memory>

#include "engine/data/place.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::pt2pt {

// How a message is divided into parts. All have the same length except the last.
struct Parts {
  std::size_t bytes;
  std::size_t part_bytes;

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>((bytes + part_bytes - 1) / part_bytes);
  }
  [[nodiscard]] std::size_t offset(std::uint32_t part) const { return part * part_bytes; }
  [[nodiscard]] std::size_t length(std::uint32_t part) const { return std::min(part_bytes, bytes - offset(part)); }
};

// Where this process has mapped the peer's message: its first `bytes` bytes, or all of its memory if it is scattered.
// Null if this process has not mapped that. `address` is valid in the peer.
[[nodiscard]] std::byte* mapped_at(transport::PeerMemory& memory, std::uint64_t address,
                                   const data::Elsewhere* scattered, std::size_t bytes);

enum class Direction : std::uint8_t { read, write };  // from the peer's memory or to it

struct Copying {
  transport::PeerMemory* memory;
  std::byte* here;
  data::Scattered scattered_here;
  std::byte* there;  // if mapped, an address in this process; otherwise one in the peer, only for system calls
  std::shared_ptr<const data::Elsewhere> scattered_there;
  bool mapped;
  Parts parts;

  // `address` is valid in the peer.
  Copying(transport::PeerMemory& peer, std::byte* mine, const data::Scattered& my_layout, std::uint64_t address,
          std::shared_ptr<const data::Elsewhere> their_layout, Parts cut);

  // False if the system call failed.
  [[nodiscard]] bool move(Direction, std::size_t offset, std::size_t bytes) const;
  [[nodiscard]] bool move(Direction direction, std::uint32_t part) const {
    return move(direction, parts.offset(part), parts.length(part));
  }
  // Whether each part is one piece in both memories, so that a batch may contain it together with others.
  [[nodiscard]] bool goes_with_others() const { return !mapped && !scattered_here && !scattered_there; }
};

// Parts of several messages, all from or to one peer, that are copied together.
template <class Message>
class Batch {
 public:
  static constexpr std::size_t kMost = 8;

  struct Part {
    typename std::list<Message>::iterator message;
    std::uint32_t number;
    bool moved;  // after move(): false if the system call failed
  };

  // `most`: the most bytes of a batch of several parts.
  explicit Batch(std::size_t most) : most_(most) {}

  [[nodiscard]] bool has_room_for(const Copying& next) const {
    if (count_ == 0) return true;
    const Copying& first = *parts_[0].message;
    return count_ != kMost && first.goes_with_others() && next.goes_with_others() && first.memory == next.memory &&
           bytes_ + next.parts.part_bytes <= most_;
  }
  void add(typename std::list<Message>::iterator message, std::uint32_t part) {
    parts_[count_++] = {message, part, true};
    bytes_ += message->parts.length(part);
  }
  void move(Direction direction) {
    if (count_ > 1 && move_together(direction)) return;
    for (Part& part : *this) part.moved = part.message->move(direction, part.number);
  }
  [[nodiscard]] Part* begin() { return parts_.data(); }
  [[nodiscard]] Part* end() { return begin() + count_; }

 private:
  [[nodiscard]] bool move_together(Direction direction) {
    std::array<base::Piece, kMost> here, there;
    for (std::size_t i = 0; i < count_; ++i) {
      const Message& message = *parts_[i].message;
      const std::size_t offset = message.parts.offset(parts_[i].number);
      const std::size_t length = message.parts.length(parts_[i].number);
      here[i] = {message.here + offset, length};
      there[i] = {message.there + offset, length};
    }
    transport::PeerMemory& memory = *parts_[0].message->memory;
    const auto mine = std::span(here).first(count_), theirs = std::span(there).first(count_);
    return direction == Direction::read ? memory.read(mine, theirs, bytes_) : memory.write(mine, theirs, bytes_);
  }

  std::array<Part, kMost> parts_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  const std::size_t most_;
};

}  // namespace antiphon::pt2pt
