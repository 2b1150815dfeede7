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

  [[nodiscard]] int size() const { return size_; }
  // Whether this rank has a partner, and if so, whether it is the one that leaves the work to the rank before it.
  [[nodiscard]] bool paired() const { return rank_ < 2 * pairs_; }
  [[nodiscard]] bool stays_out() const { return paired() && rank_ % 2 != 0; }
  // Of this rank, which does not stay out.
  [[nodiscard]] int place() const { return paired() ? rank_ / 2 : rank_ - pairs_; }
  [[nodiscard]] int rank_at(int place) const { return place < pairs_ ? 2 * place : place + pairs_; }

 private:
  int rank_, size_, pairs_;
};

}  // namespace antiphon::coll
