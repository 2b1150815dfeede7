#include "engine/coll/replay.hpp"

#include <algorithm>

namespace antiphon::coll {

bool Replay::advance() {
  while (next_ < plan_.steps().size() && (!failure_ || goes_on_)) {
    if (!std::visit([this](const auto& step) { return carry_out(step); }, plan_.steps()[next_])) return false;
    ++next_;
  }
  if (!failure_) return true;
  if (!all_over()) return false;
  throw base::Error(std::move(*failure_));
}

bool Replay::carry_out(const SendStep& step) {
  begun_.push_back(begin_send(pt2pt_, meeting_, failure_ ? Region{} : step.from, step.to));
  return true;
}

bool Replay::carry_out(const ReceiveStep& step) {
  begun_.push_back(begin_receive(pt2pt_, meeting_, step.to, step.from));
  return true;
}

bool Replay::carry_out(const AwaitStep& step) { return is_over(begun_[static_cast<std::size_t>(step.token)]); }

bool Replay::carry_out(const FenceStep&) {
  if (!all_over()) return false;
  begun_.clear();
  return true;
}

bool Replay::carry_out(const CopyStep& step) {
  copy(step.from, step.to);
  return true;
}

bool Replay::carry_out(const ReduceStep& step) {
  if (failure_ && user_code_ == UserCodeIs::not_needed) return true;
  if (!step.left.reduction().runs_user_code()) {
    step.left.reduction()(step.left.first(), step.right.first(), step.left.elements(), step.into);
    return true;
  }
  if (user_code_ == UserCodeIs::not_needed) {
    user_code_ = UserCodeIs::queued;
    progress_.add(*this);
  }
  if (user_code_ == UserCodeIs::queued) return false;
  user_code_ = UserCodeIs::not_needed;
  return true;
}

void Replay::run() {
  const ReduceStep& step = reduction();
  step.left.reduction()(step.left.first(), step.right.first(), step.left.elements(), step.into);
}

void Replay::ran(std::exception_ptr thrown) {
  user_code_ = UserCodeIs::over;
  if (thrown && !failure_) failure_ = failure_of(reduction().left.reduction(), thrown);
}

bool Replay::is_over(Begun& message) {
  if (!message.request) return true;
  if (!message.request->done()) return false;
  const Begun over = std::move(message);
  if (!went_well(over) && !failure_) failure_ = failure_of(over, progress_);
  return true;
}

bool Replay::all_over() {
  return std::ranges::all_of(begun_, [this](Begun& message) { return is_over(message); });
}

progress::WaitReason Replay::reason() const {
  for (const Begun& message : begun_)
    if (message.request && !message.request->done()) return message.request->reason();
  return {};
}

objects::Ref<objects::Request> Replays::start(std::shared_ptr<const Plan> plan, objects::Comm& comm,
                                              std::int32_t tag) {
  auto request = objects::Ref<objects::Request>::adopt(
      new objects::Request(objects::Request::Kind::collective, objects::Ref<objects::Comm>::share(comm)));
  const Meeting meeting = everybody(comm, tag);
  if (advance(running_.emplace_back(*this, std::move(plan), request, meeting)))
    running_.pop_back();
  else
    has_begun();
  return request;
}

const Replay* Replays::oldest_of(std::uintptr_t session) const {
  const auto found = std::ranges::find(
      running_, session, [](const Running& running) { return running.request->comm().group().session(); });
  return found == running_.end() ? nullptr : &found->replay;
}

bool Replays::push() {
  return std::erase_if(running_, [](Running& running) { return advance(running); }) != 0;
}

bool Replays::advance(Running& running) {
  try {
    if (!running.replay.advance()) return false;
  } catch (base::Error& error) {  // for whoever waits for the request, not for the call that happens to make progress
    running.request->fail(error.error_class, std::move(error.message));
  }
  running.request->complete();
  return true;
}

}  // namespace antiphon::coll
