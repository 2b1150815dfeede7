// What happens when a call fails: MPI 5.0, 9.3. Immutable, and shared by what it is set on and by its handle, which
// may be freed by a thread that holds no lane: hence the atomic count.
#pragma once

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Errhandler : public SharedByThreads {
 public:
  enum class Action { fatal, abort, return_code, call_user };
  // What the user's function expects. A predefined error handler suits every kind of object.
  enum class Kind { any, comm, window, file, session };
  using UserFunction = void (*)();  // whose true type follows from the kind

  explicit Errhandler(Action action) : action_(action) {}
  Errhandler(Kind objects, UserFunction user) : action_(Action::call_user), kind_(objects), function_(user) {}

  [[nodiscard]] Action action() const { return action_; }
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] UserFunction function() const { return function_; }
  [[nodiscard]] bool suits(Kind objects) const { return kind_ == Kind::any || kind_ == objects; }

 private:
  Action action_;
  Kind kind_ = Kind::any;
  UserFunction function_ = nullptr;
};

}  // namespace antiphon::objects
