// Operations that consist of others, such as MPI_Isendrecv. Such an operation is complete when all of its parts are.
// Its outcome is that of the first part, unless another part fails. It may own memory that its parts read. Progress
// checks the parts, because a part does not know to which operation it belongs. Belongs to the Process, after the
// engine of the parts; the lane protects it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "objects/request.hpp"
#include "progress/progress.hpp"

namespace antiphon::pt2pt {

class CombinedRequest final : public objects::Request {
 public:
  using Parts = std::vector<objects::Ref<objects::Request>>;

  CombinedRequest(objects::Comm& comm, Parts parts, std::unique_ptr<std::byte[]> memory);

  // Completes the operation if all parts are complete; returns whether they are.
  bool settle();
  [[nodiscard]] base::WaitReason reason() const override;  // that of the first incomplete part

 private:
  Parts parts_;  // at least one; none once it is complete
  std::unique_ptr<std::byte[]> memory_;
};

class Combined final : public progress::Pusher {
 public:
  explicit Combined(progress::Progress& progress) { progress.add(*this); }

  [[nodiscard]] objects::Ref<CombinedRequest> start(objects::Comm& comm, CombinedRequest::Parts parts,
                                                    std::unique_ptr<std::byte[]> memory = {});

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !under_way_.empty(); }

 private:
  std::vector<objects::Ref<CombinedRequest>> under_way_;
};

}  // namespace antiphon::pt2pt
