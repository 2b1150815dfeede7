#include "engine/coll/boards/title.hpp"

#include <fmt/format.h>

#include "engine/coll/boards/use.hpp"

namespace antiphon::coll {

using objects::Op;

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
  const std::string op = board_use(operation(title)).combines
                             ? fmt::format(" and {}", Op::name_of(static_cast<Op::Kind>(bits(title, kOpAt, kBits))))
                             : "";
  return fmt::format("{} of {} bytes with root {}{}", procedure(title),
                     bytes == kMany ? "many" : fmt::format("{}", bytes), bits(title, 0, kBytesAt), op);
}

}  // namespace antiphon::coll
