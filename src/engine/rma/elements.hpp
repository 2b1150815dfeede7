// The elements of an accumulate: of one predefined datatype, in memory as C stores them, or packed, without the
// padding between the members of a pair; where those of an operation are at the target; and the operations on
// them. Values. The caller excludes others who use the same elements.
#pragma once

#include <cstdint>
#include <span>

#include "engine/coll/arithmetic.hpp"
#include "engine/rma/transfer.hpp"

namespace antiphon::rma {

// What the target has to know of a datatype.
struct Shape {
  objects::Element kind;
  std::uint8_t bytes;   // packed
  std::uint8_t extent;  // from one in memory to the next
  std::uint8_t first;   // bytes of the first member; of all, if there is no second
  std::uint8_t second;  // where the second member begins

  [[nodiscard]] static Shape of(const objects::Datatype& predefined);
  // Whether elements in memory are as they are packed.
  [[nodiscard]] bool is_dense() const { return bytes == extent; }
  // Bytes of memory from the first of some elements to the end of the last.
  [[nodiscard]] std::uint64_t span(std::uint64_t count) const {
    const unsigned last = second == 0 ? first : second + unsigned{bytes} - first;
    return count == 0 ? 0 : (count - 1) * extent + last;
  }
  bool operator==(const Shape&) const = default;
};

// For compare_and_swap: what has a bit pattern for each value (MPI 5.0, 12.3.4).
[[nodiscard]] inline bool can_be_compared(objects::Element kind) {
  return objects::is_integer(kind) || kind == objects::Element::byte || kind == objects::Element::boolean;
}

// Elements that follow each other, `extent` bytes apart, at an address of the target's.
struct Elements {
  std::uint64_t address;
  std::uint64_t count;
};
// Those that begin at packed byte `offset` of what is at the target, as many as `found` has room for, and no more
// than `bytes` packed bytes of them. Returns how many runs there are.
[[nodiscard]] std::size_t list_elements(const RemoteSide& remote, const Shape& shape, std::size_t offset,
                                        std::size_t bytes, std::span<Elements> found);

// An operation on elements of a shape.
class Combining {
 public:
  using Op = objects::Op::Kind;

  Combining(Op op, const Shape& shape) : op_(op), shape_(shape) {
    if (op != Op::replace && op != Op::no_op) kernel_ = coll::arithmetic(op, shape.kind).into_left;
  }
  // Whether there is such an operation. Those that only move values are there for all.
  [[nodiscard]] bool is_defined() const { return kernel_ || op_ == Op::replace || op_ == Op::no_op; }

  [[nodiscard]] Op op() const { return op_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool has_operand() const { return op_ != Op::no_op; }

  // memory = memory op operand, element by element. What was in memory before goes to `fetched`, unless that is null.
  // Operand and fetched are packed.
  void operator()(std::byte* memory, const std::byte* operand, std::byte* fetched, std::size_t count) const;

 private:
  void pack(const std::byte* memory, std::byte* packed, std::size_t count) const;
  void unpack(const std::byte* packed, std::byte* memory, std::size_t count) const;
  void combine_copies(std::byte* memory, const std::byte* operand, std::size_t count) const;

  Op op_;
  Shape shape_;
  coll::Kernel* kernel_ = nullptr;
};

}  // namespace antiphon::rma
