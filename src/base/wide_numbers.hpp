// Numbers of 128 bits, which C++ has no names for: Fortran's REAL(16), COMPLEX(16) and INTEGER(16). Compilers have
// types for them and library functions for what the processor cannot do; what <type_traits> and <limits> say of these
// depends on the compiler and its mode, so nobody asks.
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
