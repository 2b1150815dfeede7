#include "engine/coll/reduction.hpp"

#include <algorithm>

#include "engine/data/place.hpp"

namespace antiphon::coll {

std::optional<Reduction> Reduction::of(const objects::Op& op, const objects::Datatype& type) {
  if (op.users()) return Reduction(op, type);
  const bool for_windows = op.kind() == objects::Op::Kind::replace || op.kind() == objects::Op::Kind::no_op;
  if (for_windows || !type.predefined()) return {};
  const Arithmetic ours = arithmetic(op.kind(), type.element());
  if (!ours) return {};
  return Reduction(op.kind(), ours, type.extent());
}

// A user's function always leaves the result in its right operand; for Into::left it is copied from there. The left
// operand is never passed as the right one, even if the operation is said to commute: rounding and NaNs may change
// bits.
void Reduction::run_users(std::byte* left, std::byte* right, std::size_t elements, Into into) const {
  users_->users()->apply(left, right, static_cast<std::int64_t>(elements), *type_);
  if (into == Into::right) return;
  const Region from = region(right, elements), to = region(left, elements);
  data::copy({from.at, from.scattered}, {to.at, to.scattered}, 0, to.bytes);
}

Region Reduction::users_region(std::byte* first, std::size_t elements) const {
  return Region(data::Buffer(first, static_cast<std::int64_t>(elements), *type_));
}

Reduction::Room Reduction::users_room(std::size_t elements) const {
  if (elements == 0) return {0, 0};
  const std::int64_t last = (static_cast<std::int64_t>(elements) - 1) * extent_;
  const std::int64_t low = type_->true_lb() + std::min<std::int64_t>(last, 0);
  const std::int64_t high = type_->true_lb() + type_->true_extent() + std::max<std::int64_t>(last, 0);
  return {static_cast<std::size_t>(high - low), -low};
}

}  // namespace antiphon::coll
