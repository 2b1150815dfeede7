// How long messages should be moved: copied straight from memory to memory, or through the channel in packets. Which
// is faster depends on the machine (a virtual one may pay ten times as much for the same system call), on the size
// and on the day, so it is measured: each size's first messages go both ways, later ones the faster way, and now and
// then one goes the other way again. Belongs to PointToPoint.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace antiphon::pt2pt {

enum class Path : std::uint8_t { direct, packets };

class PathChoice {
 public:
  [[nodiscard]] Path choose(std::size_t bytes) noexcept {
    SizeClass& size = size_class(bytes);
    const std::uint32_t turn = size.chosen++;
    const bool explore = turn < 2 * kSamples || turn % kExploreEvery == 0;
    if (explore) return (turn / (turn < 2 * kSamples ? 1 : kExploreEvery)) % 2 == 0 ? Path::direct : Path::packets;
    return size.cost(Path::direct) <= size.cost(Path::packets) ? Path::direct : Path::packets;
  }

  // What one message took from its first byte to its last.
  void measured(Path path, std::size_t bytes, std::uint64_t ns) noexcept {
    Samples& samples = size_class(bytes).samples[static_cast<std::size_t>(path)];
    samples.ns_per_kib[samples.next++ % kSamples] = static_cast<float>(ns) * 1024 / static_cast<float>(bytes);
  }

 private:
  static constexpr std::size_t kSamples = 4;
  static constexpr std::uint32_t kExploreEvery = 256;

  // The last few; the best of them counts, since whatever disturbs a copy makes it longer.
  struct Samples {
    std::array<float, kSamples> ns_per_kib{};
    std::uint32_t next = 0;
  };
  struct SizeClass {
    std::array<Samples, 2> samples;
    std::uint32_t chosen = 0;

    [[nodiscard]] float cost(Path path) const noexcept {
      const auto& known = samples[static_cast<std::size_t>(path)].ns_per_kib;
      return *std::min_element(known.begin(), known.end());
    }
  };

  // One for each power of two.
  SizeClass& size_class(std::size_t bytes) noexcept {
    return sizes_[static_cast<std::size_t>(std::bit_width(bytes))];
  }

  std::array<SizeClass, 65> sizes_;
};

}  // namespace antiphon::pt2pt
