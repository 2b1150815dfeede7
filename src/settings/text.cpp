#include "settings/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "settings/table.hpp"

namespace antiphon::settings {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t value;
};

// From the largest to the smallest, as text_of() tries them.
constexpr Unit kBytes[] = {{"T", std::int64_t{1} << 40}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"", 1}};
constexpr Unit kTimes[] = {{"h", 3'600'000'000'000}, {"min", 60'000'000'000}, {"s", 1'000'000'000},
                           {"ms", 1'000'000},        {"us", 1'000},           {"ns", 1}};
constexpr Unit kCounts[] = {{"", 1}};

std::span<const Unit> units_of(Type type) {
  if (type == Type::bytes) return kBytes;
  if (type == Type::time) return kTimes;
  return kCounts;
}

const char* kind_of(Type type) {
  if (type == Type::bytes) return "number of bytes";
  if (type == Type::time) return "time";
  return "number";
}

const char* example_of(Type type) {
  if (type == Type::bytes) return ", as in 4096, 64K or 1M";
  if (type == Type::time) return ", as in 200us, 1ms or 2s";
  return "";
}

std::string lowered(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == '-') letter = '_';
  }
  return small;
}

// 64K and 64KiB and 64kb are the same number; a time needs a unit, unless it is 0.
std::optional<std::int64_t> unit_value(Type type, std::int64_t number, std::string_view written) {
  std::string unit = lowered(written);
  if (type == Type::bytes) {
    if (unit.ends_with("ib") && unit.size() == 3) unit.resize(1);
    if (unit.ends_with('b')) unit.pop_back();
  }
  if (type == Type::time && unit.empty() && number == 0) return 1;
  for (const Unit& known : units_of(type))
    if (lowered(known.name) == unit) return known.value;
  return std::nullopt;
}

[[noreturn]] void refuse(const Setting& setting, std::string_view text, std::string_view shown,
                         std::string_view why) {
  base::fail(abi::ERR_OTHER, fmt::format("{}='{}' is {} (valid: {}{})", shown, text, why, valid_for(setting),
                                         setting.choices.empty() ? example_of(setting.type) : ""));
}

std::int64_t choice_of(const Setting& setting, std::string_view text, std::string_view shown) {
  const auto found = std::ranges::find(setting.choices, lowered(text), lowered);
  if (found == setting.choices.end()) refuse(setting, text, shown, "not one of its values");
  return found - setting.choices.begin();
}

}  // namespace

std::span<const Setting> all() { return table; }

std::string variable_of(std::string_view name) {
  std::string variable(kVariablePrefix);
  for (const char letter : name)
    variable += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return variable;
}

std::string text_of(const Setting& setting, std::int64_t value) {
  if (!setting.choices.empty()) return std::string(setting.choices[static_cast<std::size_t>(value)]);
  if (value == 0) return setting.automatic.empty() ? "0" : "auto";
  for (const Unit& unit : units_of(setting.type))
    if (value % unit.value == 0) return fmt::format("{}{}", value / unit.value, unit.name);
  return fmt::format("{}", value);
}

std::string valid_for(const Setting& setting) {
  if (setting.choices.empty())
    return fmt::format("{} to {}{}", text_of(setting, setting.least), text_of(setting, setting.most),
                       setting.automatic.empty() ? "" : ", or auto");
  return fmt::format("{}", fmt::join(setting.choices, ", "));
}

std::int64_t value_of(const Setting& setting, std::string_view text, std::string_view shown) {
  if (!setting.choices.empty()) return choice_of(setting, text, shown);
  if (!setting.automatic.empty() && lowered(text) == "auto") return 0;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const auto unit = unit_value(setting.type, number, {stop, static_cast<std::size_t>(end - stop)});
  if (error == std::errc::invalid_argument || !unit)
    refuse(setting, text, shown, fmt::format("not a {}", kind_of(setting.type)));
  std::int64_t value = 0;
  if (error == std::errc::result_out_of_range || __builtin_mul_overflow(number, *unit, &value) ||
      value < setting.least || value > setting.most)
    refuse(setting, text, shown, "out of range");
  return value;
}

const Setting& named(std::string_view name, std::string_view shown) {
  const std::string wanted = lowered(name);
  std::vector<std::string_view> names;
  for (const Setting& setting : table) {
    if (setting.name == wanted) return setting;
    names.push_back(setting.name);
  }
  std::string meant;
  if (const auto nearest = base::nearest(wanted, names))
    meant = fmt::format(", did you mean '{}'?", shown == name ? std::string(*nearest) : variable_of(*nearest));
  base::fail(abi::ERR_OTHER,
             fmt::format("'{}' is not a setting{} (antiphon-info --settings lists all)", shown, meant));
}

}  // namespace antiphon::settings
