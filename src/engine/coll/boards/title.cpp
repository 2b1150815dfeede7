#include "engine/coll/boards/title.hpp"

#include <fmt/format.h>

namespace antiphon::coll {

namespace {
std::size_t bits(std::int64_t title, int first, int end) {
  return static_cast<std::size_t>(title >> first & ((std::int64_t{1} << (end - first)) - 1));
}
}  // namespace

std::string Title::procedure(std::int64_t title) {
  const std::string_view name = name_of(operation(title));
  return fmt::format("MPI_{:c}{}", name[0] - 'a' + 'A', name.substr(1));
}

std::string Title::describe(std::int64_t title) {
  const std::size_t bytes = bits(title, kBytesAt, kOperationAt);
  return fmt::format("{} of {} bytes with root {}", procedure(title),
                     bytes == kMany ? "many" : fmt::format("{}", bytes), bits(title, 0, kBytesAt));
}

}  // namespace antiphon::coll
