// Which ranks of a communicator share a node. Made once for a communicator whose ranks run on several, and never
// changed.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace antiphon::objects {

class Nodes {
 public:
  // `node_of` has a number for each rank, of any kind.
  explicit Nodes(const std::vector<int>& node_of) : index_(node_of.size()) {
    std::unordered_map<int, std::size_t> known;
    for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
      const auto [found, is_new] = known.try_emplace(node_of[rank], members_.size());
      const std::size_t node = found->second;
      if (is_new)
        members_.emplace_back();
      else if (node + 1 != members_.size())
        in_order_ = false;
      index_[rank] = static_cast<int>(node);
      members_[node].push_back(static_cast<int>(rank));
    }
  }

  // So many ranks, in order, as many on each node.
  Nodes(int ranks, int on_each) : Nodes(numbers(ranks, on_each)) {}

  [[nodiscard]] int number() const { return static_cast<int>(members_.size()); }
  // Nodes are numbered by their first rank.
  [[nodiscard]] int of(int rank) const { return index_[static_cast<std::size_t>(rank)]; }
  // In the order of ranks.
  [[nodiscard]] const std::vector<int>& members(int node) const { return members_[static_cast<std::size_t>(node)]; }
  // Ranks on the largest.
  [[nodiscard]] int most() const {
    return static_cast<int>(std::ranges::max_element(members_, {}, &std::vector<int>::size)->size());
  }
  // Whether the ranks of each follow one another, and all have as many.
  [[nodiscard]] bool is_grid() const { return in_order_ && most() * number() == static_cast<int>(index_.size()); }
  // For each rank, visit(rank, place), where the ranks of a node have places that follow one another, and each node
  // as many as the largest needs.
  template <class F>
  void each_place(F visit) const {
    const int each = most();
    for (int node = 0; node < number(); ++node) {
      int place = node * each;
      for (const int rank : members(node)) visit(rank, place++);
    }
  }
  // Whether the ranks of each follow one another.
  [[nodiscard]] bool in_order() const { return in_order_; }
  // A rank of each node, in their order: the first, or `root` of its own.
  [[nodiscard]] std::vector<int> leaders(int root) const {
    std::vector<int> leaders;
    leaders.reserve(members_.size());
    for (const std::vector<int>& members : members_) leaders.push_back(members.front());
    leaders[static_cast<std::size_t>(of(root))] = root;
    return leaders;
  }

 private:
  static std::vector<int> numbers(int ranks, int on_each) {
    std::vector<int> node_of(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) node_of[static_cast<std::size_t>(rank)] = rank / on_each;
    return node_of;
  }

  std::vector<int> index_;
  std::vector<std::vector<int>> members_;
  bool in_order_ = true;
};

}  // namespace antiphon::objects
