// Choice buffers of mpi_f08 come as C descriptors of Fortran 2018: an address, and the extent and stride of each
// dimension.
#pragma once

#include <ISO_Fortran_binding.h>

#include <cstddef>

namespace antiphon::fortran {

// Whether the elements lie one after the other. What has no address, no dimensions or no known size is taken as it
// comes.
inline bool is_contiguous(const CFI_cdesc_t* array) {
  if (!array->base_addr) return true;
  auto stride = static_cast<std::ptrdiff_t>(array->elem_len);
  for (int i = 0; i < array->rank; ++i) {
    const CFI_dim_t& dimension = array->dim[i];
    if (dimension.extent <= 0) return true;  // empty, or of assumed size
    if (dimension.extent > 1 && dimension.sm != stride) return false;
    stride *= dimension.extent;
  }
  return true;
}

}  // namespace antiphon::fortran
