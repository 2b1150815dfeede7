#include "engine/coll/recorder.hpp"

namespace antiphon::coll {

void Recorder::reduce(const Vector& left, const Vector& right, Reduction::Into into) {
  const Reduction& reduction = left.reduction();
  if (known_ != &reduction) {
    known_ = &reduction;
    plan_.reductions_.push_front(reduction);
    if (reduction.runs_user_code()) {
      keep(*reduction.users_type());
      plan_.operations_.push_back(objects::Ref<objects::Op>::share(const_cast<objects::Op&>(*reduction.users_op())));
    }
  }
  const Reduction& kept = plan_.reductions_.front();
  plan_.steps_.emplace_back(
      ReduceStep{{left.first(), left.elements(), kept}, {right.first(), right.elements(), kept}, into});
}

void Recorder::keep(const objects::Datatype& type) {
  if (!plan_.types_.empty() && plan_.types_.back().get() == &type) return;
  plan_.types_.push_back(objects::Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(type)));
}

}  // namespace antiphon::coll
