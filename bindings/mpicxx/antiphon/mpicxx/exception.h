// MPI::Exception, and how an exception gets from where it arises to who called MPI. It arises inside MPI: in an error
// handler (MPI::ERRORS_THROW_EXCEPTIONS, or the program's own), in an attribute function, an operation. There it must
// not pass through the frames of a library that may be written in C, so it waits, a thread of its own each, until the
// call of MPI has come back.
#pragma once

#include <mpi.h>

#include <exception>

namespace MPI {

class Exception : public std::exception {
 public:
  explicit Exception(int error_code) : code_(error_code) {
    int length = 0;
    if (MPI_Error_string(error_code, text_, &length) != MPI_SUCCESS) text_[0] = '\0';
    if (MPI_Error_class(error_code, &class_) != MPI_SUCCESS) class_ = MPI_ERR_UNKNOWN;
  }

  int Get_error_code() const { return code_; }
  int Get_error_class() const { return class_; }
  const char* Get_error_string() const { return text_; }
  const char* what() const noexcept override { return text_; }

 private:
  int code_;
  int class_ = MPI_ERR_UNKNOWN;
  char text_[MPI_MAX_ERROR_STRING];
};

namespace detail {

struct Pending {
  std::exception_ptr exception;
  int code;  // that MPI was told
};

// What waits in this thread; mostly nothing. A template, as a header may define its static member without C++17.
template <class = void>
struct Waiting {
  static thread_local Pending* pending;
};

template <class Nothing>
thread_local Pending* Waiting<Nothing>::pending = nullptr;

// Runs code of the program on behalf of MPI, which gets the code that it returns or the one that its exception stands
// for.
template <class UserCode>
int guarded(UserCode user_code) {
  int code = MPI_ERR_OTHER;
  std::exception_ptr exception;
  try {
    return user_code();
  } catch (const Exception& thrown) {
    code = thrown.Get_error_code();
    exception = std::current_exception();
  } catch (...) {
    exception = std::current_exception();
  }
  // An error handler is told of what a function before it has thrown. That is the exception that the program wants.
  Pending*& pending = Waiting<>::pending;
  if (!pending)
    pending = new Pending{exception, code};
  else if (pending->code != code)
    *pending = Pending{exception, code};
  return code;
}

inline void throw_pending() {
  const std::exception_ptr exception = Waiting<>::pending->exception;
  delete Waiting<>::pending;
  Waiting<>::pending = nullptr;
  std::rethrow_exception(exception);
}

// After a call of C. Whether an error throws, its handler has decided, so what the procedure returned does not
// matter: with MPI::ERRORS_RETURN errors are ignored, and some libraries return MPI_SUCCESS when a handler of the
// program has been told.
inline void check(int /*code*/) {
  if (Waiting<>::pending) throw_pending();
}

}  // namespace detail
}  // namespace MPI
