#include "process/predefined.hpp"

#include <algorithm>
#include <complex>

#include "abi/constants.hpp"

namespace antiphon::process {

using objects::Datatype;
using objects::Element;
using objects::Op;
using objects::Ref;

namespace {

struct Named {
  std::uintptr_t value;
  const char* name;
  std::size_t size;
  std::size_t alignment;
  Element element;
  std::size_t external_size = 0;  // bytes in external32, where it is not `size`
};

template <class Integer>
constexpr Element integer_element() {
  constexpr Element kSigned[] = {Element::int8, Element::int16, Element::int32, Element::int64};
  constexpr Element kUnsigned[] = {Element::uint8, Element::uint16, Element::uint32, Element::uint64};
  constexpr int kIndex = sizeof(Integer) == 1 ? 0 : sizeof(Integer) == 2 ? 1 : sizeof(Integer) == 4 ? 2 : 3;
  return std::is_signed_v<Integer> ? kSigned[kIndex] : kUnsigned[kIndex];
}

template <class Integer>
constexpr Named integer(std::uintptr_t value, const char* name, std::size_t external_size = 0) {
  return {value, name, sizeof(Integer), alignof(Integer), integer_element<Integer>(), external_size};
}

template <class Type>
constexpr Named type(std::uintptr_t value, const char* name, Element element, std::size_t external_size = 0) {
  return {value, name, sizeof(Type), alignof(Type), element, external_size};
}

// A value and an index, laid out as the C struct {Value; int;}.
template <class Value>
constexpr Named pair(std::uintptr_t value, const char* name, Element element, std::size_t external_size = 0) {
  return {value, name, sizeof(Value) + sizeof(int), std::max(alignof(Value), alignof(int)), element, external_size};
}

// Fortran types that have no C counterpart, with the alignment of their parts.
constexpr Named fortran(std::uintptr_t value, const char* name, Element element, std::size_t bytes,
                        std::size_t alignment) {
  return {value, name, bytes, alignment, element};
}

constexpr std::size_t kExternalLong = 4;  // MPI 5.0, 14.5.2

constexpr Named kDatatypes[] = {
    integer<std::intptr_t>(abi::AINT, "MPI_AINT"),
    integer<std::int64_t>(abi::COUNT, "MPI_COUNT"),
    integer<std::int64_t>(abi::OFFSET, "MPI_OFFSET"),
    type<char>(abi::PACKED, "MPI_PACKED", Element::packed),
    integer<short>(abi::SHORT, "MPI_SHORT"),
    integer<int>(abi::INT, "MPI_INT"),
    integer<long>(abi::LONG, "MPI_LONG", kExternalLong),
    integer<long long>(abi::LONG_LONG, "MPI_LONG_LONG"),
    integer<unsigned short>(abi::UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT"),
    integer<unsigned>(abi::UNSIGNED, "MPI_UNSIGNED"),
    integer<unsigned long>(abi::UNSIGNED_LONG, "MPI_UNSIGNED_LONG", kExternalLong),
    integer<unsigned long long>(abi::UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG"),
    type<float>(abi::FLOAT, "MPI_FLOAT", Element::float32),
    type<double>(abi::DOUBLE, "MPI_DOUBLE", Element::float64),
    type<long double>(abi::LONG_DOUBLE, "MPI_LONG_DOUBLE", Element::float_extended),
    type<std::complex<float>>(abi::C_FLOAT_COMPLEX, "MPI_C_FLOAT_COMPLEX", Element::complex64),
    type<std::complex<float>>(abi::CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX", Element::complex64),
    type<std::complex<double>>(abi::C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", Element::complex128),
    type<std::complex<double>>(abi::CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX", Element::complex128),
    type<std::complex<long double>>(abi::C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX",
                                    Element::complex_extended),
    type<std::complex<long double>>(abi::CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX",
                                    Element::complex_extended),
    integer<int>(abi::LOGICAL, "MPI_LOGICAL"),
    integer<int>(abi::INTEGER, "MPI_INTEGER"),
    type<float>(abi::REAL, "MPI_REAL", Element::float32),
    type<std::complex<float>>(abi::COMPLEX, "MPI_COMPLEX", Element::complex64),
    type<double>(abi::DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", Element::float64),
    type<std::complex<double>>(abi::DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX", Element::complex128),
    type<char>(abi::CHARACTER, "MPI_CHARACTER", Element::character),
    pair<float>(abi::FLOAT_INT, "MPI_FLOAT_INT", Element::float_int),
    pair<double>(abi::DOUBLE_INT, "MPI_DOUBLE_INT", Element::double_int),
    pair<long>(abi::LONG_INT, "MPI_LONG_INT", Element::long_int, kExternalLong),
    pair<int>(abi::TWO_INT, "MPI_2INT", Element::int_int),
    pair<short>(abi::SHORT_INT, "MPI_SHORT_INT", Element::short_int),
    pair<long double>(abi::LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", Element::long_double_int),
    fortran(abi::TWO_REAL, "MPI_2REAL", Element::float_float, 8, 4),
    fortran(abi::TWO_DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", Element::double_double, 16, 8),
    fortran(abi::TWO_INTEGER, "MPI_2INTEGER", Element::int_int, 8, 4),
    type<bool>(abi::C_BOOL, "MPI_C_BOOL", Element::boolean),
    type<bool>(abi::CXX_BOOL, "MPI_CXX_BOOL", Element::boolean),
    type<wchar_t>(abi::WCHAR, "MPI_WCHAR", Element::wide_character, 2),
    integer<std::int8_t>(abi::INT8_T, "MPI_INT8_T"),
    integer<std::uint8_t>(abi::UINT8_T, "MPI_UINT8_T"),
    // The standard defines no reduction of characters, but programs reduce MPI_CHAR, and other MPI implementations
    // allow it.
    integer<char>(abi::CHAR, "MPI_CHAR"),
    integer<signed char>(abi::SIGNED_CHAR, "MPI_SIGNED_CHAR"),
    integer<unsigned char>(abi::UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"),
    type<char>(abi::BYTE, "MPI_BYTE", Element::byte),
    integer<std::int16_t>(abi::INT16_T, "MPI_INT16_T"),
    integer<std::uint16_t>(abi::UINT16_T, "MPI_UINT16_T"),
    integer<std::int32_t>(abi::INT32_T, "MPI_INT32_T"),
    integer<std::uint32_t>(abi::UINT32_T, "MPI_UINT32_T"),
    integer<std::int64_t>(abi::INT64_T, "MPI_INT64_T"),
    integer<std::uint64_t>(abi::UINT64_T, "MPI_UINT64_T"),
    integer<std::int8_t>(abi::LOGICAL1, "MPI_LOGICAL1"),
    integer<std::int8_t>(abi::INTEGER1, "MPI_INTEGER1"),
    integer<std::int16_t>(abi::LOGICAL2, "MPI_LOGICAL2"),
    integer<std::int16_t>(abi::INTEGER2, "MPI_INTEGER2"),
    integer<std::int32_t>(abi::LOGICAL4, "MPI_LOGICAL4"),
    integer<std::int32_t>(abi::INTEGER4, "MPI_INTEGER4"),
    type<float>(abi::REAL4, "MPI_REAL4", Element::float32),
    integer<std::int64_t>(abi::LOGICAL8, "MPI_LOGICAL8"),
    integer<std::int64_t>(abi::INTEGER8, "MPI_INTEGER8"),
    type<double>(abi::REAL8, "MPI_REAL8", Element::float64),
    type<std::complex<float>>(abi::COMPLEX8, "MPI_COMPLEX8", Element::complex64),
    type<std::complex<double>>(abi::COMPLEX16, "MPI_COMPLEX16", Element::complex128),
    fortran(abi::REAL2, "MPI_REAL2", Element::float16, 2, 2),
    fortran(abi::COMPLEX4, "MPI_COMPLEX4", Element::complex32, 4, 2),
    fortran(abi::LOGICAL16, "MPI_LOGICAL16", Element::int128, 16, 16),
    fortran(abi::INTEGER16, "MPI_INTEGER16", Element::int128, 16, 16),
    fortran(abi::REAL16, "MPI_REAL16", Element::float128, 16, 16),
    fortran(abi::COMPLEX32, "MPI_COMPLEX32", Element::complex256, 32, 16),
};

constexpr std::pair<std::uintptr_t, Op::Kind> kOps[] = {
    {abi::SUM, Op::Kind::sum},         {abi::MIN, Op::Kind::min},       {abi::MAX, Op::Kind::max},
    {abi::PROD, Op::Kind::prod},       {abi::BAND, Op::Kind::band},     {abi::BOR, Op::Kind::bor},
    {abi::BXOR, Op::Kind::bxor},       {abi::LAND, Op::Kind::land},     {abi::LOR, Op::Kind::lor},
    {abi::LXOR, Op::Kind::lxor},       {abi::MINLOC, Op::Kind::minloc}, {abi::MAXLOC, Op::Kind::maxloc},
    {abi::REPLACE, Op::Kind::replace}, {abi::NO_OP, Op::Kind::no_op},
};

}  // namespace

void add_predefined_datatypes(objects::HandleTable<Datatype>& table) {
  for (const Named& named : kDatatypes) {
    const objects::Basics basics = objects::basics_of(named.element, named.size, named.external_size);
    auto made = Ref<Datatype>::adopt(
        new Datatype(named.element, basics, static_cast<std::int64_t>(named.alignment), named.name));
    table.set_predefined(named.value, std::move(made));
  }
}

void add_predefined_ops(objects::HandleTable<Op>& table) {
  for (const auto& [value, kind] : kOps) table.set_predefined(value, Ref<Op>::adopt(new Op(kind)));
}

}  // namespace antiphon::process
