#include "engine/io/shared_pointer.hpp"

namespace antiphon::io {

SharedPointer::SharedPointer(const Tools& tools, objects::Ref<objects::Window> window,
                             objects::Ref<objects::Datatype> offset)
    : tools_(tools), window_(std::move(window)), offset_(std::move(offset)) {
  tools_.passive_target.lock_all(window_->state(), rma::PassiveTarget::Check::no);
}

void SharedPointer::leave() { tools_.passive_target.unlock_all(window_->state()); }

// Both numbers stay where they are until the operation is complete.
std::int64_t SharedPointer::fetch_and(objects::Op::Kind op, std::int64_t operand) {
  std::int64_t before = 0;
  const auto side = [](std::int64_t& number) { return rma::LocalSide{reinterpret_cast<std::byte*>(&number), {}}; };
  const rma::Combining combining(op, rma::Shape::of(*offset_));
  objects::Ref<rma::OperationRequest> request;
  tools_.accumulates.begin(window_->state(), combining, side(operand), side(before),
                           {.target = 0, .displacement = 0, .count = 1, .type = *offset_, .bytes = sizeof before},
                           sizeof before, &request);
  if (request) tools_.progress.wait(*request);
  return before;
}

}  // namespace antiphon::io
