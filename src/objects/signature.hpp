// The type signature (MPI 5.0, 5.1) in sixteen bytes: how many basic elements, and a hash of their sequence that
// can be computed from the hashes of its parts. Types nested differently around the same elements have the same one.
#pragma once

#include <cstdint>

namespace antiphon::objects {

struct Signature {
  std::int64_t elements = 0;
  std::uint64_t hash = 0;

  bool operator==(const Signature&) const = default;

  static Signature of(std::uint64_t element) { return {1, mixed(element)}; }
  [[nodiscard]] Signature followed_by(const Signature& next) const {
    return {elements + next.elements, hash * power(next.elements) + next.hash};
  }
  [[nodiscard]] Signature repeated(std::int64_t times) const {
    Signature result;
    for (Signature doubled = *this;; doubled = doubled.followed_by(doubled)) {
      if (times % 2 != 0) result = doubled.followed_by(result);
      if ((times /= 2) == 0) return result;
    }
  }

 private:
  // A polynomial modulo 2^64 over mixed elements, read like digits of this base.
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15u;
  static std::uint64_t power(std::int64_t exponent) {
    std::uint64_t result = 1;
    for (std::uint64_t square = kBase; exponent != 0; exponent /= 2, square *= square)
      if (exponent % 2 != 0) result *= square;
    return result;
  }
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value + 1) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 31)) * 0x94d049bb133111ebu;
    return value ^ (value >> 29);
  }
};

}  // namespace antiphon::objects
