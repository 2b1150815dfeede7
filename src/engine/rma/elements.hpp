// The elements of an accumulate: of one predefined datatype, in memory as C stores them, or packed, without the
// padding between the members of a pair. Which elements an operation uses at the target, and the operations on them.
// Values. The caller makes sure that nobody else uses the same elements at the same time.
#pragma once

#include <cstdint>
#include <span>

#include "engine/coll/arithmetic.hpp"
#include "engine/rma/transfer.hpp"

namespace antiphon::rma {

// How the elements of one kind lie in memory.
struct Shape {
  objects::Element kind;
  std::uint8_t bytes;   // packed
  std::uint8_t extent;  // in memory, from one element to the next
  std::uint8_t first;   // bytes of the first member, or of the whole element if it has one member
  std::uint8_t second;  // where the second member begins; 0: there is none

  [[nodiscard]] static Shape of(objects::Element kind);  // Element::none has none: all of it is 0
  [[nodiscard]] static Shape of(const objects::Datatype& predefined) { return of(predefined.element()); }
  // Whether elements in memory have the same bytes as packed ones.
  [[nodiscard]] bool is_dense() const { return bytes == extent; }
  // Bytes in memory from the beginning of the first element to the end of the last.
  [[nodiscard]] std::uint64_t span(std::uint64_t count) const {
    const unsigned last = second == 0 ? first : second + unsigned{bytes} - first;
    return count == 0 ? 0 : (count - 1) * extent + last;
  }
  bool operator==(const Shape&) const = default;
};

// Whether compare_and_swap allows it: types that have one bit pattern for each value (MPI 5.0, 12.3.4).
[[nodiscard]] inline bool can_be_compared(objects::Element kind) {
  return objects::is_integer(kind) || kind == objects::Element::byte || kind == objects::Element::boolean;
}

// A run of elements, `extent` bytes apart, from an address in the target's process on.
struct Elements {
  std::uint64_t address;
  std::uint64_t count;
};
// Lists the elements from packed byte `offset` of the target's side on, in as many runs as `found` has room for, but
// no more than `bytes` packed bytes. Returns the number of runs.
[[nodiscard]] std::size_t list_elements(const RemoteSide& remote, const Shape& shape, std::size_t offset,
                                        std::size_t bytes, std::span<Elements> found);

inline constexpr std::size_t kElements = static_cast<std::size_t>(objects::Element::double_double) + 1;

// An operation on elements of one shape.
class Combining {
 public:
  using Op = objects::Op::Kind;
  static constexpr std::size_t kOps = static_cast<std::size_t>(Op::users) + 1;

  Combining(Op op, const Shape& shape) : op_(op), shape_(shape) {
    if (op != Op::replace && op != Op::no_op) kernel_ = coll::arithmetic(op, shape.kind).into_left;
  }
  // Whether the operation is defined on the type. MPI_REPLACE and MPI_NO_OP are on all types.
  [[nodiscard]] bool is_defined() const { return kernel_ || op_ == Op::replace || op_ == Op::no_op; }

  [[nodiscard]] Op op() const { return op_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool has_operand() const { return op_ != Op::no_op; }

  // memory = memory op operand, for each element. The old values go to `fetched`, unless that is null. `operand` and
  // `fetched` are packed.
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
