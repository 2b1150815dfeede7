// Nonblocking exchanges, through lines beside those of a Board, with numbers of their own. A rank writes its data
// when an exchange begins, if its line is free. It is not free if this rank is many exchanges ahead of another; then
// the data is written as soon as that rank has caught up. Since each rank needs the data of all, exchanges end in the
// order in which they began, so only the oldest is polled. Belongs to the Board; guarded by the lane's lock.
#pragma once

#include <array>

#include "base/intrusive_list.hpp"
#include "engine/coll/boards/exchange.hpp"
#include "engine/coll/boards/sleepers.hpp"
#include "engine/pt2pt/requests.hpp"

namespace antiphon::coll {

class ExchangeBoard;

// An exchange that has begun.
class ExchangeRequest final : public pt2pt::PooledRequest<ExchangeRequest>, public base::ListHook {
 public:
  explicit ExchangeRequest(Pool& pool) : PooledRequest(Kind::collective, pool) {}

  // Keeps references to objects that the user may free before the exchange ends.
  void start(objects::Comm& comm, const Exchange& what, const ExchangeBoard& board);
  [[nodiscard]] base::WaitReason reason() const override;

 private:
  friend class ExchangeBoard;
  void keep(AllreduceExchange& what) { keep(what.result); }
  void keep(ReduceScatterExchange& what) {
    keep(what.all);
    keep(what.share);
  }
  void keep(AllgatherExchange& what);
  void keep(AlltoallExchange& what);
  void keep(BarrierExchange&) {}
  void keep(NoExchange&) {}
  void keep(Vector& vector);
  void keep(int place, const Region& region);
  void end();

  Exchange what_;
  const ExchangeBoard* board_ = nullptr;
  std::int64_t title_ = 0;
  std::optional<Reduction> reduction_;
  std::array<objects::Ref<objects::Datatype>, 2> types_;
};

class ExchangeBoard {
 public:
  ExchangeBoard(const BoardMemory& memory, const objects::Comm& comm, const BoardPeers& peers,
                progress::Progress& progress)
      : memory_(memory), comm_(comm), rank_(comm.rank()), sleepers_(memory, rank_, peers, progress) {}

  // All ranks begin their exchanges in the same order.
  void begin(ExchangeRequest& request);
  // Continues the exchanges as far as possible. True if one went on: then this rank waits for something else than it
  // has announced.
  bool advance();
  [[nodiscard]] bool has_work() const { return !said_.empty() || !unsaid_.empty(); }
  // This process is about to sleep, and others must wake it for the oldest exchange; or it sleeps no longer, or this
  // board has no exchanges any more.
  void announce_sleep();
  void retract_sleep();
  // What the oldest exchange waits for.
  [[nodiscard]] base::WaitReason reason() const;

 private:
  using Requests = base::IntrusiveList<ExchangeRequest>;

  bool say_what_can_be_said();
  [[nodiscard]] bool may_write(std::int64_t number);
  [[nodiscard]] bool all_have_come(const ExchangeRequest& request);
  [[nodiscard]] Lines lines_of(std::int64_t number) const { return memory_.lines(number, Lines::In::lines); }
  void end_oldest();
  [[gnu::cold]] void fail(ExchangeRequest& request, int rank) const;

  const BoardMemory memory_;
  const objects::Comm& comm_;
  const int rank_;
  Sleepers sleepers_;
  std::int64_t number_ = 0;        // of the last one begun
  std::int64_t all_finished_ = 0;  // by all ranks, at least
  int missing_ = 0;                // the first rank that may not have come to the oldest exchange
  bool sleep_announced_ = false;
  Requests said_, unsaid_;  // those whose data has been written, and those that wait for a free line
};

}  // namespace antiphon::coll
