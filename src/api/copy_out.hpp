// Copies text into an array of the user's, whose capacity the standard defines or the user passes.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "api/check.hpp"

namespace antiphon::api {

// Copies as much as fits and a terminating null character, which `capacity` counts and `length` does not.
inline void copy_text(char* target, int* length, std::string_view text, std::size_t capacity) {
  const std::size_t bytes = std::min(text.size(), capacity - 1);
  std::memcpy(target, text.data(), bytes);
  target[bytes] = '\0';
  *length = static_cast<int>(bytes);
}

// For procedures with an in-out size argument: on entry *size is the capacity of `target`, on return the size of the
// whole text; both count the terminating null character. With *size = 0 nothing is copied (MPI 5.0, 10 and 11.3.3).
inline void copy_text_of_size(char* target, const char* argument, int* size, const char* size_argument,
                              std::string_view text) {
  if (*size < 0)
    base::fail(abi::ERR_ARG, fmt::format("{}={} is negative (valid: the number of characters that fit, 0 or more)",
                                         size_argument, *size));
  if (*size > 0) {
    check::not_null(target, argument);
    int length = 0;
    copy_text(target, &length, text, static_cast<std::size_t>(*size));
  }
  *size = static_cast<int>(text.size()) + 1;
}

}  // namespace antiphon::api
