// The operands of a reduction on one rank, and the result of those that it has combined so far.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::reduce {

// `mine` is this rank's contribution, and `result` the memory for the result, which is used on the root only. They
// may be the same memory; otherwise `mine` is not changed.
struct Terms {
  Vector mine;
  Vector result;
  [[nodiscard]] bool in_place() const { return mine.first() == result.first(); }
};

// Combines what other ranks send with this rank's own contribution. In rank order if all of them are after this rank.
// The root combines in its result, other ranks in scratch memory.
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

  // Receives the vector of the next rank, and combines it. The first one is received into the memory for the result.
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
  // This rank's contribution, combined with all that was added. On the root it is in the result.
  [[nodiscard]] const Vector& value() {
    if (!holds_mine_) sink_.copy(mine_.region(), so_far_.region());
    holds_mine_ = true;
    return so_far_;
  }

 private:
  S& sink_;
  int rank_;
  Vector mine_, so_far_, incoming_;
  bool has_room_;  // so_far_ may be written
  bool has_room_for_incoming_ = false;
  bool holds_mine_;  // so_far_ contains this rank's contribution
};

}  // namespace antiphon::coll::reduce
