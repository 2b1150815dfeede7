#include "engine/coll/executor.hpp"

#include <fmt/format.h>

#include <new>

namespace antiphon::coll {

Executor::More& Executor::more() {
  if (!more_) more_ = std::make_unique<More>();
  return *more_;
}

void Executor::reduce_by_user(const Vector& left, const Vector& right, Reduction::Into into) {
  try {
    reduce_now(meeting_.comm(), progress_, left, right, into);
  } catch (base::Error& thrown) {
    note_failure(std::move(thrown));
  }
}

void Executor::note_failure(base::Error error) {
  if (!goes_on_ || !survives_errors(meeting_.comm())) throw error;
  if (!more().failure) more_->failure = std::move(error);
}

// Drops messages from before the last fence, which are over.
void Executor::add_to_more(std::size_t index, const UnderWay& message) {
  more().begun.resize(index);
  more_->begun.push_back(message);
}

void Executor::wait_for_all() {
  for (std::size_t i = 0; i < begun_; ++i)
    if (const UnderWay& message = at(i); message.request) {
      progress_.wait(*message.request);
      objects::Ref<objects::Request>::adopt(message.request).reset();
    }
}

void Executor::provide(std::size_t bytes) {
  if (bytes <= sizeof near_) return;
  try {
    auto& made = more().scratch.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    more_->provided = {made.get(), bytes};
  } catch (const std::bad_alloc&) {
    base::Error failure{abi::ERR_NO_MEM,
                        fmt::format("out of memory for the {} bytes that this rank needs to take part: "
                                    "it has taken part without data, so other ranks have errors, too",
                                    bytes)};
    tell_cause(meeting_.comm(), said_of_itself(meeting_.comm(), failure), progress_);
    note_failure(std::move(failure));
    more_->has_no_data = true;
  }
}

std::byte* Executor::far_scratch(std::size_t bytes) {
  if (has_no_data()) return Counter::nowhere();
  std::span<std::byte>& provided = more().provided;
  const std::size_t room = ScratchCounter::aligned(bytes);
  if (room > provided.size())
    return more_->scratch.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).get();
  std::byte* const start = provided.data();
  provided = provided.subspan(room);
  return start;
}

}  // namespace antiphon::coll
