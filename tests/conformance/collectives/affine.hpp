// An operation that does not commute, on a datatype with gaps: maps x -> a x + b of the numbers modulo a prime,
// composed. `a` and `b` are ints with a hole between them and one behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/ranks.hpp"

namespace conformance {

struct Affine {
  int a = 1, b = 0;
  bool operator==(const Affine& other) const { return a == other.a && b == other.b; }

  [[nodiscard]] Affine followed_by(const Affine& then) const {
    constexpr std::int64_t kPrime = 10'007;
    return {static_cast<int>(std::int64_t{a} * then.a % kPrime),
            static_cast<int>((std::int64_t{b} * then.a + then.b) % kPrime)};
  }
  // What a rank has as its element `i`.
  static Affine drawn(int rank, int i) { return {2 + rank + i % 7, 1 + 3 * rank + i % 1000}; }
};

// Of the ranks from `first` to before `last`, in their order.
inline Affine composed(int first, int last, int i) {
  Affine map;
  for (int rank = first; rank < last; ++rank) map = map.followed_by(Affine::drawn(rank, i));
  return map;
}

class Maps {
 public:
  explicit Maps(int count) : ints_(static_cast<std::size_t>(count) * 4, kUntouched) {}
  // Those that `rank` has, as elements `first` and following.
  Maps(int count, int rank, int first = 0) : Maps(count) {
    for (int i = 0; i < count; ++i) set(i, Affine::drawn(rank, first + i));
  }

  [[nodiscard]] int* data() { return ints_.data(); }
  [[nodiscard]] int* data(int i) { return ints_.data() + 4 * i; }
  [[nodiscard]] int count() const { return static_cast<int>(ints_.size() / 4); }
  [[nodiscard]] Affine at(int i) const { return {ints_[place(i)], ints_[place(i) + 2]}; }
  void set(int i, const Affine& map) {
    ints_[place(i)] = map.a;
    ints_[place(i) + 2] = map.b;
  }
  [[nodiscard]] bool are_drawn(int rank) const {
    for (int i = 0; i < count(); ++i)
      if (!(at(i) == Affine::drawn(rank, i))) return false;
    return true;
  }
  [[nodiscard]] bool gaps_untouched() const {
    for (std::size_t i = 1; i < ints_.size(); i += 2)
      if (ints_[i] != kUntouched) return false;
    return true;
  }
  [[nodiscard]] bool untouched() const {
    return std::all_of(ints_.begin(), ints_.end(), [](int value) { return value == kUntouched; });
  }

 private:
  static constexpr int kUntouched = -7;
  static std::size_t place(int i) { return static_cast<std::size_t>(4 * i); }
  std::vector<int> ints_;
};

// The operation and the type, while it lives.
struct Composing {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;

  Composing() {
    MPI_Op_create(compose, 0, &op);
    MPI_Datatype with_a_hole = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &with_a_hole);
    MPI_Type_create_resized(with_a_hole, 0, 4 * static_cast<MPI_Aint>(sizeof(int)), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&with_a_hole);
  }
  Composing(const Composing&) = delete;
  Composing& operator=(const Composing&) = delete;
  ~Composing() {
    MPI_Op_free(&op);
    MPI_Type_free(&type);
  }

 private:
  static void compose(void* left, void* right, int* length, MPI_Datatype*) {
    auto* first = static_cast<int*>(left);
    auto* then = static_cast<int*>(right);
    for (int i = 0; i < *length; ++i, first += 4, then += 4) {
      const Affine both = Affine{first[0], first[2]}.followed_by({then[0], then[2]});
      then[0] = both.a;
      then[2] = both.b;
    }
  }
};

}  // namespace conformance
