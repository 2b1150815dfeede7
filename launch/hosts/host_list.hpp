// The hosts that a user, a file or a resource manager names, and how many ranks each should get. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace antiphon::launch {

struct HostSlots {
  std::string name;
  int slots = 0;      // how many ranks it should get before the next host gets any; 0: not said, so 1
  int max_slots = 0;  // how many ranks it may get; 0: any number

  bool operator==(const HostSlots&) const = default;
};

// Reads "h1:4,h2", "n[1-3,07]:2,h2": hosts separated by commas, each with slots if a colon follows, and with ranges
// of numbers in brackets as Slurm writes them. An address of IPv6 that has slots is in brackets: "[fd00::1]:4".
// Throws std::invalid_argument, with what is wrong and what is valid.
[[nodiscard]] std::vector<HostSlots> parse_hosts(std::string_view text);

// The names "n[1-3,07]" and "h2" stand for, in order: commas and ranges only. Throws std::invalid_argument.
[[nodiscard]] std::vector<std::string> expand_names(std::string_view text);

// A number of slots; nothing if it is none.
[[nodiscard]] std::optional<int> parse_slots(std::string_view text);

// Hosts that are named several times are one, with all slots.
[[nodiscard]] std::vector<HostSlots> merged(const std::vector<HostSlots>& hosts);

}  // namespace antiphon::launch
