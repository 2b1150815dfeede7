// Learns which method moves long messages fastest, from the messages themselves: for each sending process, each
// range of sizes, and separately for contiguous and scattered data. Each method is tried with a few messages, then
// the fastest is used. It is timed again now and then, so that a change is noticed, and the others are tried again
// when that is cheap compared with the time that has passed. A sample is the time from the first to the last
// message while only one method is in use, so streams and single messages count alike. Belongs to the Rendezvous;
// the lane's lock protects it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

namespace antiphon::pt2pt {

// Those that are learned about, in the order in which they are tried; then the one for what they do not take.
enum class WayName : std::uint8_t { pipes, streamed_pipes, direct, packets };
inline constexpr std::size_t kWays = 4;

using Clock = std::function<std::uint64_t()>;  // ns

// What is known of messages that are alike.
class Experience {
 public:
  Experience() = default;
  // What messages of the same kind from another process have taught is what to begin with.
  [[nodiscard]] static Experience like(const Experience& other);

  // The way that a message should take, other than those of which a bit in `refused` is set.
  [[nodiscard]] WayName pick(unsigned refused) const;
  // A message is about to take it. Nothing else happens before that is taken back or the message has begun.
  void begun(WayName way, const Clock& clock);
  // It does not lead there after all.
  void refused(WayName way);
  // What the other process should take for such messages from here, if some have come from there lately: then the two
  // directions slow each other down, and neither finds the fastest way while the other keeps to another.
  [[nodiscard]] std::optional<WayName> advice();
  // A message that took it is where it belongs.
  void ended(WayName way, std::size_t bytes, const Clock& clock);

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;
  static constexpr int kSamples = 3;           // of a trial, at least
  static constexpr unsigned kLongRun = 8;      // messages are a sample, though others are still under way
  static constexpr std::uint32_t kUnseen = 8;  // messages from look to look
  // A way is tried again after so many times the time that its last trial took. At first soon: pages were fresh.
  static constexpr std::int64_t kFirstPatience = 4, kLastPatience = 256;
  static constexpr std::uint32_t kLately = 128;            // messages the other way since the last from there
  static constexpr std::int64_t kRefusedFor = 10'000'000;  // ns

  struct Known {
    std::uint64_t cost = kUnknown;  // ns for a GiB
    std::int64_t until_trial = 0;   // ns
    std::int64_t patience = kFirstPatience;
    std::uint32_t under_way = 0;  // messages
  };
  struct Sample {
    std::uint64_t elapsed = 0;  // ns
    std::uint64_t messages = 0, bytes = 0;

    [[nodiscard]] std::uint64_t cost() const {
      return static_cast<std::uint64_t>(static_cast<double>(elapsed) / static_cast<double>(bytes) * (1 << 30));
    }
  };
  struct Trial {
    int samples = 0;
    std::uint64_t took = 0, messages = 0, bytes = 0;
    std::uint64_t best = kUnknown;
  };

  static constexpr std::size_t kLearned = kWays - 1;

  [[nodiscard]] Known& known(WayName way) { return known_[static_cast<std::size_t>(way)]; }
  [[nodiscard]] WayName fastest(unsigned refused) const;

  void measure_from(std::uint64_t now);
  void take_sample(std::uint64_t now);
  void learn_from_trial(const Sample& sample);
  void learn_from_look(const Sample& sample);
  void try_way(WayName way);
  void take_fastest();

  std::array<Known, kLearned> known_;
  std::uint32_t all_under_way_ = 0;
  WayName way_ = WayName::pipes;  // that is tried, or taken
  bool trying_ = true;
  bool measuring_ = false;
  std::uint64_t since_ = 0;  // when measuring began
  Sample sample_;            // what has ended since then
  Trial trial_;
  std::uint32_t until_look_ = 0;  // messages
  std::uint64_t last_look_ = kUnknown;
  std::uint32_t advised_ = kLately;
};

// Of all processes and sizes.
class Experiences {
 public:
  enum class Shape : std::uint8_t { one_piece, scattered };

  [[nodiscard]] Experience& of(int source, std::size_t bytes, Shape shape);
  // For messages to it.
  [[nodiscard]] std::optional<WayName> advice(int process, std::size_t bytes, Shape shape);

 private:
  // Each twice as long as the one before it.
  static constexpr std::size_t kRanges = 32, kKinds = 2 * kRanges;

  [[nodiscard]] static std::size_t kind_of(std::size_t bytes, Shape shape);

  std::unordered_map<std::uint64_t, Experience> known_;
  std::array<const Experience*, kKinds> latest_{};  // of each kind, whichever process it is about
};

}  // namespace antiphon::pt2pt
