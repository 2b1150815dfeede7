// The environment of a rank: that of mpiexec, without the variables of a job that mpiexec itself may be a rank of,
// plus what the command line sets, settings included, and the variables of this job.
#pragma once

#include <string>
#include <vector>

#include "mpiexec/options.hpp"

namespace antiphon::launch {

class RankEnvironment {
 public:
  // `inherited` as in environ(7). What is the same for all ranks of `app` is put together once.
  RankEnvironment(const char* const* inherited, const JobOptions& job, const App& app, int job_fd);

  RankEnvironment(const RankEnvironment&) = delete;
  RankEnvironment& operator=(const RankEnvironment&) = delete;

  // For execve, valid until the next call.
  char* const* for_rank(int rank);

 private:
  void set(const std::string& name, const std::string& value);

  std::vector<std::string> entries_;  // NAME=VALUE; the last one is the rank's
  std::vector<char*> pointers_;
};

}  // namespace antiphon::launch
