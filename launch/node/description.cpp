#include "node/description.hpp"

namespace antiphon::launch {

std::size_t app_of(const JobDescription& job, int rank) {
  std::size_t app = 0;
  for (int rest = rank; rest >= job.apps[app].ranks; ++app) rest -= job.apps[app].ranks;
  return app;
}

}  // namespace antiphon::launch
