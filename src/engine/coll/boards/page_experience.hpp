// Whether pages come from another rank faster if it writes them as ever, into the caches of its core, or past these,
// into memory. Cores that share a cache pass lines there; of cores far apart one takes several times as long for a
// line that the other has changed as for one from memory. Who reads them learns it from how long writing and reading
// take, and advises who writes them, who now and then writes a page the other way. Belongs to the Board; guarded by
// the lane's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace antiphon::coll {

enum class Written : std::uint8_t { as_ever, past_caches };

class PageExperience {
 public:
  // Of fewer bytes nothing is learned, and they are written as ever.
  static constexpr std::size_t kLeastBytes = 4096;

  [[nodiscard]] Written advice() const { return advice_; }
  // What writing and reading took together, in ns for a MiB.
  void learn(Written how, std::uint64_t cost);

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;

  struct Known {
    std::uint64_t cost = kUnknown, last = kUnknown;
  };
  [[nodiscard]] Known& known(Written how) { return known_[static_cast<std::size_t>(how)]; }

  std::array<Known, 2> known_;
  Written advice_ = Written::as_ever;
};

}  // namespace antiphon::coll
