// Synchronization in which the target takes part: MPI 5.0, 12.5.1 and 12.5.2.
#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Group;
using objects::Window;

namespace {

// An assertion is some of these, or 0.
void check_assertion(int assertion, int valid, const char* names) {
  if ((assertion & ~valid) != 0)
    base::fail(abi::ERR_ASSERT,
               fmt::format("assert={} is not valid (valid: 0, or a combination of {})", assertion, names));
}

}  // namespace

void win_fence(Process& process, int assertion, Window& win) {
  check_assertion(assertion, abi::MODE_NOSTORE | abi::MODE_NOPUT | abi::MODE_NOPRECEDE | abi::MODE_NOSUCCEED,
                  "MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED");
  process.active_target().fence(win.state(), assertion);
}

void win_post(Process& process, Group& group, int assertion, Window& win) {
  check_assertion(assertion, abi::MODE_NOCHECK | abi::MODE_NOSTORE | abi::MODE_NOPUT,
                  "MPI_MODE_NOCHECK, MPI_MODE_NOSTORE and MPI_MODE_NOPUT");
  process.active_target().post(win.state(), group, assertion);
}

void win_start(Process& process, Group& group, int assertion, Window& win) {
  check_assertion(assertion, abi::MODE_NOCHECK, "MPI_MODE_NOCHECK");
  process.active_target().start(win.state(), group, assertion);
}

void win_complete(Process& process, Window& win) { process.active_target().complete(win.state()); }

void win_wait(Process& process, Window& win) { process.active_target().wait(win.state()); }

void win_test(Process& process, Window& win, int* flag) {
  check::not_null(flag, "flag");
  *flag = process.active_target().test(win.state()) ? 1 : 0;
}

}  // namespace antiphon::api
