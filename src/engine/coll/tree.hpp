// Trees of ranks, as one of the ranks sees them. Places are relative to the root, whose place is 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/coll/sink.hpp"

namespace antiphon::coll {

// A k-nomial tree, where k is a power of two. Write a place in base k, and replace its lowest digit that is not 0 by
// 0: that is its parent's place. So the places below a place follow it directly, and those below its first child come
// before its second child.
class KnomialTree {
 public:
  explicit KnomialTree(const CommView& comm, int root = 0, int radix_bits = 1)
      : place_(comm.rooted_at(root).rank), size_(comm.size), root_(root), bits_(radix_bits) {
    while (at(digit_) < size_ && (place_ & (at(digit_ + bits_) - 1)) == 0) digit_ += bits_;
  }

  struct Child {
    int place;
    int span;  // places from this child on that are in its subtree
    int rank;
  };
  // Visits children with the largest subtrees first, which is the fastest order for sending down.
  template <class F>
  void each_child_down(F visit) const {
    for (int digit = digit_ - bits_; digit >= 0; digit -= bits_)
      for (std::int64_t place = place_ + at(digit); place < std::min(place_ + at(digit + bits_), end());
           place += at(digit))
        visit(child(place, digit));
  }
  // Visits children in the order of places, as is needed for collecting in rank order.
  template <class F>
  void each_child_up(F visit) const {
    for (int digit = 0; digit < digit_; digit += bits_)
      for (std::int64_t place = place_ + at(digit); place < std::min(place_ + at(digit + bits_), end());
           place += at(digit))
        visit(child(place, digit));
  }

  [[nodiscard]] int place() const { return place_; }
  [[nodiscard]] bool is_root() const { return place_ == 0; }
  [[nodiscard]] bool is_leaf() const { return digit_ == 0 || place_ + 1 >= size_; }
  // How many places this place's subtree has, itself included; they are consecutive.
  [[nodiscard]] int span() const { return static_cast<int>(std::min(at(digit_), end() - place_)); }
  [[nodiscard]] int parent() const { return rank_at(static_cast<int>(place_ & ~(at(digit_ + bits_) - 1))); }
  [[nodiscard]] int rank_at(int place) const {
    return place < size_ - root_ ? place + root_ : place - (size_ - root_);
  }

 private:
  [[nodiscard]] static std::int64_t at(int digit) { return std::int64_t{1} << digit; }
  [[nodiscard]] std::int64_t end() const { return size_; }
  [[nodiscard]] Child child(std::int64_t place, int digit) const {
    return {static_cast<int>(place), static_cast<int>(std::min(at(digit), end() - place)),
            rank_at(static_cast<int>(place))};
  }

  int place_, size_, root_, bits_;
  int digit_ = 0;  // where the lowest digit of the place that is not 0 begins; of the root, above all digits
};

// A tree in which each place has at most `children` children: with one a chain, with two a binary tree. Used for data
// in chunks, which then flows through all ranks at the same time.
class ShallowTree {
 public:
  ShallowTree(const CommView& comm, int root, int children)
      : place_(comm.rooted_at(root).rank), size_(comm.size), root_(root), children_(children) {}

  [[nodiscard]] bool is_root() const { return place_ == 0; }
  // Levels from the root to the last place.
  [[nodiscard]] int depth() const {
    return children_ == 1 ? size_ - 1 : static_cast<int>(std::bit_width(static_cast<unsigned>(size_))) - 1;
  }
  [[nodiscard]] int parent() const { return rank_at((place_ - 1) / children_); }
  [[nodiscard]] int number_of_children() const {
    return static_cast<int>(std::clamp<std::int64_t>(size_ - first_child(), 0, children_));
  }
  [[nodiscard]] int child(int index) const { return rank_at(static_cast<int>(first_child()) + index); }

 private:
  [[nodiscard]] std::int64_t first_child() const { return std::int64_t{place_} * children_ + 1; }
  [[nodiscard]] int rank_at(int place) const {
    return place < size_ - root_ ? place + root_ : place - (size_ - root_);
  }

  int place_, size_, root_, children_;
};

}  // namespace antiphon::coll
