// What MPI returns as a code is thrown as antiphon::error. This takes communicators whose errors return, which
// antiphon::environment sees to; elsewhere MPI ends the program before there is anything to throw.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace antiphon {

class error : public std::runtime_error {
 public:
  explicit error(int code) : std::runtime_error(sentence_of(code)), code_(code) {}
  error(int code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}

  [[nodiscard]] int code() const noexcept { return code_; }

  // MPI_ERR_RANK and so on: what to compare with.
  [[nodiscard]] int error_class() const noexcept {
    int result = MPI_ERR_UNKNOWN;
    MPI_Error_class(code_, &result);
    return result;
  }

 private:
  static std::string sentence_of(int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "MPI error " + std::to_string(code);
    return {text, static_cast<std::size_t>(length)};
  }

  int code_;
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(int code) { throw error(code); }

// Around every call of the C interface: two instructions where all is well.
inline void check(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    fail(code);
}

}  // namespace detail
}  // namespace antiphon
