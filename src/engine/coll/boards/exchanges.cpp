#include "engine/coll/boards/exchanges.hpp"

#include <algorithm>

#include "base/make_room.hpp"

namespace antiphon::coll {

objects::Ref<objects::Request> Exchanges::start(ExchangeBoard& board, objects::Comm& comm, const Exchange& what) {
  progress_.insist([this] {
    base::make_room(busy_);
    pool_.make_room();
  });
  ExchangeRequest& request = pool_.take();
  request.start(comm, what, board);
  board.begin(request);
  if (board.has_work() && std::ranges::find(busy_, &board, &Busy::board) == busy_.end()) {
    busy_.push_back({objects::Ref<objects::Comm>::share(comm), &board});
    has_begun();
  }
  return objects::Ref<objects::Request>::adopt(&request);
}

bool Exchanges::push() {
  bool moved = false;
  std::erase_if(busy_, [&](const Busy& busy) {
    moved |= busy.board->advance();
    if (busy.board->has_work()) return false;
    busy.board->retract_sleep();
    return true;
  });
  return moved;
}

void Exchanges::fall_asleep() noexcept {
  ++asleep_;
  for (const Busy& busy : busy_)
    if (busy.board->has_work()) busy.board->announce_sleep();
}

void Exchanges::wake_up() noexcept {
  if (--asleep_ != 0) return;
  for (const Busy& busy : busy_) busy.board->retract_sleep();
}

}  // namespace antiphon::coll
