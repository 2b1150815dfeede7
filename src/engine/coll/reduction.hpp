// How two vectors are combined: by which function, on elements of which type, and whether their order may be changed.
// The left operand is always that of the lower rank, so all ranks that compute a value get the same bits. A value;
// operation and datatype must outlive it.
#pragma once

#include <optional>

#include "engine/coll/arithmetic.hpp"
#include "engine/coll/region.hpp"
#include "objects/datatype.hpp"

namespace antiphon::coll {

class Reduction {
 public:
  // The operand in which the result is stored. A user's function changes the right operand in either case.
  enum class Into { left, right };

  // Empty if the operation is not defined on the type (MPI 5.0, 6.9.2), or is for one-sided communication only.
  [[nodiscard]] static std::optional<Reduction> of(const objects::Op& op, const objects::Datatype& type);
  // For the library's own needs: for elements without a datatype, and an operation that is defined on them.
  [[nodiscard]] static Reduction of(objects::Op::Kind op, objects::Element element, std::size_t element_bytes) {
    return {op, arithmetic(op, element), static_cast<std::int64_t>(element_bytes)};
  }

  // left op right, element by element. The vectors must not overlap; they are laid out as the datatype says.
  void operator()(std::byte* left, std::byte* right, std::size_t elements, Into into) const {
    if (users_) [[unlikely]]
      return run_users(left, right, elements, into);
    if (into == Into::left)
      arithmetic_.into_left(right, left, elements);
    else
      arithmetic_.into_right(left, right, elements);
  }

  // The same reduction, treated as one that does not commute.
  [[nodiscard]] Reduction in_order() const {
    Reduction alike = *this;
    alike.commutes_ = false;
    return alike;
  }
  // Whether operands may be combined in an order other than that of ranks. Even then, of two ranks the lower one has
  // the left operand.
  [[nodiscard]] bool commutes() const { return commutes_; }
  [[nodiscard]] objects::Op::Kind op() const { return op_; }
  // Whether a user's function does it: that may call MPI, so no lock may be held.
  [[nodiscard]] bool runs_user_code() const { return users_ != nullptr; }

  // Whether elements are contiguous, without gaps.
  [[nodiscard]] bool in_one_piece() const { return !users_ || type_->in_one_piece(); }
  // Bytes from one element to the next.
  [[nodiscard]] std::int64_t extent() const { return extent_; }
  // The data that is sent of the elements that begin at `first`. For a predefined operation they are sent with
  // their padding, as contiguous bytes; for a user's as their type map says.
  [[nodiscard]] Region region(std::byte* first, std::size_t elements) const {
    if (users_) [[unlikely]]
      return users_region(first, elements);
    return {first, elements * static_cast<std::size_t>(extent_)};
  }
  // How many bytes of memory elements need, and where in it the first element begins.
  struct Room {
    std::size_t bytes;
    std::int64_t first;
  };
  [[nodiscard]] Room room(std::size_t elements) const {
    if (users_) [[unlikely]]
      return users_room(elements);
    return {elements * static_cast<std::size_t>(extent_), 0};
  }

  // For code that keeps a reduction longer than its call.
  [[nodiscard]] const objects::Op* users_op() const { return users_; }
  [[nodiscard]] const objects::Datatype* users_type() const { return type_; }

 private:
  Reduction(objects::Op::Kind op, const Arithmetic& arithmetic, std::int64_t extent)
      : arithmetic_(arithmetic), extent_(extent), op_(op) {}
  Reduction(const objects::Op& op, const objects::Datatype& type)
      : users_(&op), type_(&type), extent_(type.extent()), op_(op.kind()), commutes_(op.commutes()) {}
  void run_users(std::byte* left, std::byte* right, std::size_t elements, Into into) const;
  [[nodiscard]] Region users_region(std::byte* first, std::size_t elements) const;
  [[nodiscard]] Room users_room(std::size_t elements) const;

  Arithmetic arithmetic_;
  const objects::Op* users_ = nullptr;       // null: a predefined operation
  const objects::Datatype* type_ = nullptr;  // passed to the user's function
  std::int64_t extent_;
  objects::Op::Kind op_;
  bool commutes_ = true;
};

// `elements` elements, from `first` on, and how they are reduced. The reduction must outlive it.
class Vector {
 public:
  Vector(const void* first, std::size_t elements, const Reduction& reduction)
      : first_(static_cast<std::byte*>(const_cast<void*>(first))), elements_(elements), reduction_(&reduction) {}

  [[nodiscard]] std::byte* first() const { return first_; }
  [[nodiscard]] std::size_t elements() const { return elements_; }
  [[nodiscard]] const Reduction& reduction() const { return *reduction_; }
  [[nodiscard, gnu::always_inline]] Region region() const { return reduction_->region(first_, elements_); }
  // The elements from `begin` to `end`.
  [[nodiscard]] Vector part(std::size_t begin, std::size_t end) const {
    return {first_ + static_cast<std::int64_t>(begin) * reduction_->extent(), end - begin, *reduction_};
  }

 private:
  std::byte* first_;
  std::size_t elements_;
  const Reduction* reduction_;
};

}  // namespace antiphon::coll
