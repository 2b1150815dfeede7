// What a test program needs: expectations that name the line and are counted, and the status to leave with.
#pragma once

#include <mpi.h>

#include <cstdio>

namespace expect {

inline int failures = 0;

inline void fail(const char* file, int line, const char* text, long found, long wanted) {
  ++failures;
  std::fprintf(stderr, "%s:%d: %s is %ld, expected %ld\n", file, line, text, found, wanted);
}

}  // namespace expect

#define EXPECT_EQUAL(found, wanted)                                                    \
  do {                                                                                 \
    const long found_ = static_cast<long>(found), wanted_ = static_cast<long>(wanted); \
    if (found_ != wanted_) expect::fail(__FILE__, __LINE__, #found, found_, wanted_);  \
  } while (false)
#define EXPECT_TRUE(condition) EXPECT_EQUAL(static_cast<bool>(condition), true)
// The class of what a call returns.
#define EXPECT_ERROR(call, wanted)    \
  do {                                \
    int class_ = -1;                  \
    MPI_Error_class((call), &class_); \
    EXPECT_EQUAL(class_, (wanted));   \
  } while (false)
#define EXPECT_SUCCESS(call) EXPECT_EQUAL((call), MPI_SUCCESS)
