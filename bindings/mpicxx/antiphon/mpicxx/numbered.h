// C callbacks that are told nothing of the program's, and so have a C++ function each.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace MPI {
namespace detail {

// The C function of number 0, 1, ... calls the C++ function that was given this number, for good: how many different
// ones there are is a matter of the program's text. `Kind` has the two function types and the C functions, as
// `in_c<number>`.
template <class Kind, int number = 0>
struct Numbered {
  typedef typename Kind::function function;

  static std::atomic<function*>& mine() {
    static std::atomic<function*> mine{nullptr};
    return mine;
  }

  static typename Kind::c_function* calling(function* wanted) {
    function* expected = nullptr;
    if (mine().compare_exchange_strong(expected, wanted) || expected == wanted) return &Kind::template in_c<number>;
    return Numbered<Kind, number + 1>::calling(wanted);
  }
};

enum { most_functions = 128 };

template <class Kind>
struct Numbered<Kind, most_functions> {
  static typename Kind::c_function* calling(typename Kind::function*) {
    throw std::length_error(std::string(Kind::name()) + ": 128 different functions are in use already");
  }
};

}  // namespace detail
}  // namespace MPI
