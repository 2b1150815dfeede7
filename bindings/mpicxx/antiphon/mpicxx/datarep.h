// The functions of data representations: C's are told an extra state, which leads to those of C++.
#pragma once

namespace MPI {
namespace detail {

struct DatarepFunctions {
  Datarep_conversion_function* read;
  Datarep_conversion_function* write;
  Datarep_extent_function* extent;
  void* extra_state;
};

template <Datarep_conversion_function* DatarepFunctions::*conversion>
int convert_data(void* userbuf, MPI_Datatype native, int count, void* filebuf, MPI_Offset position, void* state) {
  const DatarepFunctions& functions = *static_cast<DatarepFunctions*>(state);
  return guarded([&] {
    Datatype datatype(native);
    (functions.*conversion)(userbuf, datatype, count, filebuf, position, functions.extra_state);
    return MPI_SUCCESS;
  });
}

inline int extent_in_file(MPI_Datatype datatype, MPI_Aint* extent, void* state) {
  const DatarepFunctions& functions = *static_cast<DatarepFunctions*>(state);
  return guarded([&] {
    functions.extent(Datatype(datatype), *extent, functions.extra_state);
    return MPI_SUCCESS;
  });
}

// A data representation is there until the program ends, and so are its functions.
inline void register_datarep(const char* datarep, Datarep_conversion_function* read,
                             Datarep_conversion_function* write, Datarep_extent_function* extent, void* extra_state) {
  check(MPI_Register_datarep(datarep, read ? &convert_data<&DatarepFunctions::read> : MPI_CONVERSION_FN_NULL,
                             write ? &convert_data<&DatarepFunctions::write> : MPI_CONVERSION_FN_NULL, extent_in_file,
                             new DatarepFunctions{read, write, extent, extra_state}));
}

}  // namespace detail
}  // namespace MPI
