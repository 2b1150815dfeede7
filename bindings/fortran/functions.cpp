#include "functions.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "handles.hpp"

namespace antiphon::fortran {

namespace {

// Kind has C and Fortran, two types of functions, and call<slot>, which calls the Fortran function of that slot.
template <class Kind>
class Pool {
 public:
  static typename Kind::C* c_function(typename Kind::Fortran* function) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      auto* const taken = functions[slot].load();
      if (taken && taken != function) continue;
      functions[slot] = function;
      return c_functions(std::make_index_sequence<kSlots>())[slot];
    }
    return nullptr;
  }

  static typename Kind::Fortran* at(std::size_t slot) { return functions[slot]; }

 private:
  static constexpr std::size_t kSlots = 256;

  template <std::size_t... slots>
  static const std::array<typename Kind::C*, kSlots>& c_functions(std::index_sequence<slots...>) {
    static constexpr std::array<typename Kind::C*, kSlots> all = {&Kind::template call<slots>...};
    return all;
  }

  static inline std::array<std::atomic<typename Kind::Fortran*>, kSlots> functions;
};

template <class Count, class CFunction, class FortranFunction>
struct Operation {
  using C = CFunction;
  using Fortran = FortranFunction;
  template <std::size_t slot>
  static void call(void* invec, void* inoutvec, Count* len, MPI_Datatype* datatype) {
    int number = Numbers<MPI_Datatype>::to(*datatype);
    Pool<Operation>::at(slot)(invec, inoutvec, len, &number);
  }
};

template <class Handle, class CFunction>
struct Errhandler {
  using C = CFunction;
  using Fortran = Fortran_errhandler;
  template <std::size_t slot>
  static void call(Handle* handle, int* error_code, ...) {
    int number = Numbers<Handle>::to(*handle);
    Pool<Errhandler>::at(slot)(&number, error_code);
  }
};

}  // namespace

MPI_User_function* operation(Fortran_operation* function) {
  return Pool<Operation<int, MPI_User_function, Fortran_operation>>::c_function(function);
}

MPI_User_function_c* operation_c(Fortran_operation_c* function) {
  return Pool<Operation<MPI_Count, MPI_User_function_c, Fortran_operation_c>>::c_function(function);
}

MPI_Comm_errhandler_function* comm_errhandler(Fortran_errhandler* function) {
  return Pool<Errhandler<MPI_Comm, MPI_Comm_errhandler_function>>::c_function(function);
}

MPI_File_errhandler_function* file_errhandler(Fortran_errhandler* function) {
  return Pool<Errhandler<MPI_File, MPI_File_errhandler_function>>::c_function(function);
}

MPI_Session_errhandler_function* session_errhandler(Fortran_errhandler* function) {
  return Pool<Errhandler<MPI_Session, MPI_Session_errhandler_function>>::c_function(function);
}

MPI_Win_errhandler_function* win_errhandler(Fortran_errhandler* function) {
  return Pool<Errhandler<MPI_Win, MPI_Win_errhandler_function>>::c_function(function);
}

}  // namespace antiphon::fortran
