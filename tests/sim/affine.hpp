// A user-defined reduction that does not commute, on elements with gaps that begin before their address: maps
// x -> a x + b of the numbers modulo a prime, composed. As a user would write it, and as a model for tests.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "abi/constants.hpp"
#include "objects/datatype.hpp"
#include "objects/op.hpp"

namespace antiphon::sim {

struct Affine {
  std::int32_t a = 1, b = 0;
  bool operator==(const Affine&) const = default;

  static constexpr std::int64_t kPrime = 10'007;
  // What the map of rank `rank`, element `i` is.
  static Affine drawn(int rank, std::size_t i) {
    const auto n = static_cast<std::int32_t>(i % 1000);
    return {2 + rank + n % 7, 1 + 3 * rank + n};
  }
  // First *this, then `then`.
  [[nodiscard]] Affine followed_by(const Affine& then) const {
    return {static_cast<std::int32_t>(std::int64_t{a} * then.a % kPrime),
            static_cast<std::int32_t>((std::int64_t{b} * then.a + then.b) % kPrime)};
  }
};

// Memory of so many maps: `a` lies 4 bytes before an element's address, `b` 8 after it, 16 from one to the next.
class AffineBuffer {
 public:
  explicit AffineBuffer(std::size_t count) : memory_(16 * count + 32, kUntouched) {}
  [[nodiscard]] std::byte* address() { return memory_.data() + 16; }
  [[nodiscard]] Affine at(std::size_t i) const {
    Affine map;
    std::memcpy(&map.a, memory_.data() + 16 * i + 12, 4);
    std::memcpy(&map.b, memory_.data() + 16 * i + 24, 4);
    return map;
  }
  void set(std::size_t i, const Affine& map) {
    std::memcpy(memory_.data() + 16 * i + 12, &map.a, 4);
    std::memcpy(memory_.data() + 16 * i + 24, &map.b, 4);
  }
  // Whether nobody wrote between the parts of `count` elements, nor beyond them.
  [[nodiscard]] bool gaps_untouched(std::size_t count) const {
    for (std::size_t byte = 0; byte < memory_.size(); ++byte) {
      const std::size_t place = (byte + 4) % 16;  // in its element, from `a` on
      const bool inside = byte >= 12 && (byte - 12) / 16 < count && (place < 4 || (place >= 12));
      if (!inside && memory_[byte] != kUntouched) return false;
    }
    return true;
  }

 private:
  static constexpr std::byte kUntouched{0xee};
  std::vector<std::byte> memory_;
};

inline objects::Ref<objects::Datatype> affine_type() {
  using objects::Datatype;
  const auto integer = objects::Ref<Datatype>::adopt(
      new Datatype(objects::Element::int32, objects::basics_of(objects::Element::int32, 4, 0), 4, "MPI_INT32_T"));
  auto type = objects::Ref<Datatype>::adopt(new Datatype(
      objects::Recipe{.combiner = abi::COMBINER_HINDEXED, .numbers = {2, 1, 1, -4, 8}, .types = {integer}}));
  type->commit();
  return type;
}

// `in_between` is called by each use, as user code that calls MPI.
class Composition final : public objects::UserFunction {
 public:
  explicit Composition(std::function<void()> in_between) : in_between_(std::move(in_between)) {}
  void apply(const void* left, void* right, std::int64_t count, const objects::Datatype& type) const override {
    in_between_();
    for (std::int64_t i = 0; i < count; ++i) {
      const auto* in = static_cast<const std::byte*>(left) + i * type.extent();
      auto* inout = static_cast<std::byte*>(right) + i * type.extent();
      Affine first, then;
      std::memcpy(&first.a, in - 4, 4);
      std::memcpy(&first.b, in + 8, 4);
      std::memcpy(&then.a, inout - 4, 4);
      std::memcpy(&then.b, inout + 8, 4);
      const Affine both = first.followed_by(then);
      std::memcpy(inout - 4, &both.a, 4);
      std::memcpy(inout + 8, &both.b, 4);
    }
  }

 private:
  std::function<void()> in_between_;
};

}  // namespace antiphon::sim
