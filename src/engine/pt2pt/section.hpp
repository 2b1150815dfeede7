// Where the receives and messages of some of the communicators meet, under a lock of their own: a process whose
// threads share MPI has several sections, so that threads on different communicators mostly do not meet; any other
// has one, whose lock is never touched. Belongs to PointToPoint. Order of locks: the lane's, if at all, then a
// section's.
#pragma once

#include <memory>
#include <vector>

#include "engine/pt2pt/matcher.hpp"
#include "objects/context.hpp"

namespace antiphon::pt2pt {

struct Section {
  explicit Section(bool shared) : receives(shared) {}
  [[nodiscard]] base::Lock& lock() { return receives.lock; }

  Matcher matcher;
  ReceivePool receives;
};

class Sections {
 public:
  explicit Sections(bool shared) {
    for (std::size_t i = 0; i < (shared ? kMany : 1); ++i) all_.push_back(std::make_unique<Section>(shared));
  }

  [[nodiscard]] Section& of(std::uint32_t context) const {
    return *all_[context / objects::kContextsEach % all_.size()];
  }
  // Where there is one only.
  [[nodiscard]] Section& only() const { return *all_.front(); }

 private:
  static constexpr std::size_t kMany = 16;
  std::vector<std::unique_ptr<Section>> all_;
};

}  // namespace antiphon::pt2pt
