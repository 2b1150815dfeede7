#include "process/memory_kinds.hpp"

#include <algorithm>
#include <cstdlib>

#include "bootstrap/job_segment.hpp"

namespace antiphon::process {

namespace {

constexpr std::string_view kRestrictors[] = {"alloc_mem", "win_allocate", "win_allocate_shared"};

std::string_view take_until(char separator, std::string_view& text) {
  const std::string_view first = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), first.size() + 1));
  return first;
}

bool is_restricted_mpi(std::string_view kind) {
  if (take_until(':', kind) != "mpi" || kind.empty()) return false;
  while (!kind.empty())
    if (std::ranges::count(kRestrictors, take_until(':', kind)) == 0) return false;
  return true;
}

}  // namespace

std::string memory_kinds(std::string_view wanted) {
  std::string kinds = "mpi,system";
  while (!wanted.empty()) {
    const std::string_view kind = take_until(',', wanted);
    if (is_restricted_mpi(kind)) kinds.append(",").append(kind);
  }
  return kinds;
}

std::string memory_kinds_of_world() {
  const char* wanted = std::getenv(bootstrap::kMemoryKindsVariable);
  return memory_kinds(wanted ? wanted : "");
}

}  // namespace antiphon::process
