// A set of processes that the runtime knows by name (MPI 5.0, 11.3.2): the way from a session to a group.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "objects/group.hpp"

namespace antiphon::objects {

struct ProcessSet {
  std::string name;  // a URI
  Ref<Group> group;

  // Without regard to case.
  [[nodiscard]] bool is_called(std::string_view other) const {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(name, other, {}, lower, lower);
  }
};

}  // namespace antiphon::objects
