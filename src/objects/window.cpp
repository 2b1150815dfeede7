#include "objects/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "base/error.hpp"

namespace antiphon::objects {

Window::Window(Parts parts)
    : ErrorScope(std::move(parts.errhandler)),
      flavor_(parts.flavor),
      comm_(std::move(parts.comm)),
      mine_(parts.mine),
      allocated_(parts.allocated),
      maker_(std::move(parts.maker)),
      size_attribute_(static_cast<std::intptr_t>(mine_.bytes)),
      disp_unit_attribute_(mine_.disp_unit <= INT_MAX ? static_cast<int>(mine_.disp_unit) : abi::UNDEFINED),
      flavor_attribute_(static_cast<int>(flavor_)) {}

std::string Window::title() const {
  return name_.empty() ? fmt::format("a window of {}", maker_.for_messages()) : name_;
}

void Window::attach(void* base, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  const auto next = attached_.lower_bound(first);
  const auto overlaps = [&](const auto& piece) {
    return piece.first == first || (piece.first < first + bytes && first < piece.first + piece.second);
  };
  for (auto piece : {next, next == attached_.begin() ? next : std::prev(next)})
    if (piece != attached_.end() && overlaps(*piece))
      base::fail(abi::ERR_RMA_ATTACH,
                 fmt::format("base={} and {} bytes from there: {} bytes from {:#x} on are attached already", base,
                             bytes, piece->second, piece->first));
  attached_.emplace(first, bytes);
}

bool Window::detach(const void* base) { return attached_.erase(reinterpret_cast<std::uintptr_t>(base)) != 0; }

bool Window::is_attached(std::uint64_t address, std::uint64_t bytes) const {
  auto piece = attached_.upper_bound(address);
  if (piece == attached_.begin()) return false;
  for (--piece; piece != attached_.end() && piece->first <= address; ++piece) {
    const std::uint64_t offset = address - piece->first;
    if (offset > piece->second) return false;
    if (bytes <= piece->second - offset) return true;
    bytes -= piece->second - offset;
    address = piece->first + piece->second;
  }
  return false;
}

bool Window::uses(const void* start, std::size_t bytes) const {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const auto overlaps = [&](std::uint64_t address, std::uint64_t length) {
    return length != 0 && address < first + bytes && first < address + length;
  };
  if (overlaps(reinterpret_cast<std::uintptr_t>(mine_.base), mine_.bytes)) return true;
  return std::ranges::any_of(attached_, [&](const auto& piece) { return overlaps(piece.first, piece.second); });
}

std::optional<void*> Window::predefined_attribute(int keyval) {
  switch (keyval) {
    case abi::WIN_BASE:
      return mine_.base;
    case abi::WIN_SIZE:
      return &size_attribute_;
    case abi::WIN_DISP_UNIT:
      return &disp_unit_attribute_;
    case abi::WIN_CREATE_FLAVOR:
      return &flavor_attribute_;
    case abi::WIN_MODEL:
      return &model_attribute_;
    default:
      return {};
  }
}

}  // namespace antiphon::objects
