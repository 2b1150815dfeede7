// Operations made of others, such as MPI_Isendrecv: over when all of their parts are, with the outcome of the first
// part, unless another one fails. They may own memory that their parts read. Progress looks after them, since a part
// does not know what it is part of. Belongs to the Process, after the engine of the parts; guarded by the lane's
// lock.
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

  explicit CombinedRequest(objects::Comm& comm) : Request(Kind::combined, objects::Ref<objects::Comm>::share(comm)) {}

  // Completes it if all parts are over.
  bool settle() noexcept;
  [[nodiscard]] base::WaitReason reason() const override;  // that of the first part under way

 private:
  friend class Combined;

  Parts parts_;  // at least one while it is under way
  std::unique_ptr<std::byte[]> memory_;
};

class Combined final : public progress::Pusher {
 public:
  explicit Combined(progress::Progress& progress) { progress.add(*this); }

  // One that has no parts yet, for whoever has to know before he begins some that nothing will fail afterwards.
  [[nodiscard]] objects::Ref<CombinedRequest> prepare(objects::Comm& comm);
  void start(const objects::Ref<CombinedRequest>& prepared, CombinedRequest::Parts parts,
             std::unique_ptr<std::byte[]> memory = {}) noexcept;

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !under_way_.empty(); }

 private:
  std::vector<objects::Ref<CombinedRequest>> under_way_;
};

}  // namespace antiphon::pt2pt
