// Exchanges that do not block, through lines of their own beside those of a Board, whose numbers they do not share. A
// rank says what it brings when it begins one, if the line is free, which was so unless it is many ahead of another;
// else as soon as that has finished. All need all, so each ends before the next one does, and only the oldest is
// looked at. Belongs to the Board; guarded by the lane's lock.
#pragma once

#include <array>

#include "base/intrusive_list.hpp"
#include "engine/coll/boards/exchange.hpp"
#include "engine/coll/boards/sleepers.hpp"
#include "engine/pt2pt/requests.hpp"

namespace antiphon::coll {

class ExchangeBoard;

// One that has begun.
class ExchangeRequest final : public pt2pt::PooledRequest<ExchangeRequest>, public base::ListHook {
 public:
  explicit ExchangeRequest(Pool& pool) : PooledRequest(Kind::collective, pool) {}

  // Keeps what the user may free before the end.
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

  // All ranks begin theirs in the same order.
  void begin(ExchangeRequest& request);
  // As far as it goes. True if it goes somewhere: then what this process would be woken for is something else.
  bool advance();
  [[nodiscard]] bool has_work() const { return !said_.empty() || !unsaid_.empty(); }
  // This process is about to sleep, and is to be woken for the oldest one; or sleeps no longer, or not for this.
  void announce_sleep();
  void retract_sleep();
  // Whom the oldest one waits for.
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
  std::int64_t all_finished_ = 0;  // as far as this rank knows
  int missing_ = 0;                // the first rank that has not come to the oldest one, as far as this one knows
  bool sleep_announced_ = false;
  Requests said_, unsaid_;  // whose lines are written, and the later ones that wait for that
};

}  // namespace antiphon::coll
