// Duplicates of communicators whose context id is not agreed on yet: MPI_Comm_idup, MPI 5.0, 7.4.2. Progress
// advances them, in whatever call the process is. Belongs to the Process; the lane's lock protects it.
#pragma once

#include <list>

#include "service/agreement.hpp"

namespace antiphon::service {

class Duplications final : public progress::Pusher {
 public:
  explicit Duplications(Toolbox tools) : tools_(tools) { tools_.progress.add(*this); }

  struct Started {
    Ref<Comm> copy;  // nothing may be done with it before the request is complete
    Ref<objects::Request> request;
  };
  [[nodiscard]] Started start(Comm& parent);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !pending_.empty(); }

 private:
  struct Pending {
    Pending(Toolbox tools, const Circle& circle, const Started& started)
        : agreement(tools, circle), copy(started.copy), request(started.request) {}
    Agreement agreement;
    Ref<Comm> copy;
    Ref<objects::Request> request;
  };
  // True when it is over, well or not.
  static bool advance(Pending& pending);

  Toolbox tools_;
  std::list<Pending> pending_;
};

}  // namespace antiphon::service
