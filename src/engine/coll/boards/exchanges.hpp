// The exchanges under way on all boards of this process, which progress goes on with. Belongs to the Engines; guarded
// by the lane's lock.
#pragma once

#include <vector>

#include "engine/coll/boards/exchange_board.hpp"

namespace antiphon::coll {

class Exchanges final : public progress::Pusher {
 public:
  Exchanges(progress::Progress& progress, const pt2pt::PrepareRequest& prepare)
      : progress_(progress), pool_(prepare) {
    progress.add(*this);
  }

  // Of a communicator's board.
  [[nodiscard]] objects::Ref<objects::Request> start(ExchangeBoard& board, objects::Comm& comm, const Exchange& what);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !busy_.empty(); }
  void fall_asleep() noexcept override;
  void wake_up() noexcept override;

 private:
  progress::Progress& progress_;
  ExchangeRequest::Pool pool_;
  struct Busy {
    objects::Ref<objects::Comm> comm;  // keeps the board
    ExchangeBoard* board;
  };
  std::vector<Busy> busy_;
  int asleep_ = 0;  // threads of this process
};

}  // namespace antiphon::coll
