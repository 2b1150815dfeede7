#include "api/windows/win_hints.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/comms/comm_hints.hpp"
#include "process/memory_kinds.hpp"

namespace antiphon::api {

using objects::Info;
using objects::Window;

namespace {

constexpr std::string_view kNoncontiguous = "alloc_shared_noncontig", kNoLocks = "no_locks", kSameSize = "same_size",
                           kSameUnit = "same_disp_unit", kOps = "accumulate_ops", kSameOp = "same_op",
                           kGranularity = "mpi_accumulate_granularity";

bool is_boolean(std::string_view text) { return text == "true" || text == "false"; }
bool is_set_of_operations(std::string_view text) { return text == kSameOp || text == "same_op_no_op"; }
std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}
bool is_number(std::string_view text) { return number_in(text).has_value(); }
// "none", or some of these, separated by commas.
bool is_ordering(std::string_view text) {
  if (text == "none") return true;
  while (true) {
    const std::string_view first = text.substr(0, text.find(','));
    if (first != "rar" && first != "raw" && first != "war" && first != "waw") return false;
    if (first.size() == text.size()) return true;
    text.remove_prefix(first.size() + 1);
  }
}

struct Hint {
  std::string_view key;
  std::string_view usual;
  bool (*is_valid)(std::string_view);
  bool at_first_only = false;  // says what is true from the beginning
  bool allocated_only = false;
};
constexpr Hint kHints[] = {
    {kNoLocks, "false", is_boolean},
    {"accumulate_ordering", "rar,raw,war,waw", is_ordering},
    {kOps, "same_op_no_op", is_set_of_operations},
    {kGranularity, "0", is_number, true},
    {kSameSize, "false", is_boolean, true},
    {kSameUnit, "false", is_boolean, true},
    {kNoncontiguous, "false", is_boolean, true, true},
};

bool applies(const Hint& hint, const Window& window) {
  using Flavor = Window::Flavor;
  return !hint.allocated_only || window.flavor() == Flavor::allocate || window.flavor() == Flavor::shared;
}

// A hint of a wrong value is none (MPI 5.0, 10).
const std::string* find(const Info* info, const Hint& hint) {
  const std::string* text = info ? info->find(hint.key) : nullptr;
  return text && hint.is_valid(*text) ? text : nullptr;
}

// By the program.
void give(Window& window, const Hint& hint, std::string_view value) {
  using Promised = Window::PromisedOps;
  window.hints().set(hint.key, value);
  if (hint.key == kNoLocks) window.set_has_no_locks(value == "true");
  if (hint.key == kOps) window.set_promised_ops(value == kSameOp ? Promised::same : Promised::same_or_none);
}

}  // namespace

void take_wishes(const Info* info, service::WindowOptions* options) {
  const auto says = [&](std::string_view key) {
    const std::string* text = info ? info->find(key) : nullptr;
    return text && *text == "true";
  };
  options->contiguous = !says(kNoncontiguous);
  options->same_size = says(kSameSize);
  options->same_disp_unit = says(kSameUnit);
  const std::string* const granularity = info ? info->find(kGranularity) : nullptr;
  options->accumulate_granularity = granularity ? number_in(*granularity).value_or(0) : 0;
}

void take_first_hints(Window& window, const Info* info) {
  for (const Hint& hint : kHints) {
    if (!applies(hint, window)) continue;
    if (const std::string* given = find(info, hint))
      give(window, hint, *given);
    else
      window.hints().set(hint.key, hint.usual);
  }
}

void win_set_info(Process&, Window& win, const Info* info) {
  for (const Hint& hint : kHints)
    if (const std::string* given = find(info, hint); given && !hint.at_first_only) give(win, hint, *given);
}

void win_get_info(Process& process, Window& win, MPI_Info* info_used) {
  check::not_null(info_used, "info_used");
  auto made = Info::copy_of(win.hints());
  made->set(process::kMemoryKindsKey, memory_kinds_of(process, win.comm().group()));
  *info_used = reinterpret_cast<MPI_Info>(anytime().add_info(std::move(made)));
}

}  // namespace antiphon::api
