// 128-bit numbers for Fortran's REAL(16), COMPLEX(16) and INTEGER(16), for which standard C++ has no types. Compilers
// have types for them, and library functions for what the processor cannot do. Nothing here applies <type_traits> or
// <limits> to them, because those results depend on the compiler and its mode.
#pragma once

#include <cfloat>

namespace antiphon::base {

// The IEEE format of 128 bits.
#if LDBL_MANT_DIG == 113
using Binary128 = long double;
#else
__extension__ using Binary128 = __float128;
#endif
static_assert(sizeof(Binary128) == 16);

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

}  // namespace antiphon::base
