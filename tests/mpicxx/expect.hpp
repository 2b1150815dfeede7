// What the programs of this folder share: C++11, and nothing of C's names but where a test is about them. An
// expectation that does not hold says where, and the program goes on and leaves with 1.
#pragma once

#include <mpicxx.h>

#include <cstdio>
#include <cstring>

namespace expect {

inline int& failures() {
  static int failures = 0;
  return failures;
}

inline void holds(bool condition, const char* text, const char* file, int line) {
  if (condition) return;
  ++failures();
  std::fprintf(stderr, "%s:%d: rank %d: %s\n", file, line, MPI::COMM_WORLD.Get_rank(), text);
}

}  // namespace expect

#define EXPECT(condition) expect::holds((condition), #condition, __FILE__, __LINE__)

// The statement throws an MPI::Exception of this class whose text names what is wrong.
#define EXPECT_THROWS(error_class, words, ...)                                                                 \
  do {                                                                                                         \
    bool thrown_ = false;                                                                                      \
    try {                                                                                                      \
      __VA_ARGS__;                                                                                             \
    } catch (const MPI::Exception& exception_) {                                                               \
      thrown_ = true;                                                                                          \
      expect::holds(exception_.Get_error_class() == (error_class), exception_.what(), __FILE__, __LINE__);     \
      expect::holds(std::strstr(exception_.Get_error_string(), words) != nullptr, exception_.what(), __FILE__, \
                    __LINE__);                                                                                 \
    }                                                                                                          \
    expect::holds(thrown_, #__VA_ARGS__ " throws", __FILE__, __LINE__);                                        \
  } while (false)

// Initializes, has errors of MPI_COMM_WORLD thrown, runs the tests; what main() returns.
template <class... Tests>
int run(Tests... tests) {
  MPI::Init();
  MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  const int in_order[] = {(tests(), 0)...};
  static_cast<void>(in_order);
  MPI::Finalize();
  return expect::failures() == 0 ? 0 : 1;
}
