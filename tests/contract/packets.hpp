// Packets whose every byte follows from their number, and a receiving end that checks them: each next packet must be
// the next number, whole and unchanged.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "transport/dispatcher.hpp"

namespace antiphon::contract {

inline constexpr std::uint8_t kHandler = 31;          // the last: the whole table must work
inline constexpr std::uint8_t kNoise = kHandler - 1;  // of others, which nobody checks

inline transport::PacketHeader header_of(std::uint64_t number) {
  const auto low = static_cast<std::uint32_t>(number * 2654435761u);
  return {.handler = kHandler,
          .flags = static_cast<std::uint8_t>(number),
          .reserved = static_cast<std::uint16_t>(number >> 3),
          .context = low,
          .source = static_cast<std::int32_t>(low ^ 0x55555555u),
          .tag = static_cast<std::int32_t>(number),
          .word = {number, ~number}};
}

// Repeats after 64 KiB, so that the bytes of packet `number` are a window of one table.
inline const std::byte* content_of(std::uint64_t number, std::size_t bytes) {
  static constexpr std::size_t kPeriod = std::size_t{64} << 10;
  static const std::vector<std::byte> kTable = [] {
    std::vector<std::byte> table(kPeriod + (std::size_t{256} << 10) + 1);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    return table;
  }();
  const std::size_t start = number * 977 % kPeriod;
  EXPECT_LE(start + bytes, kTable.size());
  return kTable.data() + start;
}

class Checker {
 public:
  explicit Checker(int expected_source) : source_(expected_source) {
    dispatcher_.on<&Checker::take>(kHandler, *this);
    dispatcher_.on<&Checker::ignore>(kNoise, *this);
  }

  const transport::Dispatcher& dispatcher() const { return dispatcher_; }
  void on_lack_of_memory(std::function<void()> tell) { dispatcher_.on_lack_of_memory(std::move(tell)); }
  std::uint64_t taken() const { return taken_; }
  std::size_t last_bytes() const { return last_bytes_; }
  // Whether it takes the next packet; it may throw instead.
  std::function<bool(std::uint64_t number)> takes = [](std::uint64_t) { return true; };
  // What a handler does beyond checking: it may send.
  std::function<void(std::uint64_t number)> then = [](std::uint64_t) {};

 private:
  void ignore(int, const transport::PacketHeader&, transport::Payload) {}
  bool take(int source, const transport::PacketHeader& header, transport::Payload payload) {
    const transport::PacketHeader expected = header_of(taken_);
    EXPECT_EQ(source, source_);
    EXPECT_EQ(std::memcmp(&header, &expected, sizeof header), 0)
        << "expected packet " << taken_ << ", got packet " << header.word[0];
    const bool whole =
        payload.empty() || std::memcmp(payload.data(), content_of(taken_, payload.size()), payload.size()) == 0;
    EXPECT_TRUE(whole) << "packet " << taken_ << " of " << payload.size() << " bytes is damaged";
    if (!takes(taken_)) return false;
    last_bytes_ = payload.size();
    then(taken_++);
    return true;
  }

  int source_;
  transport::Dispatcher dispatcher_;
  std::uint64_t taken_ = 0;
  std::size_t last_bytes_ = 0;
};

// Counts packets by their source, with whatever header they come.
class Counter {
 public:
  explicit Counter(int sources) : taken_from_(static_cast<std::size_t>(sources)) {
    dispatcher_.on<&Counter::take>(0, *this);
  }
  const transport::Dispatcher& dispatcher() const { return dispatcher_; }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t taken_from(int source) const { return taken_from_[static_cast<std::size_t>(source)]; }

 private:
  void take(int source, const transport::PacketHeader&, transport::Payload) {
    ++taken_from_[static_cast<std::size_t>(source)];
    ++taken_;
  }

  transport::Dispatcher dispatcher_;
  std::uint64_t taken_ = 0;
  std::vector<std::uint64_t> taken_from_;
};

}  // namespace antiphon::contract
