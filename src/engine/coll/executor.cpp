#include "engine/coll/executor.hpp"

#include "base/error.hpp"

namespace antiphon::coll {

void Executor::fence() {
  for (const auto& request : pending_) pt2pt_.wait(*request);
  std::vector<objects::Ref<objects::Request>> done = std::move(pending_);
  pending_.clear();
  for (const auto& request : done)
    if (request->outcome.error != 0) [[unlikely]]
      base::fail(request->outcome.error, *request->error_text + "; do all ranks pass the same count and type?");
}

}  // namespace antiphon::coll
