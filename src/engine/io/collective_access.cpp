#include "engine/io/collective_access.hpp"

#include <algorithm>
#include <array>

namespace antiphon::io {

using objects::FileView;

namespace {

// Longer runs are written and read at the speed of memory by whoever has them.
constexpr std::int64_t kLongRun = std::int64_t{16} << 10;
// Aggregators go through all windows between the first byte and the last, so these must not be nearly empty.
constexpr std::int64_t kMostSparse = 16;

// The number of runs, as the first of them suggest it.
std::int64_t estimated_runs(const FileView& view, std::int64_t position, std::int64_t bytes) {
  if (bytes == 0 || view.is_contiguous()) return 1;
  std::array<FileView::Run, 64> runs;
  std::int64_t covered = 0;
  const auto count = static_cast<std::int64_t>(view.runs(position, bytes, runs, &covered));
  return std::max<std::int64_t>(count, bytes / std::max<std::int64_t>(covered / count, 1));
}

// What lies between the first byte and the last; some span must not be empty.
Span around(const std::vector<Span>& spans) {
  Span whole{INT64_MAX, 0};
  for (const Span& span : spans)
    if (!span.empty()) whole = {std::min(whole.first, span.first), std::max(whole.end, span.end)};
  return whole;
}

// Whether some rank's bytes lie between those of another.
bool are_interleaved(std::vector<Span> spans) {
  std::erase_if(spans, [](const Span& span) { return span.empty(); });
  std::ranges::sort(spans, {}, &Span::first);
  for (std::size_t i = 1; i < spans.size(); ++i)
    if (spans[i].first < spans[i - 1].end) return true;
  return false;
}

}  // namespace

CollectiveAccess::CollectiveAccess(const Tools& tools, FileState& state, Arguments arguments, When when)
    : tools_(tools),
      state_(state),
      arguments_(std::move(arguments)),
      when_(when),
      view_(state.file().view_ref()),
      stored_(state.stored()),
      access_{.file = stored_.get(),
              .view = view_.get(),
              .position = arguments_.position,
              .memory = arguments_.memory,
              .is_atomic = state.file().is_atomic(),
              .tuning = state.tuning()},
      opening_(tools_.meetings, state.file().comm(), when),
      closing_(tools_.meetings, state.file().comm(), when) {}

const objects::Request* CollectiveAccess::awaited() const {
  if (alone_) return alone_->done() ? nullptr : alone_.get();
  if (awaited_ && !awaited_->done()) return awaited_.get();
  if (stage_ == Stage::choose) return opening_.awaited();
  if (stage_ == Stage::move && two_phases_) return two_phases_->awaited();
  return stage_ == Stage::over ? closing_.awaited() : nullptr;
}

bool CollectiveAccess::advance() {
  while (!awaited()) {
    switch (stage_) {
      case Stage::announce:
        opening_.begin(arguments_.failure, announcement());
        stage_ = Stage::choose;
        break;
      case Stage::choose:
        if (opening_.advance()) choose();
        break;
      case Stage::place:
        find_place();
        break;
      case Stage::move:
        move();
        break;
      case Stage::conclude:
        closing_.begin(failure_);
        stage_ = Stage::over;
        break;
      case Stage::over:
        if (closing_.advance()) return true;
    }
  }
  return false;
}

CollectiveAccess::Announcement CollectiveAccess::announcement() const {
  const std::int64_t bytes = arguments_.failure ? 0 : access_.memory.bytes;
  Announcement mine{.bytes = bytes,
                    .runs = 1,
                    .span = {},
                    .ascends = view_->is_ascending() ? 1 : 0,
                    .is_atomic = access_.is_atomic ? 1 : 0};
  if (bytes == 0 || arguments_.place == Place::ordered || !view_->is_ascending()) return mine;
  mine.runs = estimated_runs(*view_, access_.position, bytes);
  mine.span = {view_->offset_of(access_.position), view_->offset_of(access_.position + bytes - 1) + 1};
  return mine;
}

void CollectiveAccess::choose() {
  all_.reserve(static_cast<std::size_t>(comm().size()));
  for (int rank = 0; rank < comm().size(); ++rank) all_.push_back(opening_.told_by<Announcement>(rank));
  if (opening_.failure()) {
    failure_ = opening_.failure();
    stage_ = Stage::conclude;
    return;
  }
  if (arguments_.place == Place::ordered) {
    std::int64_t etypes = 0;
    for (const Announcement& each : all_) etypes += each.bytes / view_->etype_bytes();
    if (comm().rank() == 0) base_ = state_.shared_pointer().fetch_and_add(etypes);
    awaited_ = tools_.meetings.bcast(&base_, sizeof base_, 0, comm(), when_);
    stage_ = Stage::place;
    return;
  }
  stage_ = Stage::move;
  if (!pays_in_two_phases()) return access_alone();
  std::vector<Span> spans;
  for (const Announcement& each : all_) spans.push_back(each.span);
  const Span whole = around(spans);
  const int most = state_.manner().aggregators == 0 ? tools_.most_aggregators : state_.manner().aggregators;
  two_phases_.emplace(TwoPhases::Tools{tools_.messages, tools_.background, state_.buffers()}, arguments_.direction,
                      access_, state_.file(), when_, std::move(spans),
                      Domains(whole, most, state_.manner().buffer_bytes, comm().size()));
}

bool CollectiveAccess::pays_in_two_phases() const {
  const Manner::Phases phases =
      arguments_.direction == Direction::read ? state_.manner().read : state_.manner().write;
  std::int64_t bytes = 0, runs = 0;
  std::vector<Span> spans;
  for (const Announcement& each : all_) {
    if (each.ascends == 0 || each.is_atomic != 0) return false;
    bytes += each.bytes;
    runs += each.bytes == 0 ? 0 : each.runs;
    spans.push_back(each.span);
  }
  if (bytes == 0 || phases == Manner::Phases::one) return false;
  if (phases == Manner::Phases::always_two) return true;
  const Span whole = around(spans);
  return comm().size() > 1 && bytes / runs < kLongRun && (whole.end - whole.first) / kMostSparse <= bytes &&
         are_interleaved(std::move(spans));
}

void CollectiveAccess::find_place() {
  awaited_.reset();
  access_.position = base_ * view_->etype_bytes();
  for (int rank = 0; rank < comm().rank(); ++rank) access_.position += all_[static_cast<std::size_t>(rank)].bytes;
  stage_ = Stage::move;
  try {
    view_->need_reachable(access_.position, access_.memory.bytes);
    access_alone();
  } catch (base::Error& error) {
    failure_ = std::move(error);
    stage_ = Stage::conclude;
  }
}

void CollectiveAccess::access_alone() {
  if (when_ == When::later) {
    alone_ = FileRequestRef::adopt(new FileRequest(state_.file()));
    tools_.background.start(alone_, [this] { return carry_out(arguments_.direction, access_); });
    return;
  }
  stage_ = Stage::conclude;
  try {
    moved_ = carry_out(arguments_.direction, access_);
  } catch (base::Error& error) {
    failure_ = std::move(error);
  }
}

void CollectiveAccess::move() {
  if (alone_) {
    moved_ = alone_->outcome.bytes;
    if (alone_->outcome.error != 0) failure_ = base::Error{alone_->outcome.error, *alone_->error_text};
    alone_.reset();
  } else {
    if (!two_phases_->advance()) return;
    moved_ = two_phases_->moved();
    failure_ = two_phases_->failure();
  }
  stage_ = Stage::conclude;
}

}  // namespace antiphon::io
