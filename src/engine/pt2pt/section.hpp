// Receives and unexpected messages of some of the communicators, under a lock of their own. A process in which
// several threads may call MPI has several sections, so that threads on different communicators rarely use the same
// one. Any other process has one, whose lock is never touched. Belongs to Matching. Lock order: first the lane, if it
// is needed, then a section's lock.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/counter.hpp"
#include "engine/pt2pt/matcher.hpp"
#include "objects/context.hpp"

namespace antiphon::pt2pt {

struct Section {
  Section(bool shared, const PrepareRequest& prepare, base::Counter& unexpected)
      : receives(shared, prepare), takes_care(shared), unexpected_(unexpected) {}
  [[nodiscard]] base::Lock& lock() { return receives.lock; }
  [[nodiscard]] bool shared() const { return receives.lock.shared(); }

  void hold(std::unique_ptr<Unexpected> message) {
    matcher.hold(std::move(message));
    if (!shared()) takes_care = true;
    unexpected_.add();
  }
  [[nodiscard]] std::unique_ptr<Unexpected> take(Unexpected& message) {
    std::unique_ptr<Unexpected> taken = matcher.take(message);
    if (!shared()) takes_care = matcher.has_unexpected();
    return taken;
  }

  Matcher matcher;
  ReceivePool receives;
  // Whether a receive needs more than posting. In a process with several threads it is always true, because the lock
  // must be taken; so threads may read it without the lock. Otherwise it is true while there are unexpected messages
  // to search.
  bool takes_care;

 private:
  base::Counter& unexpected_;
};

class Sections {
 public:
  Sections(bool shared, const PrepareRequest& prepare, base::Counter& unexpected) {
    const std::size_t own = shared ? kMost : 1;
    for (std::size_t i = 0; i < kMost; ++i)
      sections_[i] =
          i < own ? all_.emplace_back(std::make_unique<Section>(shared, prepare, unexpected)).get() : sections_[0];
  }

  [[nodiscard]] Section& of(objects::MessageSpace space) const { return *sections_[space.context() % kMost]; }

 private:
  static constexpr std::size_t kMost = 16;
  std::array<Section*, kMost> sections_{};  // all the same if there is only one
  std::vector<std::unique_ptr<Section>> all_;
};

}  // namespace antiphon::pt2pt
