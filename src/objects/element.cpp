#include "objects/element.hpp"

namespace antiphon::objects {

namespace {

constexpr std::size_t kExtended = sizeof(long double);

Basic basic(Element kind, std::size_t bytes, int scalars, External external, std::size_t external_bytes = 0) {
  const auto scalar = bytes / static_cast<std::size_t>(scalars);
  return {.displacement = 0,
          .element = kind,
          .scalars = static_cast<std::uint8_t>(scalars),
          .scalar_bytes = static_cast<std::uint8_t>(scalar),
          .external_bytes = static_cast<std::uint8_t>(external_bytes ? external_bytes : scalar),
          .external = external};
}

Basic integer(Element kind, std::size_t bytes, std::size_t external_bytes) {
  if (external_bytes == 0 || external_bytes == bytes) return basic(kind, bytes, 1, External::big_endian);
  const bool is_unsigned = kind >= Element::uint8 && kind <= Element::uint64;
  return basic(kind, bytes, 1, is_unsigned ? External::unsigned_integer : External::signed_integer, external_bytes);
}

Basics pair(Basic value, Basic index) {
  // As in the C structure {value; index;}.
  index.displacement = (value.bytes() + index.scalar_bytes - 1) / index.scalar_bytes * index.scalar_bytes;
  return {{value, index}, 2};
}

}  // namespace

Basics basics_of(Element kind, std::size_t bytes, std::size_t external_bytes) {
  const auto index = [] { return integer(Element::int32, sizeof(int), 0); };
  const auto swapped = [](Element element, std::size_t size) {
    return basic(element, size, 1, External::big_endian);
  };
  switch (kind) {
    case Element::none:
    case Element::byte:
    case Element::character:
    case Element::packed:
    case Element::boolean:
      return {{basic(kind, bytes, 1, External::as_is)}, 1};
    case Element::wide_character:
      return {{basic(kind, bytes, 1, External::unsigned_integer, external_bytes)}, 1};
    case Element::int8:
    case Element::int16:
    case Element::int32:
    case Element::int64:
    case Element::int128:
    case Element::uint8:
    case Element::uint16:
    case Element::uint32:
    case Element::uint64:
      return {{integer(kind, bytes, external_bytes)}, 1};
    case Element::float16:
    case Element::float32:
    case Element::float64:
    case Element::float128:
      return {{swapped(kind, bytes)}, 1};
    case Element::float_extended:
      return {{basic(kind, bytes, 1, External::binary128, 16)}, 1};
    case Element::complex32:
    case Element::complex64:
    case Element::complex128:
    case Element::complex256:
      return {{basic(kind, bytes, 2, External::big_endian)}, 1};
    case Element::complex_extended:
      return {{basic(kind, bytes, 2, External::binary128, 16)}, 1};
    case Element::float_int:
      return pair(swapped(Element::float32, sizeof(float)), index());
    case Element::double_int:
      return pair(swapped(Element::float64, sizeof(double)), index());
    case Element::long_int:
      return pair(integer(Element::int64, sizeof(long), external_bytes), index());
    case Element::int_int:
      return pair(index(), index());
    case Element::short_int:
      return pair(integer(Element::int16, sizeof(short), 0), index());
    case Element::long_double_int:
      return pair(basic(Element::float_extended, kExtended, 1, External::binary128, 16), index());
    case Element::float_float:
      return pair(swapped(Element::float32, sizeof(float)), swapped(Element::float32, sizeof(float)));
    case Element::double_double:
      return pair(swapped(Element::float64, sizeof(double)), swapped(Element::float64, sizeof(double)));
  }
  return {};
}

}  // namespace antiphon::objects
