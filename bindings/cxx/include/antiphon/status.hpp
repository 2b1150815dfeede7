// Where a message came from, and how long it is.
#pragma once

#include <mpi.h>

#include "datatype.hpp"
#include "error.hpp"

namespace antiphon {

class status {
 public:
  status() = default;
  explicit status(const MPI_Status& native) : native_(native) {}

  [[nodiscard]] int source() const noexcept { return native_.MPI_SOURCE; }
  [[nodiscard]] int tag() const noexcept { return native_.MPI_TAG; }

  // How many elements of type T the message has.
  template <class T>
  [[nodiscard]] MPI_Count count() const {
    return count(datatype_of<T>());
  }
  [[nodiscard]] MPI_Count count(MPI_Datatype type) const {
    MPI_Count result;
    detail::check(MPI_Get_count_c(&native_, type, &result));
    if (result == MPI_UNDEFINED) throw error(MPI_ERR_TYPE, "the message is no whole number of elements of this type");
    return result;
  }

  [[nodiscard]] MPI_Status* native() noexcept { return &native_; }

 private:
  MPI_Status native_;
};

}  // namespace antiphon
