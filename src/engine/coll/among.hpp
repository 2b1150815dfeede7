// A sink for some of the ranks of another sink, numbered as if there were no others. The parts of a hierarchical
// algorithm are written to it.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/coll/sink.hpp"
#include "objects/nodes.hpp"

namespace antiphon::coll {

template <Sink S>
class Among {
 public:
  // This process must be one of `members`, which must outlive this.
  Among(S& sink, const std::vector<int>& members)
      : sink_(sink), members_(members), view_{{index_of(sink.view().rank), static_cast<int>(members.size())}} {}

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] int index_of(int rank) const {
    return static_cast<int>(std::ranges::find(members_, rank) - members_.begin());
  }
  Token send(const Region& from, Peer to) { return sink_.send(from, member(to)); }
  Token receive(const Region& to, Peer from) { return sink_.receive(to, member(from)); }
  void await(Token token) { sink_.await(token); }
  void fence() { sink_.fence(); }
  void copy(const Region& from, const Region& to) { sink_.copy(from, to); }
  void reduce(const Vector& left, const Vector& right, Reduction::Into into) { sink_.reduce(left, right, into); }
  [[nodiscard]] std::byte* scratch(std::size_t bytes) { return sink_.scratch(bytes); }

 private:
  [[nodiscard]] Peer member(Peer peer) const { return members_[static_cast<std::size_t>(peer.rank)]; }

  S& sink_;
  const std::vector<int>& members_;
  View view_;
};

// The two levels of a hierarchical algorithm: the ranks of this process's node, and one rank of each node, its
// leader. On the node of `root`, the root is the leader.
template <Sink S>
class Hierarchy {
 public:
  Hierarchy(S& sink, const objects::Nodes& nodes, int root)
      : sink_(sink),
        leaders_(nodes.leaders(root)),
        members_(nodes.members(nodes.of(sink.view().rank))),
        leader_(leaders_[static_cast<std::size_t>(nodes.of(sink.view().rank))]) {}
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;

  [[nodiscard]] bool leads() const { return sink_.view().rank == leader_; }
  // The leader's index among the ranks of its node.
  [[nodiscard]] int leader() const { return node().index_of(leader_); }
  [[nodiscard]] Among<S> node() const { return {sink_, members_}; }
  [[nodiscard]] Among<S> leaders() const { return {sink_, leaders_}; }

 private:
  S& sink_;
  std::vector<int> leaders_;
  const std::vector<int>& members_;
  int leader_;
};

// Whether a sink is part of a hierarchical algorithm already; parts are not divided again.
template <class S>
inline constexpr bool kIsPart = false;
template <class S>
inline constexpr bool kIsPart<Among<S>> = true;

}  // namespace antiphon::coll
