// The MPI error classes that the bootstrap reports, at the values of the standard ABI.
#pragma once

namespace antiphon::bootstrap {

inline constexpr int kErrOther = 16;  // MPI_ERR_OTHER
inline constexpr int kErrNoMem = 39;  // MPI_ERR_NO_MEM

}  // namespace antiphon::bootstrap
