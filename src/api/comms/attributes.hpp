// Adapters between the user's attribute functions, which take different types of handles, and the callbacks of the
// core.
#pragma once

#include <fmt/format.h>

#include "base/error.hpp"
#include "mpi.h"
#include "objects/keyval.hpp"
#include "process/process.hpp"
#include "progress/user_code.hpp"

namespace antiphon::api {

// The keys of one kind of object, as messages name them.
struct KeyKind {
  objects::Keyval::Kind kind;
  const char* create;  // the procedure that makes them
  const char* argument;
};
inline constexpr KeyKind kCommKeys{objects::Keyval::Kind::comm, "MPI_Comm_create_keyval", "comm_keyval"};
inline constexpr KeyKind kTypeKeys{objects::Keyval::Kind::datatype, "MPI_Type_create_keyval", "type_keyval"};
inline constexpr KeyKind kWinKeys{objects::Keyval::Kind::window, "MPI_Win_create_keyval", "win_keyval"};

// Null functions and the ABI's predefined ones become empty callbacks or those of our own.
template <class Handle, class CopyFunction, class DeleteFunction>
objects::Keyval::Callbacks attribute_callbacks(process::Process& process, CopyFunction* copy, DeleteFunction* remove,
                                               void* extra_state) {
  objects::Keyval::Callbacks made;
  if (copy == reinterpret_cast<CopyFunction*>(abi::COMM_DUP_FN)) {
    made.copy = [](std::uintptr_t, int, void* value, void** copied, bool* keep) {
      *copied = value;
      *keep = true;
      return MPI_SUCCESS;
    };
  } else if (copy) {
    made.copy = [=, &process](std::uintptr_t object, int keyval, void* value, void** copied, bool* keep) {
      const progress::UserCode running(process.lane());
      int flag = 0;
      const int code = copy(reinterpret_cast<Handle>(object), keyval, extra_state, value, copied, &flag);
      *keep = flag != 0;
      return code;
    };
  }
  if (remove) {
    made.remove = [=, &process](std::uintptr_t object, int keyval, void* value) {
      const progress::UserCode running(process.lane());
      return remove(reinterpret_cast<Handle>(object), keyval, value, extra_state);
    };
  }
  return made;
}

// What duplicating an object does to its attributes, once the copy has its handle. When a copy function fails, what
// was copied before is deleted again, the handle of the copy ends, and the call fails.
template <class Object>
void copy_attributes(objects::HandleTable<Object>& handles, Object& from, Object& copy) {
  const auto alive = objects::Ref<Object>::share(from);
  try {
    from.attributes().copy_to(copy.attributes(), from.handle());
  } catch (...) {
    try {
      copy.attributes().clear(copy.handle());
    } catch (const base::Error&) {
      // The copy function's error is the one to tell.
    }
    (void)handles.erase(copy.handle());
    throw;
  }
}

}  // namespace antiphon::api
