// Operations of the program.
#pragma once

#include <antiphon/mpicxx/numbered.h>

namespace MPI {
namespace detail {

struct Reductions {
  typedef User_function function;
  typedef MPI_User_function c_function;
  static const char* name() { return "MPI::Op::Init"; }

  template <int number>
  static void in_c(void* in, void* inout, int* length, MPI_Datatype* datatype) {
    guarded([&] {
      Numbered<Reductions, number>::mine().load()(in, inout, *length, Datatype(*datatype));
      return MPI_SUCCESS;
    });
  }
};

inline MPI_User_function* in_c(User_function* function) { return Numbered<Reductions>::calling(function); }

}  // namespace detail
}  // namespace MPI
