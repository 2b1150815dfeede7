// What happens when a call fails: MPI 5.0, 9.3.
#pragma once

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Errhandler : public Refcounted {
 public:
  enum class Action { fatal, abort, return_code };

  explicit Errhandler(Action action) : action_(action) {}
  [[nodiscard]] Action action() const { return action_; }

 private:
  Action action_;
};

}  // namespace antiphon::objects
