// What random collectives move and reduce: elements of several types, and operations on them, each with the simplest
// code that says what must come out.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "affine.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::sim {

// An element as a number, so that a reference needs no types.
using Value = std::uint64_t;

// A type of elements with an operation on them. One object serves all ranks of a simulation.
class Elements {
 public:
  virtual ~Elements() = default;
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual const coll::Reduction& reduction() const = 0;
  // A value of this type, from any bits.
  [[nodiscard]] virtual Value drawn(std::uint64_t bits) const = 0;
  [[nodiscard]] virtual Value combined(Value left, Value right) const = 0;

  // Memory of so many: what lies between the elements, and where the first begins.
  [[nodiscard]] virtual std::size_t bytes_of(std::size_t count) const = 0;
  [[nodiscard]] virtual std::size_t first() const { return 0; }
  [[nodiscard]] virtual std::size_t stride() const = 0;
  virtual void write(std::byte* element, Value value) const = 0;
  [[nodiscard]] virtual Value read(const std::byte* element) const = 0;
};

// The elements of a predefined type and operation, as the library combines them, and as this compiler does.
template <class T, class Combine>
class Plain final : public Elements {
 public:
  Plain(const char* name, objects::Op::Kind op, objects::Element element, std::uint64_t mask, Combine combine)
      : name_(name), reduction_(coll::Reduction::of(op, element, sizeof(T))), mask_(mask), combine_(combine) {}
  [[nodiscard]] const char* name() const override { return name_; }
  [[nodiscard]] const coll::Reduction& reduction() const override { return reduction_; }
  [[nodiscard]] Value drawn(std::uint64_t bits) const override { return as_value(static_cast<T>(bits & mask_)); }
  [[nodiscard]] Value combined(Value left, Value right) const override {
    return as_value(static_cast<T>(combine_(as_number(left), as_number(right))));
  }
  [[nodiscard]] std::size_t bytes_of(std::size_t count) const override { return sizeof(T) * count; }
  [[nodiscard]] std::size_t stride() const override { return sizeof(T); }
  void write(std::byte* element, Value value) const override { std::memcpy(element, &value, sizeof(T)); }
  [[nodiscard]] Value read(const std::byte* element) const override {
    Value value = 0;
    std::memcpy(&value, element, sizeof(T));
    return value;
  }

 private:
  static Value as_value(T number) {
    Value value = 0;
    std::memcpy(&value, &number, sizeof number);
    return value;
  }
  static T as_number(Value value) {
    T number;
    std::memcpy(&number, &value, sizeof number);
    return number;
  }
  const char* name_;
  coll::Reduction reduction_;
  std::uint64_t mask_;
  Combine combine_;
};

// Maps with gaps between and before their parts, and a function of the user's that composes them, or adds them.
class Maps final : public Elements {
 public:
  enum class Combined { in_order, in_any_order };
  explicit Maps(Combined how, std::function<void()> in_between);
  [[nodiscard]] const char* name() const override { return how_ == Combined::in_order ? "composed" : "added"; }
  [[nodiscard]] const coll::Reduction& reduction() const override { return reduction_; }
  [[nodiscard]] Value drawn(std::uint64_t bits) const override {
    return packed(
        {static_cast<std::int32_t>(bits % Affine::kPrime), static_cast<std::int32_t>((bits >> 20) % Affine::kPrime)});
  }
  [[nodiscard]] Value combined(Value left, Value right) const override;
  [[nodiscard]] std::size_t bytes_of(std::size_t count) const override { return 16 * count + 32; }
  [[nodiscard]] std::size_t first() const override { return 16; }
  [[nodiscard]] std::size_t stride() const override { return 16; }
  void write(std::byte* element, Value value) const override {
    std::memcpy(element - 4, &value, 4);
    std::memcpy(element + 8, reinterpret_cast<const std::byte*>(&value) + 4, 4);
  }
  [[nodiscard]] Value read(const std::byte* element) const override {
    Value value = 0;
    std::memcpy(&value, element - 4, 4);
    std::memcpy(reinterpret_cast<std::byte*>(&value) + 4, element + 8, 4);
    return value;
  }

 private:
  static Value packed(const Affine& map) {
    return static_cast<std::uint32_t>(map.a) | static_cast<Value>(static_cast<std::uint32_t>(map.b)) << 32;
  }
  static Affine unpacked(Value value) {
    return {static_cast<std::int32_t>(value & 0xffff'ffff), static_cast<std::int32_t>(value >> 32)};
  }
  Combined how_;
  objects::Ref<objects::Datatype> type_;
  objects::Ref<objects::Op> op_;
  coll::Reduction reduction_;
};

// Memory of one rank for so many elements. Nobody may write between them.
class ElementBuffer {
 public:
  ElementBuffer(const Elements& elements, std::size_t count)
      : elements_(&elements), count_(count), memory_(elements.bytes_of(count), kUntouched) {}

  [[nodiscard]] Value at(std::size_t i) const { return elements_->read(memory_.data() + offset(i)); }
  void set(std::size_t i, Value value) { elements_->write(memory_.data() + offset(i), value); }
  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] coll::Vector vector(std::size_t first, std::size_t count) {
    return {memory_.data() + offset(first), count, elements_->reduction()};
  }
  [[nodiscard]] coll::Region region(std::size_t first, std::size_t count) { return vector(first, count).region(); }
  [[nodiscard]] coll::Region whole() { return region(0, count_); }
  // As if all elements had a value once more: then all memory is as it was.
  [[nodiscard]] bool gaps_untouched() const {
    ElementBuffer untouched(*elements_, count_);
    for (std::size_t i = 0; i < count_; ++i) untouched.set(i, at(i));
    return untouched.memory_ == memory_;
  }

 private:
  static constexpr std::byte kUntouched{0xee};
  [[nodiscard]] std::size_t offset(std::size_t i) const { return elements_->first() + i * elements_->stride(); }

  const Elements* elements_;
  std::size_t count_;
  std::vector<std::byte> memory_;
};

// All that there are, sums of 32-bit integers first. `in_between` is called by the user's functions each time, as
// such that call MPI.
inline constexpr int kElements = 7;
[[nodiscard]] std::vector<std::unique_ptr<Elements>> all_elements(const std::function<void()>& in_between);

}  // namespace antiphon::sim
