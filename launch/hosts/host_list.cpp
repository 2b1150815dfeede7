#include "hosts/host_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "bootstrap/node_segment.hpp"

namespace antiphon::launch {
namespace {

constexpr std::size_t kMostHosts = 100'000;

[[noreturn]] void wrong(std::string_view text, std::string_view why) {
  throw std::invalid_argument(
      fmt::format("'{}' {} (valid: hosts separated by commas, as in h1,h2:4 or n[1-16]:8)", text, why));
}

// Splits at commas outside of brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    depth += (c == '[') - (c == ']');
    if (depth < 0) wrong(text, "has a ] without its [");
    if (c != ',' || (depth > 0 && at < text.size())) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  if (depth != 0) wrong(text, "has a [ without its ]");
  return parts;
}

struct Range {
  int first, last;
  std::size_t width;  // with leading zeros
};

Range parse_range(std::string_view text, std::string_view whole) {
  const std::string_view first = text.substr(0, text.find('-'));
  const std::string_view last = first.size() == text.size() ? first : text.substr(first.size() + 1);
  Range range{.first = 0, .last = 0, .width = first.size()};
  const auto read = [&](std::string_view digits, int* number) {
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
    return error == std::errc{} && stop == digits.data() + digits.size() && digits.front() != '-';
  };
  if (first.empty() || last.empty() || !read(first, &range.first) || !read(last, &range.last) ||
      range.last < range.first)
    wrong(whole, fmt::format("has '{}' where a range of numbers should be", text));
  if (static_cast<std::size_t>(range.last - range.first) >= kMostHosts) wrong(whole, "names too many hosts");
  return range;
}

// What one part stands for: a name may have several brackets.
void expand(std::string_view part, std::string_view whole, const std::string& before,
            std::vector<std::string>* names) {
  const std::size_t open = part.find('[');
  if (open == std::string_view::npos) {
    if (names->size() >= kMostHosts) wrong(whole, "names too many hosts");
    names->push_back(before + std::string{part});
    return;
  }
  const std::size_t close = part.find(']');
  for (const std::string_view text : split(part.substr(open + 1, close - open - 1))) {
    const Range range = parse_range(text, whole);
    for (int number = range.first; number <= range.last; ++number)
      expand(part.substr(close + 1), whole,
             before + std::string{part.substr(0, open)} + fmt::format("{:0{}}", number, range.width), names);
  }
}

// A colon separates slots only if it is the only one, since an address of IPv6 has more, or follows such an address
// in brackets.
std::size_t colon_before_slots(std::string_view part) {
  const std::size_t colon = part.rfind(':');
  if (colon == std::string_view::npos || part.find(':') == colon) return colon;
  return part.starts_with('[') && part[colon - 1] == ']' ? colon : std::string_view::npos;
}

bool is_address_in_brackets(std::string_view names) {
  return names.starts_with('[') && names.ends_with(']') && names.find(':') != std::string_view::npos;
}

}  // namespace

std::optional<int> parse_slots(std::string_view text) {
  int slots = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), slots);
  if (error != std::errc{} || stop != text.data() + text.size() || slots < 1 ||
      slots > static_cast<int>(bootstrap::kMaxRanks))
    return std::nullopt;
  return slots;
}

std::vector<std::string> expand_names(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : split(text)) {
    if (part.empty()) wrong(text, "names no host");
    expand(part, text, "", &names);
  }
  return names;
}

std::vector<HostSlots> parse_hosts(std::string_view text) {
  std::vector<HostSlots> hosts;
  for (const std::string_view part : split(text)) {
    const std::size_t colon = colon_before_slots(part);
    const std::string_view names = part.substr(0, colon);
    if (names.empty()) wrong(text, "names no host");
    int slots = 0;
    if (colon != std::string_view::npos) {
      const std::string_view number = part.substr(colon + 1);
      const std::optional<int> parsed = parse_slots(number);
      if (!parsed)
        throw std::invalid_argument(fmt::format("'{}' is not a number of slots for {} (valid: 1 to {})", number,
                                                names, bootstrap::kMaxRanks));
      slots = *parsed;
    }
    if (is_address_in_brackets(names))
      hosts.push_back({.name = std::string{names.substr(1, names.size() - 2)}, .slots = slots});
    else
      for (std::string& name : expand_names(names)) hosts.push_back({.name = std::move(name), .slots = slots});
  }
  return hosts;
}

std::vector<HostSlots> merged(const std::vector<HostSlots>& hosts) {
  std::vector<HostSlots> all;
  for (const HostSlots& host : hosts) {
    const auto known = std::ranges::find(all, host.name, &HostSlots::name);
    if (known == all.end()) {
      all.push_back(host);
      continue;
    }
    known->slots = std::max(known->slots, 1) + std::max(host.slots, 1);
    known->max_slots = std::max(known->max_slots, host.max_slots);
  }
  return all;
}

}  // namespace antiphon::launch
