#include "node/environment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bootstrap/job_segment.hpp"

namespace antiphon::launch {
namespace {

// The library does not read this variable; scripts that run between mpiexec and the program may.
constexpr const char* kSizeVariable = "ANTIPHON_SIZE";

bool sets(const std::string& entry, const std::string& name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

}  // namespace

RankEnvironment::RankEnvironment(const JobDescription& job, const App& app, int job_fd) : entries_(job.environment) {
  for (const std::vector<Variable>* variables : {&job.variables, &app.environment, &job.settings})
    for (const Variable& variable : *variables) set(variable.name, variable.value);
  set(bootstrap::kJobFdVariable, std::to_string(job_fd));
  set(kSizeVariable, std::to_string(job.ranks()));
  set(bootstrap::kRankVariable, "");
}

void RankEnvironment::set(const std::string& name, const std::string& value) {
  std::erase_if(entries_, [&](const std::string& entry) { return sets(entry, name); });
  entries_.push_back(name + "=" + value);
}

char* const* RankEnvironment::for_rank(int rank) {
  entries_.back() = fmt::format("{}={}", bootstrap::kRankVariable, rank);
  pointers_.clear();
  for (std::string& entry : entries_) pointers_.push_back(entry.data());
  pointers_.push_back(nullptr);
  return pointers_.data();
}

}  // namespace antiphon::launch
