#include "engine/coll/executor.hpp"

#include "base/make_room.hpp"

namespace antiphon::coll {

Executor::More& Executor::more() {
  if (!more_) more_ = std::make_unique<More>();
  return *more_;
}

void Executor::reduce_by_user(const Vector& left, const Vector& right, Reduction::Into into) {
  try {
    reduce_now(progress_, left, right, into);
  } catch (base::Error& thrown) {
    tell_cause(meeting_.comm(), said_of_itself(meeting_.comm(), thrown), progress_);
    note_failure(std::move(thrown));
  }
}

void Executor::note_failure(base::Error error) {
  if (!goes_on_ || !survives_errors(meeting_.comm())) throw error;
  More& noted = progress_.insist([this]() -> More& { return more(); });
  if (!noted.failure) noted.failure = std::move(error);
}

// What is there from before the last fence is over.
void Executor::make_more_room() {
  more().begun.resize(begun_ - kFew);
  base::make_room(more_->begun);
}
void Executor::add_to_more(std::size_t index, const UnderWay& message) {
  more_->begun.resize(index);
  more_->begun.push_back(message);
}

void Executor::wait_for_all() {
  for (std::size_t i = 0; i < begun_; ++i)
    if (const UnderWay& message = at(i); message.request) {
      progress_.wait(*message.request);
      objects::Ref<objects::Request>::adopt(message.request).reset();
    }
}

std::byte* Executor::far_scratch(std::size_t bytes) {
  return progress_.insist(
      [&] { return more().scratch.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).get(); });
}

}  // namespace antiphon::coll
