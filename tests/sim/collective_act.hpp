// One collective of a random program, what a rank brings to it, and whether it has afterwards what a naive reference
// says.
#pragma once

#include <string>

#include "collective_data.hpp"
#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"

namespace antiphon::sim {

enum class Collective {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  scatter,
  allgather,
  alltoall,
  gatherv,
  scatterv,
  allgatherv,
  alltoallv,
  reduce_scatter,
  scan,
  exscan
};
inline constexpr int kCollectives = 15;

// The same on all ranks.
struct Act {
  Collective what;
  std::size_t elements;  // which of all_elements()
  std::size_t count;     // elements of a vector, or of the longest block
  int root;
  bool in_place;
  int comm = 0;  // on which of the program's communicators
  bool blocking = true;
  std::uint64_t salt = 0;  // of what is moved

  [[nodiscard]] std::string text() const;
};

class ActOfRank {
 public:
  ActOfRank(const Act& act, const Elements& elements, int rank, int size);

  template <coll::Sink S>
  void plan(S& sink, const coll::Choice& choice);

  // What is wrong; empty: nothing.
  [[nodiscard]] std::string wrong() const;

 private:
  [[nodiscard]] bool is_reduction() const {
    return act_.what == Collective::reduce || act_.what == Collective::allreduce ||
           act_.what >= Collective::reduce_scatter;
  }
  [[nodiscard]] bool varies() const { return act_.what >= Collective::gatherv && act_.what <= Collective::alltoallv; }
  [[nodiscard]] bool all_to_all() const {
    return act_.what == Collective::alltoall || act_.what == Collective::alltoallv;
  }
  [[nodiscard]] bool is_root() const { return rank_ == act_.root; }
  // Of the block from one rank for another.
  [[nodiscard]] std::size_t length(int from, int to) const {
    if (!varies()) return act_.count;
    return act_.count * static_cast<std::size_t>((from * 7 + (all_to_all() ? to : 0) * 3 + 1) % 4) / 3;
  }
  // What `from` has for `to`, or for all.
  [[nodiscard]] Value given(int from, int to, std::size_t i) const;
  // That of all ranks from `first` to `last`, combined.
  [[nodiscard]] Value combined(int first, int last, std::size_t i) const;
  [[nodiscard]] coll::Shares shares() const;
  [[nodiscard]] std::size_t share(int rank) const { return shares().start(rank + 1) - shares().start(rank); }

  // Blocks of a buffer that has room for a longest one for each rank.
  template <class LengthOf>
  [[nodiscard]] coll::BlockList listed(ElementBuffer& buffer, LengthOf length_of) {
    std::vector<coll::Region> blocks;
    for (int each = 0; each < size_; ++each)
      blocks.push_back(buffer.region(static_cast<std::size_t>(each) * act_.count, length_of(each)));
    return coll::BlockList(std::move(blocks));
  }
  void fill();

  Act act_;
  const Elements& elements_;
  int rank_, size_;
  ElementBuffer mine_;  // this rank's vector or block, or one for each rank
  ElementBuffer all_;   // where a block for each rank goes, or comes from
  ElementBuffer result_;
};

template <coll::Sink S>
void ActOfRank::plan(S& sink, const coll::Choice& choice) {
  using coll::Region, coll::Vector;
  const Region mine = mine_.whole();
  const Vector vector = mine_.vector(0, act_.count), result = result_.vector(0, act_.count);
  const std::optional<Region> given = act_.in_place ? std::nullopt : std::optional(mine);
  const std::optional<Vector> term = act_.in_place ? std::nullopt : std::optional(vector);
  const auto my_block = [&](int from, int to) { return mine_.region(0, length(from, to)); };
  const auto from_each = [&] { return listed(all_, [&](int from) { return length(from, rank_); }); };
  switch (act_.what) {
    case Collective::barrier:
      return plan_barrier(sink, choice);
    case Collective::bcast:
      return plan_bcast(sink, mine, act_.root, choice);
    case Collective::reduce:
      return plan_reduce(sink, is_root() ? term : std::optional(vector), result, act_.root, choice);
    case Collective::allreduce:
      return plan_allreduce(sink, term, result, choice);
    case Collective::gather:
      return plan_gather(sink, is_root() ? given : mine, all_.whole(), act_.root, choice);
    case Collective::scatter:
      return plan_scatter(sink, all_.whole(), is_root() ? given : mine, act_.root, choice);
    case Collective::allgather:
      return plan_allgather(sink, given, all_.whole(), choice);
    case Collective::alltoall:
      return plan_alltoall(sink, given, all_.whole(), choice);
    case Collective::gatherv: {
      const Region block = my_block(rank_, act_.root);
      return plan_gather(sink, is_root() && act_.in_place ? std::nullopt : std::optional(block), from_each(),
                         act_.root, choice);
    }
    case Collective::scatterv: {
      const coll::BlockList for_each = listed(all_, [&](int to) { return length(to, 0); });
      const Region block = my_block(rank_, 0);
      return plan_scatter(sink, for_each, is_root() && act_.in_place ? std::nullopt : std::optional(block), act_.root,
                          choice);
    }
    case Collective::allgatherv: {
      const Region block = my_block(rank_, rank_);
      return plan_allgatherv(sink, act_.in_place ? std::nullopt : std::optional(block), from_each(), choice);
    }
    case Collective::alltoallv:
      if (act_.in_place) return plan_alltoall(sink, {}, from_each(), choice);
      return plan_alltoall(sink, listed(mine_, [&](int to) { return length(rank_, to); }), from_each(), choice);
    case Collective::reduce_scatter:
      if (act_.in_place) return plan_reduce_scatter(sink, result, shares(), result_.vector(0, share(rank_)), choice);
      return plan_reduce_scatter(sink, vector, shares(), result_.vector(0, share(rank_)), choice);
    case Collective::scan:
      return plan_scan(sink, term, result, choice);
    case Collective::exscan:
      return plan_exscan(sink, term, result, choice);
  }
}

}  // namespace antiphon::sim
