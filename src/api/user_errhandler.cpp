#include "api/user_errhandler.hpp"

namespace antiphon::api {

namespace {

template <class Handle, class Function>
void call(objects::Errhandler::UserFunction function, std::uintptr_t value, int code) {
  auto handle = reinterpret_cast<Handle>(value);
  reinterpret_cast<Function*>(function)(&handle, &code);
}

}  // namespace

void UserErrhandler::operator()() {
  using Kind = objects::Errhandler::Kind;
  switch (kind) {
    case Kind::comm:
      return call<MPI_Comm, MPI_Comm_errhandler_function>(function, handle, code);
    case Kind::window:
      return call<MPI_Win, MPI_Win_errhandler_function>(function, handle, code);
    case Kind::file:
      return call<MPI_File, MPI_File_errhandler_function>(function, handle, code);
    case Kind::session:
      return call<MPI_Session, MPI_Session_errhandler_function>(function, handle, code);
    case Kind::any:
      return;  // predefined ones have no function
  }
}

}  // namespace antiphon::api
