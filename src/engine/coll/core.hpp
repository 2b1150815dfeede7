// The ranks that an algorithm goes on with which needs a power of two of them. Where there are more, the first ranks
// meet in pairs before: the odd one of each gives what it has to the even one, and is given the result at last. So
// the places of the core, from 0 on, are in the order of ranks, and what each stands for are neighbouring ranks.
#pragma once

#include <bit>

#include "engine/coll/sink.hpp"

namespace antiphon::coll {

class Core {
 public:
  explicit Core(const CommView& comm)
      : rank_(comm.rank),
        size_(static_cast<int>(std::bit_floor(static_cast<unsigned>(comm.size)))),
        pairs_(comm.size - size_) {}

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  // Whether a rank has a partner, and if so, whether it is the one that leaves the work to the rank before it.
  [[nodiscard]] bool paired() const { return rank_ < 2 * pairs_; }
  [[nodiscard]] bool stays_out() const { return stays_out(rank_); }
  [[nodiscard]] bool stays_out(int rank) const { return rank < 2 * pairs_ && rank % 2 != 0; }
  // Of a rank that does not stay out, or of the one to which it leaves the work.
  [[nodiscard]] int place() const { return place_of(rank_); }
  [[nodiscard]] int place_of(int rank) const { return rank < 2 * pairs_ ? rank / 2 : rank - pairs_; }
  [[nodiscard]] int rank_at(int place) const { return place < pairs_ ? 2 * place : place + pairs_; }

  // All that a rank does that stays out.
  template <Sink S>
  void leave_to_pair(S& sink, const Region& give, const Region& result) const {
    sink.send(give, rank_ - 1);
    sink.fence();
    sink.receive(result, rank_ - 1);
    sink.fence();
  }
  // What its partner does about it, if this rank has one: before, and at last.
  template <Sink S>
  void take_in_pair(S& sink, const Vector& ours, const Vector& incoming) const {
    if (!paired()) return;
    sink.receive(incoming.region(), rank_ + 1);
    sink.fence();
    combine(sink, incoming, rank_ + 1, ours, rank_);
  }
  template <Sink S>
  void hand_to_pair(S& sink, const Region& result) const {
    if (!paired()) return;
    sink.send(result, rank_ + 1);
    sink.fence();
  }

 private:
  int rank_, size_, pairs_;
};

}  // namespace antiphon::coll
