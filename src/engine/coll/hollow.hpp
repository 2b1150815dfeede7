// A sink for a rank that takes part in a collective without data, because its call has failed and others wait for it.
// It sends every message, but empty, and discards what it receives. So the regions of a plan need not exist.
#pragma once

#include "engine/coll/cost.hpp"

namespace antiphon::coll {

template <Sink S>
class Hollow {
 public:
  explicit Hollow(S& sink) : sink_(sink) {}

  [[nodiscard]] const View& view() const { return sink_.view(); }
  Token send(const Region&, Peer to) { return sink_.send({}, to); }
  Token receive(const Region&, Peer from) { return sink_.receive({}, from); }
  void await(Token token) { sink_.await(token); }
  void fence() { sink_.fence(); }
  void copy(const Region&, const Region&) {}
  void reduce(const Vector&, const Vector&, Reduction::Into) {}
  [[nodiscard]] std::byte* scratch(std::size_t) { return Counter::nowhere(); }

 private:
  S& sink_;
};

}  // namespace antiphon::coll
