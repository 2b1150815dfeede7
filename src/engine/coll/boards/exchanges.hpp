// The nonblocking exchanges on all boards of this process, which progress continues. Belongs to the Engines; guarded
// by the lane's lock.
#pragma once

#include <vector>

#include "engine/coll/boards/exchange_board.hpp"

namespace antiphon::coll {

class Exchanges final : public progress::Pusher {
 public:
  Exchanges(progress::Progress& progress, const pt2pt::PrepareRequest& prepare) : pool_(prepare) {
    progress.add(*this);
  }

  // `board` is the one of `comm`.
  [[nodiscard]] objects::Ref<objects::Request> start(ExchangeBoard& board, objects::Comm& comm, const Exchange& what);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !busy_.empty(); }
  void fall_asleep() noexcept override;
  void wake_up() noexcept override;

 private:
  ExchangeRequest::Pool pool_;
  struct Busy {
    objects::Ref<objects::Comm> comm;  // keeps the board alive
    ExchangeBoard* board;
  };
  std::vector<Busy> busy_;
  int asleep_ = 0;  // threads of this process that sleep
};

}  // namespace antiphon::coll
