// Error handlers of the program, and MPI::ERRORS_THROW_EXCEPTIONS.
#pragma once

#include <antiphon/mpicxx/argument.h>
#include <antiphon/mpicxx/numbered.h>

namespace MPI {
namespace detail {

template <class Object>
struct ErrorHandlers {
  typedef typename Object::native_type native_type;
  typedef typename Object::Errhandler_function function;
  typedef void c_function(native_type*, int*, ...);
  static const char* name() { return "MPI::...::Create_errhandler"; }

  template <int number>
  static void in_c(native_type* native, int* error_code, ...) {
    const int code = *error_code;
    int in_cxx = code;
    guarded([&] {
      Numbered<ErrorHandlers, number>::mine().load()(Argument<Object>(*native).get(), &in_cxx);
      return MPI_SUCCESS;
    });
  }
};

inline int create_errhandler_in_c(MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler) {
  return MPI_Comm_create_errhandler(function, errhandler);
}
inline int create_errhandler_in_c(MPI_Win_errhandler_function* function, MPI_Errhandler* errhandler) {
  return MPI_Win_create_errhandler(function, errhandler);
}
inline int create_errhandler_in_c(MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  return MPI_File_create_errhandler(function, errhandler);
}

inline int set_errhandler_in_c(MPI_Comm comm, MPI_Errhandler errhandler) {
  return MPI_Comm_set_errhandler(comm, errhandler);
}
inline int set_errhandler_in_c(MPI_Win win, MPI_Errhandler errhandler) {
  return MPI_Win_set_errhandler(win, errhandler);
}
inline int set_errhandler_in_c(MPI_File file, MPI_Errhandler errhandler) {
  return MPI_File_set_errhandler(file, errhandler);
}

inline int get_errhandler_in_c(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return MPI_Comm_get_errhandler(comm, errhandler);
}
inline int get_errhandler_in_c(MPI_Win win, MPI_Errhandler* errhandler) {
  return MPI_Win_get_errhandler(win, errhandler);
}
inline int get_errhandler_in_c(MPI_File file, MPI_Errhandler* errhandler) {
  return MPI_File_get_errhandler(file, errhandler);
}

template <class Native>
void throw_exception(Native* /*object*/, int* error_code, ...) {
  const int code = *error_code;
  guarded([&]() -> int { throw Exception(code); });
}

// MPI::ERRORS_THROW_EXCEPTIONS is one error handler in C++ and one for each kind of object in C, made when it is
// first set.
template <class Native>
MPI_Errhandler throws_exceptions_in_c() {
  static const MPI_Errhandler handler = [] {
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    check(create_errhandler_in_c(&throw_exception<Native>, &made));
    return made;
  }();
  return handler;
}

template <class Object>
Errhandler create_errhandler(typename Object::Errhandler_function* function) {
  MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
  check(create_errhandler_in_c(Numbered<ErrorHandlers<Object>>::calling(function), &errhandler));
  return errhandler;
}

template <class Object>
void set_errhandler(typename Object::native_type native, MPI_Errhandler errhandler) {
  const bool throws = errhandler == throws_exceptions();
  check(set_errhandler_in_c(native, throws ? throws_exceptions_in_c<typename Object::native_type>() : errhandler));
}

template <class Object>
Errhandler get_errhandler(typename Object::native_type native) {
  MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
  check(get_errhandler_in_c(native, &errhandler));
  if (errhandler != throws_exceptions_in_c<typename Object::native_type>()) return errhandler;
  check(MPI_Errhandler_free(&errhandler));  // the reference that came with it; what C++ shows in its place needs none
  return throws_exceptions();
}

inline void free_errhandler(MPI_Errhandler& errhandler) {
  if (errhandler == throws_exceptions())
    errhandler = MPI_ERRHANDLER_NULL;
  else
    check(MPI_Errhandler_free(&errhandler));
}

}  // namespace detail

const Errhandler ERRORS_THROW_EXCEPTIONS(detail::throws_exceptions());

}  // namespace MPI
