#include "engine/coll/boards/exchange_board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abi/constants.hpp"
#include "engine/coll/boards/title.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll {

void ExchangeRequest::start(objects::Comm& comm, const Exchange& what, const ExchangeBoard& board) {
  Request::start(comm);
  board_ = &board;
  what_ = what;
  std::visit([this](auto& exchange) { keep(exchange); }, what_);
}

void ExchangeRequest::keep(Vector& vector) {
  reduction_ = vector.reduction();
  vector = Vector(vector.first(), vector.elements(), *reduction_);
}
void ExchangeRequest::keep(AllgatherExchange& what) {
  keep(0, what.given);
  keep(1, what.all);
}
void ExchangeRequest::keep(AlltoallExchange& what) {
  keep(0, what.given);
  keep(1, what.in);
}
void ExchangeRequest::keep(int place, const Region& region) {
  if (region.in_one_piece()) [[likely]]
    return;
  types_[static_cast<std::size_t>(place)].fill(const_cast<objects::Datatype&>(*region.scattered.type));
}

void ExchangeRequest::end() {
  for (auto& type : types_) type.reset();
  finish_with_care();
}

base::WaitReason ExchangeRequest::reason() const { return board_->reason(); }

void ExchangeBoard::begin(ExchangeRequest& request) {
  request.title_ = std::visit([&](const auto& what) { return Title::of(++number_, what.agreed()); }, request.what_);
  unsaid_.push_back(request);
  advance();
}

bool ExchangeBoard::advance() {
  bool moved = say_what_can_be_said();
  while (!said_.empty() && all_have_come(said_.front())) {
    end_oldest();
    (void)say_what_can_be_said();
    moved = true;
  }
  return moved;
}

bool ExchangeBoard::say_what_can_be_said() {
  bool has_said = false;
  while (!unsaid_.empty()) {
    ExchangeRequest& next = unsaid_.front();
    const std::int64_t number = Title::number(next.title_);
    if (!may_write(number)) break;
    const Lines lines = lines_of(number);
    std::visit([&](const auto& what) { what.bring(lines.of(rank_)); }, next.what_);
    lines.say(rank_, next.title_);
    sleepers_.published();
    unsaid_.pop_front();
    said_.push_back(next);
    has_said = true;
  }
  return has_said;
}

// Whether all ranks have read what this rank had written into this line before.
bool ExchangeBoard::may_write(std::int64_t number) {
  if (all_finished_ >= number - BoardMemory::kLines) [[likely]]
    return true;
  std::int64_t least = BoardSeat::kLeft;
  for (int rank = 0; rank < memory_.ranks(); ++rank)
    least = std::min(least, memory_.seat(rank).finished.load(std::memory_order_acquire));
  all_finished_ = least;
  return all_finished_ >= number - BoardMemory::kLines;
}

bool ExchangeBoard::all_have_come(const ExchangeRequest& request) {
  const std::int64_t number = Title::number(request.title_);
  const Lines lines = lines_of(number);
  while (missing_ < memory_.ranks() && Title::number(lines.title(missing_)) >= number) ++missing_;
  return missing_ == memory_.ranks();
}

void ExchangeBoard::end_oldest() {
  ExchangeRequest& request = said_.front();
  const std::int64_t number = Title::number(request.title_);
  const Lines lines = lines_of(number);
  int rank = 0;
  while (rank < memory_.ranks() && lines.title(rank) == request.title_) ++rank;
  if (rank == memory_.ranks()) [[likely]]
    std::visit([&](const auto& what) { what.take(lines, rank_); }, request.what_);
  else
    fail(request, rank);
  missing_ = 0;
  said_.pop_front();
  if (number % (BoardMemory::kLines / 4) == 0) {
    memory_.seat(rank_).finished.store(number, std::memory_order_release);
    sleepers_.published();
  }
  request.end();
}

void ExchangeBoard::fail(ExchangeRequest& request, int rank) const {
  const std::int64_t theirs = lines_of(Title::number(request.title_)).title(rank);
  const std::string ours = Title::describe(request.title_);
  if (Title::operation(theirs) == Operation::none)
    return request.fail(abi::ERR_OTHER, fmt::format("rank {} of {} takes no part in {}: its call has failed", rank,
                                                    comm_.name(), ours));
  request.fail(abi::ERR_OTHER, fmt::format("rank {} of {} has begun {}, this rank {}: {}", rank, comm_.name(),
                                           Title::describe(theirs), ours, kAdvice));
}

void ExchangeBoard::announce_sleep() {
  using Deed = Awaited::Deed;
  sleep_announced_ = true;
  if (!said_.empty())
    sleepers_.announce({Deed::comes, missing_, memory_.ranks(), Title::number(said_.front().title_)});
  else
    sleepers_.announce(
        {Deed::finishes, 0, memory_.ranks(), Title::number(unsaid_.front().title_) - BoardMemory::kLines});
}

void ExchangeBoard::retract_sleep() {
  if (std::exchange(sleep_announced_, false)) sleepers_.retract();
}

base::WaitReason ExchangeBoard::reason() const {
  return {.communicator = comm_.name().c_str(), .peer = comm_.world_rank(std::min(missing_, memory_.ranks() - 1))};
}

}  // namespace antiphon::coll
