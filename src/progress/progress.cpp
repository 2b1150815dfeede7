#include "progress/progress.hpp"

#include <new>

#include "abi/constants.hpp"

namespace antiphon::progress {

void Progress::wait(const objects::Request& request) {
  wait([&] { return request.done(); }, [&] { return request.reason(); });
}

void Progress::fail() {
  base::Error error{abi::ERR_INTERN, "an unknown exception in the middle of progress"};
  try {
    throw;
  } catch (const ::abi::__forced_unwind&) {
    throw;
  } catch (const std::bad_alloc&) {
    error = {abi::ERR_NO_MEM,
             "out of memory for what has begun already, and the reserve is used up: the job cannot go on"};
  } catch (base::Error& known) {
    error = std::move(known);
  } catch (const std::exception& unexpected) {
    error.message = unexpected.what();
  } catch (...) {
  }
  if (end_job_) end_job_(error);
  std::terminate();
}

}  // namespace antiphon::progress
