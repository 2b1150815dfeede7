// A sink that records the steps of a plan, for somebody who carries them out later, once or many times: nonblocking
// and persistent collectives, and agreements, which progress continues. A recorded plan owns its scratch memory, and
// has references to the datatypes and operations that it names.
#pragma once

#include <forward_list>
#include <memory>
#include <variant>
#include <vector>

#include "engine/coll/sink.hpp"

namespace antiphon::coll {

struct SendStep {
  Region from;
  Peer to;
};
struct ReceiveStep {
  Region to;
  Peer from;
};
struct AwaitStep {
  Token token;
};
struct FenceStep {};
struct CopyStep {
  Region from, to;
};
struct ReduceStep {
  Vector left, right;
  Reduction::Into into;
};
using Step = std::variant<SendStep, ReceiveStep, AwaitStep, FenceStep, CopyStep, ReduceStep>;

// Can be carried out many times, but not twice at the same time.
class Plan {
 public:
  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  friend class Recorder;
  std::vector<Step> steps_;
  std::forward_list<Reduction> reductions_;  // steps point to them
  std::vector<objects::Ref<objects::Datatype>> types_;
  std::vector<objects::Ref<objects::Op>> operations_;
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
};

class Recorder {
 public:
  explicit Recorder(const View& view) : view_(view) { plan_.steps_.reserve(kFew); }

  [[nodiscard]] const View& view() const { return view_; }
  Token send(const Region& from, Peer to) {
    keep_type(from);
    plan_.steps_.emplace_back(SendStep{from, to});
    return static_cast<Token>(begun_++);
  }
  Token receive(const Region& to, Peer from) {
    keep_type(to);
    plan_.steps_.emplace_back(ReceiveStep{to, from});
    return static_cast<Token>(begun_++);
  }
  void await(Token token) { plan_.steps_.emplace_back(AwaitStep{token}); }
  void fence() {
    if (begun_ != 0) plan_.steps_.emplace_back(FenceStep{});
    begun_ = 0;
  }
  void copy(const Region& from, const Region& to) {
    keep_type(from);
    keep_type(to);
    plan_.steps_.emplace_back(CopyStep{from, to});
  }
  void reduce(const Vector& left, const Vector& right, Reduction::Into into);
  [[nodiscard]] std::byte* scratch(std::size_t bytes) {
    return plan_.scratch_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).get();
  }

  [[nodiscard]] Plan take() { return std::move(plan_); }

 private:
  static constexpr std::size_t kFew = 16;

  void keep_type(const Region& region) {
    if (region.scattered) keep(*region.scattered.type);
  }
  void keep(const objects::Datatype& type);

  View view_;
  Plan plan_;
  std::uint32_t begun_ = 0;           // since the last fence
  const Reduction* known_ = nullptr;  // the caller's; the plan has a copy of it
};

}  // namespace antiphon::coll
