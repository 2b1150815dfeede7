// Which way of moving bulk bytes is the fastest, learned from messages as they happen: for each range of sizes, and
// by itself for what is in one piece and what is not. Each way is tried with a few messages, then the fastest is
// taken, and now and then all are tried again. What is measured is how long messages take while only one way is under
// way, from the first of them to the last, so streams and single messages count alike; nothing is measured in
// between. Belongs to the Rendezvous; guarded by the lane's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace antiphon::pt2pt {

// In the order in which they are tried.
enum class WayName : std::uint8_t { pipes, direct, packets };
inline constexpr std::size_t kWays = 3;

using Clock = std::function<std::uint64_t()>;  // ns

// What is known of messages that are alike.
class Experience {
 public:
  // The way that a message should take, other than those of which a bit in `refused` is set. One at least is not.
  [[nodiscard]] WayName pick(unsigned refused);
  // A message is about to take it. Nothing else happens before that is taken back or the message has begun.
  void begun(WayName way, const Clock& clock);
  // It does not lead there after all.
  void refused(WayName way);
  // A message that took it is where it belongs.
  void ended(WayName way, std::size_t bytes, const Clock& clock);

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;
  static constexpr int kSamples = 3;       // of each way; the first of them finds cold caches and fresh pages
  static constexpr unsigned kLongRun = 8;  // messages are a sample, though others are still under way
  // Messages from trial to trial.
  static constexpr std::uint32_t kFirstInterval = 1024, kLastInterval = 1u << 16;
  // So many times as slow as another one, before and still, a way is not tried any longer.
  static constexpr std::uint64_t kHopeless = 2;
  // What passes between two samples, unless it is so many times as long as these, is time of theirs: most likely
  // messages went the other way, which the same way of moving them slowed down.
  static constexpr std::uint64_t kShortPause = 2;

  void try_all();
  void try_next();
  void measure_from_now(const Clock& clock);
  void take_sample(std::uint64_t now);
  [[nodiscard]] std::uint64_t& cost(WayName way) { return cost_[static_cast<std::size_t>(way)]; }
  [[nodiscard]] std::uint32_t& under_way(WayName way) { return under_way_[static_cast<std::size_t>(way)]; }

  std::array<std::uint64_t, kWays> cost_{kUnknown, kUnknown, kUnknown};  // ns for a GiB
  std::array<std::uint32_t, kWays> under_way_{};                         // messages
  std::uint32_t all_under_way_ = 0;
  WayName way_ = WayName::pipes;  // that is tried, or that was the fastest
  bool trying_ = true;
  int samples_ = 0;                   // of the way that is tried
  std::uint64_t fastest_ = kUnknown;  // of these
  std::uint32_t left_ = 0;            // messages until all are tried again
  std::uint32_t interval_ = kFirstInterval;
  std::uint64_t pause_ = 0;  // from the last sample to the first message of this one
  // Since then:
  std::uint64_t since_ = 0;
  std::uint32_t messages_ = 0;
  std::uint64_t bytes_ = 0;
};

// Of all sizes.
class Experiences {
 public:
  enum class Shape : std::uint8_t { one_piece, scattered };

  [[nodiscard]] Experience& of(std::size_t bytes, Shape shape) {
    return ranges_[static_cast<std::size_t>(shape)][range_of(bytes)];
  }

 private:
  // Each twice as long as the one before it.
  static constexpr std::size_t kRanges = 32;
  static std::size_t range_of(std::size_t bytes);

  std::array<std::array<Experience, kRanges>, 2> ranges_;
};

}  // namespace antiphon::pt2pt
