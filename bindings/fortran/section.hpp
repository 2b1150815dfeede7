// A choice buffer of mpi_f08 with its count and datatype, as C takes them. An array section that is not contiguous
// becomes one element of a datatype that holds its strides, so MPI moves the section's own elements, as long as that
// takes: nothing is copied.
#pragma once

#include <mpi.h>

#include "descriptor.hpp"
#include "handles.hpp"
#include "sentinels.hpp"

namespace antiphon::fortran {

template <class Count>
class Section {
 public:
  // `count` elements, or so many in each of `partitions`.
  Section(const CFI_cdesc_t* array, Count count, const int* type, int partitions = 1);
  ~Section() {
    if (is_made_) PMPI_Type_free(&type_);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  [[nodiscard]] int error() const { return error_; }  // MPI_SUCCESS, or why there is no such datatype
  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] Count count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  void* address_;
  Count count_;
  MPI_Datatype type_;
  bool is_made_ = false;
  int error_ = MPI_SUCCESS;
};

// Sets *made to a committed datatype of the first `count` elements of type `type` in a section, whose extent leads to
// as many more for the next partition, if there are several; or returns an error code.
int section_type(const CFI_cdesc_t* array, MPI_Count count, MPI_Datatype type, int partitions, MPI_Datatype* made);

template <class Count>
Section<Count>::Section(const CFI_cdesc_t* array, Count count, const int* type, int partitions)
    : address_(buffer_address(array->base_addr)), count_(count), type_(from<MPI_Datatype>(type)) {
  if (count <= 0 || partitions <= 0 || is_contiguous(array)) return;
  error_ = section_type(array, count, type_, partitions, &type_);
  if (error_ != MPI_SUCCESS) return;
  is_made_ = true;
  count_ = 1;
}

// Errors of the bindings themselves, on whatever hears of the call's errors.
inline int raise(MPI_Comm comm, int code) {
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}
inline int raise(MPI_Win win, int code) {
  PMPI_Win_call_errhandler(win, code);
  return code;
}

// An error code of a class, with a sentence of its own.
int error_code(int error_class, const char* sentence);

}  // namespace antiphon::fortran
