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

// The methods that move a long message. The first three are compared, and tried in this order; packets take what
// those refuse.
enum class WayName : std::uint8_t { pipes, streamed_pipes, direct, packets };
inline constexpr std::size_t kWays = 4;

using Clock = std::function<std::uint64_t()>;  // ns

// What is known about messages of one kind.
class Experience {
 public:
  Experience() = default;
  // Starts with what is known about messages of the same kind from another process.
  [[nodiscard]] static Experience like(const Experience& other);

  // The method that a message should use, except those whose bit in `refused` is set.
  [[nodiscard]] WayName pick(unsigned refused) const;
  // A message is about to use `way`. If the method refuses the message, refused() must follow before any other call.
  void begun(WayName way, const Clock& clock);
  // The method cannot move the message.
  void refused(WayName way);
  // The method that the other process should use for such messages from this one, if messages have come from it
  // lately. Both directions should use one method: they slow each other down, so neither would find the fastest
  // method while the other direction uses a different one.
  [[nodiscard]] std::optional<WayName> advice();
  // A message that used `way` has been received.
  void ended(WayName way, std::size_t bytes, const Clock& clock);

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;
  static constexpr int kSamples = 3;           // the least number of samples in a trial
  static constexpr unsigned kLongRun = 8;      // this many messages end a sample even if others are still under way
  static constexpr std::uint32_t kUnseen = 8;  // messages between two measurements of the method in use
  // A method is tried again after this many times the duration of its last trial; soon at first, because its pages
  // were fresh.
  static constexpr std::int64_t kFirstPatience = 4, kLastPatience = 256;
  static constexpr std::uint32_t kLately = 128;  // messages that get advice after the last message from there
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
  WayName way_ = WayName::pipes;  // the method that is tried or used
  bool trying_ = true;
  bool measuring_ = false;
  std::uint64_t since_ = 0;  // when measuring began
  Sample sample_;            // messages that have ended since then
  Trial trial_;
  std::uint32_t until_look_ = 0;  // messages
  std::uint64_t last_look_ = kUnknown;
  std::uint32_t advised_ = kLately;
};

// What is known about messages of all processes, sizes and shapes.
class Experiences {
 public:
  enum class Shape : std::uint8_t { one_piece, scattered };

  [[nodiscard]] Experience& of(int source, std::size_t bytes, Shape shape);
  // Advice for messages to `process`.
  [[nodiscard]] std::optional<WayName> advice(int process, std::size_t bytes, Shape shape);

 private:
  // Ranges of message sizes; each ends at twice the size of the one before.
  static constexpr std::size_t kRanges = 32, kKinds = 2 * kRanges;

  [[nodiscard]] static std::size_t kind_of(std::size_t bytes, Shape shape);

  std::unordered_map<std::uint64_t, Experience> known_;
  std::array<const Experience*, kKinds> latest_{};  // by kind; the one used last, of any process
};

}  // namespace antiphon::pt2pt
