// What a predefined datatype is made of: the kind of value, for reductions and type signatures, and its basic
// elements, which MPI_Get_elements counts and external32 converts. A complex number is one element of two scalars; a
// value with an index (MPI_FLOAT_INT) is two elements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace antiphon::objects {

enum class Element : std::uint8_t {
  none,
  byte,
  character,
  wide_character,
  packed,
  boolean,
  int8,
  int16,
  int32,
  int64,
  int128,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  float128,
  float_extended,  // C's long double
  complex32,       // of two float16, and so on
  complex64,
  complex128,
  complex256,
  complex_extended,
  float_int,
  double_int,
  long_int,
  int_int,
  short_int,
  long_double_int,
  float_float,
  double_double,
};

[[nodiscard]] constexpr bool is_integer(Element kind) { return kind >= Element::int8 && kind <= Element::uint64; }

// How a scalar is written in external32 (MPI 5.0, 14.5.2).
enum class External : std::uint8_t {
  as_is,
  big_endian,        // of the same length
  signed_integer,    // of another length: the low bytes, or the sign repeated
  unsigned_integer,  // of another length: the low bytes, or zeros
  binary128,         // a long double
};

struct Basic {
  std::int64_t displacement;
  Element element;
  std::uint8_t scalars;
  std::uint8_t scalar_bytes;
  std::uint8_t external_bytes;  // of a scalar
  External external;

  [[nodiscard]] std::int64_t bytes() const { return std::int64_t{scalars} * scalar_bytes; }
  // Reversing this many bytes at a time is all that external32 asks for; 0 if it asks for more.
  [[nodiscard]] int swap_width() const {
    return external == External::as_is ? 1 : external == External::big_endian ? scalar_bytes : 0;
  }
};

// The basic elements of a value of this kind, which has one or two.
struct Basics {
  Basic element[2];
  int count;
};

// `bytes` of data; `external_bytes` where the length in external32 is another, else 0.
[[nodiscard]] Basics basics_of(Element kind, std::size_t bytes, std::size_t external_bytes);

}  // namespace antiphon::objects
