#include "progress/progress.hpp"

namespace antiphon::progress {

void Progress::wait(const objects::Request& request) {
  wait([&] { return request.done(); }, [&] { return request.reason(); });
}

}  // namespace antiphon::progress
