// The core: ranks, a power of two in number, among which an algorithm continues that needs such a number. If there
// are more ranks, the first of them form pairs. The odd rank of each pair gives its data to the even one, stays out,
// and gets the result at the end. The ranks of the core have places, from 0 on, in the order of ranks. So the data at
// each place comes from one rank, or from two neighbouring ones.
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
  // Whether this rank is one of a pair; whether it, or `rank`, is the one that stays out.
  [[nodiscard]] bool paired() const { return rank_ < 2 * pairs_; }
  [[nodiscard]] bool stays_out() const { return stays_out(rank_); }
  [[nodiscard]] bool stays_out(int rank) const { return rank < 2 * pairs_ && rank % 2 != 0; }
  // The place of a rank of the core; for one that stays out, that of its partner.
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
  // What its partner does: first, it takes the other's data; at the end, it sends the result. Other ranks do nothing
  // here.
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
