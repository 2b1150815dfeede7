// The sink of blocking collectives: carries out each step at once. Lives on the stack of one call, and allocates no
// memory for short data.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/coll/cost.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll {

// Counts how much memory a plan will get from Executor::scratch().
class ScratchCounter : public Counter {
 public:
  using Counter::Counter;
  [[nodiscard]] std::byte* scratch(std::size_t bytes) {
    bytes_ += aligned(bytes);
    return nowhere();
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  [[nodiscard]] static std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t kAlignment = alignof(std::max_align_t);
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

 private:
  std::size_t bytes_ = 0;
};

class Executor {
 public:
  Executor(pt2pt::Messages& pt2pt, progress::Progress& progress, objects::Comm& comm)
      : pt2pt_(pt2pt), progress_(progress), meeting_(everybody(comm)) {}
  Executor(pt2pt::Messages& pt2pt, progress::Progress& progress, const Meeting& meeting)
      : pt2pt_(pt2pt), progress_(progress), meeting_(meeting) {}
  // The rest of a plan is carried out even after a message whose length does not match, or after a user's function
  // has thrown, because others wait for this rank's part in it; but not if errors end the program. What this rank
  // sends from then on is empty, so every rank whose result depends on it learns of the error.
  void go_on_after_mismatches() { goes_on_ = true; }
  // Provides `bytes` bytes for scratch() before a plan begins, because a plan must not run out of memory in its
  // middle. If there is no memory, the plan has failed, and is carried out without data, because others wait for this
  // rank's part.
  void provide(std::size_t bytes);
  // At the end of such a plan: throws the first error.
  void finish() {
    if (has_failed()) [[unlikely]]
      throw std::move(*more_->failure);
  }
  // Messages that are still under way use memory that the call is about to release. Only a plan that was left by an
  // exception has such messages.
  ~Executor() {
    if (begun_ != 0) [[unlikely]]
      wait_for_all();
  }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  [[nodiscard]] const View& view() const { return meeting_.view; }

  Token send(const Region& from, Peer to) {
    return add(begin_send(pt2pt_, meeting_, has_failed() ? Region{} : from, to));
  }
  Token receive(const Region& to, Peer from) {
    return add(begin_receive(pt2pt_, meeting_, has_no_data() ? Region{} : to, from));
  }
  void await(Token token) {
    if (token != kOver) settle(at(static_cast<std::size_t>(token)));
  }
  void fence() {
    for (std::size_t i = 0; i < begun_; ++i) settle(at(i));
    begun_ = 0;
  }
  void copy(const Region& from, const Region& to) {
    if (!has_no_data()) [[likely]]
      coll::copy(from, to);
  }
  void reduce(const Vector& left, const Vector& right, Reduction::Into into) {
    if (has_failed()) [[unlikely]]
      return;
    if (left.reduction().runs_user_code()) [[unlikely]]
      return reduce_by_user(left, right, into);
    left.reduction()(left.first(), right.first(), left.elements(), into);
  }
  [[nodiscard]] std::byte* scratch(std::size_t bytes) {
    if (bytes > sizeof near_ - near_used_) [[unlikely]]
      return far_scratch(bytes);
    std::byte* const room = near_.data() + near_used_;
    near_used_ += ScratchCounter::aligned(bytes);
    return room;
  }

 private:
  static constexpr std::size_t kFew = 4, kNear = 256;

  // A message, with a reference to its request; null when the message is over. Not initialized before that message
  // begins, so that a short plan sets up no more than it uses.
  struct UnderWay {
    objects::Request* request;
    std::size_t expected;
  };
  // What only longer plans, and failed ones, need.
  struct More {
    std::vector<UnderWay> begun;
    std::vector<std::unique_ptr<std::byte[]>> scratch;
    std::span<std::byte> provided;  // the rest of the memory that provide() has allocated
    bool has_no_data = false;
    std::optional<base::Error> failure;
  };
  static constexpr Token kOver{~std::uint32_t{0}};

  Token add(Begun message) {
    if (!message.request) return kOver;
    const std::size_t token = begun_++;
    const UnderWay noted{message.request.let_go(), message.expected};
    if (token < kFew) [[likely]]
      few_[token] = noted;
    else
      add_to_more(token - kFew, noted);
    return static_cast<Token>(token);
  }
  [[nodiscard]] UnderWay& at(std::size_t token) {
    if (token < kFew) [[likely]]
      return few_[token];
    return more_->begun[token - kFew];
  }
  void settle(UnderWay& message) {
    if (!message.request) return;
    progress_.wait(*message.request);
    const Begun over{objects::Ref<objects::Request>::adopt(std::exchange(message.request, nullptr)),
                     message.expected};
    if (!went_well(over) && !has_failed()) [[unlikely]]  // others may be reading the first cause
      note_failure(failure_of(over, progress_));
  }
  [[nodiscard]] bool has_failed() const { return more_ && more_->failure; }
  [[nodiscard]] bool has_no_data() const { return more_ && more_->has_no_data; }
  [[gnu::cold]] void note_failure(base::Error error);
  void reduce_by_user(const Vector& left, const Vector& right, Reduction::Into into);
  void add_to_more(std::size_t index, const UnderWay& message);
  [[gnu::cold]] void wait_for_all();
  [[nodiscard]] More& more();
  [[nodiscard]] std::byte* far_scratch(std::size_t bytes);

  pt2pt::Messages& pt2pt_;
  progress::Progress& progress_;
  Meeting meeting_;
  std::size_t begun_ = 0;  // since the last fence
  std::size_t near_used_ = 0;
  bool goes_on_ = false;
  std::unique_ptr<More> more_;
  std::array<UnderWay, kFew> few_;
  alignas(std::max_align_t) std::array<std::byte, kNear> near_;
};

}  // namespace antiphon::coll
