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
  int code = MPI_SUCCESS;  // that MPI was told
};

inline Pending& pending() {
  static thread_local Pending pending;
  return pending;
}

// Runs code of the program on behalf of MPI, which gets the code that it returns or the one that its exception stands
// for.
template <class UserCode>
int guarded(UserCode code) {
  Pending caught;
  try {
    return code();
  } catch (const Exception& exception) {
    caught.code = exception.Get_error_code();
    caught.exception = std::current_exception();
  } catch (...) {
    caught.code = MPI_ERR_OTHER;
    caught.exception = std::current_exception();
  }
  // An error handler is told of what a function before it has thrown. That is the exception that the program wants.
  if (!pending().exception || pending().code != caught.code) pending() = caught;
  return caught.code;
}

inline void throw_pending() {
  if (!pending().exception) return;
  const std::exception_ptr exception = pending().exception;
  pending() = Pending();
  std::rethrow_exception(exception);
}

// What a C procedure returned. Whether an error throws, its handler has decided; MPI::ERRORS_RETURN means that it is
// ignored.
inline void check(int code) {
  if (code != MPI_SUCCESS) throw_pending();
}

// After calls that run code of the program which cannot tell MPI that it has failed.
inline void check_user_code(int /*code*/) { throw_pending(); }

}  // namespace detail
}  // namespace MPI
