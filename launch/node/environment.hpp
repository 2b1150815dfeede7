// The environment of a rank: that of mpiexec, plus the variables and settings of the command line, plus the variables
// of this job. If mpiexec itself is a rank of another job, these replace that job's variables.
#pragma once

#include <string>
#include <vector>

#include "node/description.hpp"

namespace antiphon::launch {

class RankEnvironment {
 public:
  // Prepares what is the same for all ranks of `app`.
  RankEnvironment(const JobDescription& job, const App& app, int job_fd);

  RankEnvironment(const RankEnvironment&) = delete;
  RankEnvironment& operator=(const RankEnvironment&) = delete;

  // For execve(2); valid until the next call.
  char* const* for_rank(int rank);

 private:
  void set(const std::string& name, const std::string& value);

  std::vector<std::string> entries_;  // NAME=VALUE; the last entry is the rank
  std::vector<char*> pointers_;
};

}  // namespace antiphon::launch
