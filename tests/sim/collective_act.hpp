// One collective of a random program, what a rank brings to it, and whether it has afterwards what a naive reference
// says.
#pragma once

#include <string>

#include "collective_data.hpp"
#include "engine/coll/collectives.hpp"
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
  std::size_t elements = 0;  // which of all_elements()
  std::size_t count = 0;     // elements of a vector, or of the longest block
  int root = 0;
  bool in_place = false;
  int comm = 0;  // on which of the program's communicators
  bool blocking = true;
  std::uint64_t salt = 0;  // of what is moved

  [[nodiscard]] std::string text() const;
};

class ActOfRank {
 public:
  ActOfRank(const Act& act, const Elements& elements, int rank, int size);

  // By one algorithm, or as the library does it: now, or later.
  template <coll::Sink S>
  void plan(S& sink, const coll::Choice& choice);
  void call(coll::Collectives& coll, objects::Comm& comm, coll::Deferred* later = nullptr);

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
  // Hands its arguments to the function of `to` that has the collective's name.
  template <class To>
  void give(const To& to);

  Act act_;
  const Elements& elements_;
  int rank_, size_;
  ElementBuffer mine_;  // this rank's vector or block, or one for each rank
  ElementBuffer all_;   // where a block for each rank goes, or comes from
  ElementBuffer result_;
};

template <class To>
void ActOfRank::give(const To& to) {
  using coll::Region, coll::Vector;
  const Region mine = mine_.whole();
  const Vector vector = mine_.vector(0, act_.count), result = result_.vector(0, act_.count);
  const std::optional<Region> given = act_.in_place ? std::nullopt : std::optional(mine);
  const std::optional<Vector> term = act_.in_place ? std::nullopt : std::optional(vector);
  const auto my_block = [&](int from, int receiver) { return mine_.region(0, length(from, receiver)); };
  const auto from_each = [&] { return listed(all_, [&](int from) { return length(from, rank_); }); };
  switch (act_.what) {
    case Collective::barrier:
      return to.barrier();
    case Collective::bcast:
      return to.bcast(mine, act_.root);
    case Collective::reduce:
      return to.reduce(is_root() ? term : std::optional(vector), result, act_.root);
    case Collective::allreduce:
      return to.allreduce(term, result);
    case Collective::gather:
      return to.gather(is_root() ? given : mine, all_.whole(), act_.root);
    case Collective::scatter:
      return to.scatter(all_.whole(), is_root() ? given : mine, act_.root);
    case Collective::allgather:
      return to.allgather(given, all_.whole());
    case Collective::alltoall:
      return to.alltoall(given, all_.whole());
    case Collective::gatherv: {
      const Region block = my_block(rank_, act_.root);
      return to.gather(is_root() && act_.in_place ? std::nullopt : std::optional(block), from_each(), act_.root);
    }
    case Collective::scatterv: {
      const coll::BlockList for_each = listed(all_, [&](int each) { return length(each, 0); });
      const Region block = my_block(rank_, 0);
      return to.scatter(for_each, is_root() && act_.in_place ? std::nullopt : std::optional(block), act_.root);
    }
    case Collective::allgatherv: {
      const Region block = my_block(rank_, rank_);
      return to.allgather(act_.in_place ? std::nullopt : std::optional(block), from_each());
    }
    case Collective::alltoallv:
      if (act_.in_place) return to.alltoall(std::optional<coll::BlockList>(), from_each());
      return to.alltoall(std::optional(listed(mine_, [&](int each) { return length(rank_, each); })), from_each());
    case Collective::reduce_scatter:
      if (act_.in_place) return to.reduce_scatter(result, shares(), result_.vector(0, share(rank_)));
      return to.reduce_scatter(vector, shares(), result_.vector(0, share(rank_)));
    case Collective::scan:
      return to.scan(term, result);
    case Collective::exscan:
      return to.exscan(term, result);
  }
}

// The functions that plan, with the sink and the choice that they have in common.
template <coll::Sink S>
struct Planner {
  S& sink;
  const coll::Choice& choice;

  void barrier() const { plan_barrier(sink, choice); }
  void bcast(const coll::Region& buffer, int root) const { plan_bcast(sink, buffer, root, choice); }
  void reduce(const auto& mine, const coll::Vector& result, int root) const {
    plan_reduce(sink, mine, result, root, choice);
  }
  void allreduce(const auto& mine, const coll::Vector& result) const { plan_allreduce(sink, mine, result, choice); }
  void gather(const auto& mine, const auto& all, int root) const { plan_gather(sink, mine, all, root, choice); }
  void scatter(const auto& all, const auto& mine, int root) const { plan_scatter(sink, all, mine, root, choice); }
  void allgather(const auto& mine, const coll::Region& all) const { plan_allgather(sink, mine, all, choice); }
  void allgather(const auto& mine, const coll::BlockList& all) const { plan_allgatherv(sink, mine, all, choice); }
  void alltoall(const auto& out, const auto& in) const { plan_alltoall(sink, out, in, choice); }
  void reduce_scatter(const coll::Vector& all, const coll::Shares& shares, const coll::Vector& share) const {
    plan_reduce_scatter(sink, all, shares, share, choice);
  }
  void scan(const auto& mine, const coll::Vector& result) const { plan_scan(sink, mine, result, choice); }
  void exscan(const auto& mine, const coll::Vector& result) const { plan_exscan(sink, mine, result, choice); }
};

template <coll::Sink S>
void ActOfRank::plan(S& sink, const coll::Choice& choice) {
  give(Planner<S>{sink, choice});
}

}  // namespace antiphon::sim
