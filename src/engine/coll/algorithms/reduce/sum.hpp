// What a rank of a reduction has so far. The root's is made where the result is to be, others' in scratch memory.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::reduce {

// `mine` is a rank's contribution and `result`, which matters on the root alone, may be the same memory. What is in
// `mine` is not changed, unless that is so.
struct Terms {
  Vector mine;
  Vector result;
  [[nodiscard]] bool in_place() const { return mine.first() == result.first(); }
};

// A rank that combines what others send it, in rank order if they are all after it, with its own.
template <Sink S>
class Sum {
 public:
  Sum(S& sink, const Terms& terms, int rank, bool is_root)
      : sink_(sink),
        rank_(rank),
        mine_(terms.mine),
        so_far_(is_root ? terms.result : terms.mine),
        incoming_(terms.mine),
        has_room_(is_root),
        holds_mine_(!is_root || terms.in_place()) {}

  // Receives from the next rank and combines. The first time, its vector becomes the sum.
  void add(int from) {
    if (!has_room_) {
      so_far_ = scratch_like(sink_, mine_, mine_.elements());
      has_room_ = true;
      holds_mine_ = false;
    }
    if (!holds_mine_) {
      sink_.receive(so_far_.region(), from);
      sink_.fence();
      combine_into_incoming(sink_, so_far_, from, mine_, rank_);
      holds_mine_ = true;
      return;
    }
    if (!has_room_for_incoming_) incoming_ = scratch_like(sink_, mine_, mine_.elements());
    has_room_for_incoming_ = true;
    sink_.receive(incoming_.region(), from);
    sink_.fence();
    combine(sink_, incoming_, from, so_far_, rank_);
  }
  // This rank's own, and all that was added. On the root it is in the result.
  [[nodiscard]] const Vector& value() {
    if (!holds_mine_) sink_.copy(mine_.region(), so_far_.region());
    holds_mine_ = true;
    return so_far_;
  }

 private:
  S& sink_;
  int rank_;
  Vector mine_, so_far_, incoming_;
  bool has_room_;  // so_far_ may be written to
  bool has_room_for_incoming_ = false;
  bool holds_mine_;  // so_far_ has at least this rank's contribution
};

}  // namespace antiphon::coll::reduce
