// A sink that counts what a plan costs one process, and carries out nothing. Regions need not exist, so a plan for
// 131,072 ranks and gigabytes can be counted.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll {

struct Cost {
  int rounds = 0;  // how often the process waits for a message
  std::size_t sends = 0;
  std::size_t receives = 0;
  std::size_t bytes_sent = 0;
  std::size_t bytes_received = 0;
  std::size_t bytes_copied = 0;
  std::size_t elements_combined = 0;
  std::size_t scratch_bytes = 0;
};

class Counter {
 public:
  explicit Counter(const View& view) : view_(view) {}

  // An address for the arguments of a plan. Nothing may be read or written there.
  [[nodiscard]] static std::byte* nowhere() { return reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40); }

  [[nodiscard]] const View& view() const { return view_; }
  Token send(const Region& from, Peer) {
    ++cost_.sends;
    cost_.bytes_sent += from.bytes;
    return kSent;
  }
  Token receive(const Region& to, Peer) {
    ++cost_.receives;
    cost_.bytes_received += to.bytes;
    return static_cast<Token>(++receives_begun_);
  }
  // A wait for one message may be long enough for all receives that were begun before it, so it counts once for all.
  void await(Token token) {
    if (token == kSent || static_cast<std::uint32_t>(token) <= receives_awaited_) return;
    receives_awaited_ = static_cast<std::uint32_t>(token);
    ++cost_.rounds;
  }
  void fence() { await(static_cast<Token>(receives_begun_)); }
  void copy(const Region& from, const Region&) { cost_.bytes_copied += from.bytes; }
  void reduce(const Vector& left, const Vector&, Reduction::Into) { cost_.elements_combined += left.elements(); }
  [[nodiscard]] std::byte* scratch(std::size_t bytes) {
    cost_.scratch_bytes += bytes;
    return nowhere();
  }

  [[nodiscard]] const Cost& cost() const { return cost_; }

 private:
  static constexpr Token kSent{0};

  View view_;
  Cost cost_;
  std::uint32_t receives_begun_ = 0;
  std::uint32_t receives_awaited_ = 0;
};

}  // namespace antiphon::coll
