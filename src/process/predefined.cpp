#include "process/predefined.hpp"

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
  Element element;
  std::size_t extent = 0;  // 0: the size
};

template <class Integer>
constexpr Element integer_element() {
  constexpr Element kSigned[] = {Element::int8, Element::int16, Element::int32, Element::int64};
  constexpr Element kUnsigned[] = {Element::uint8, Element::uint16, Element::uint32, Element::uint64};
  constexpr int kIndex = sizeof(Integer) == 1 ? 0 : sizeof(Integer) == 2 ? 1 : sizeof(Integer) == 4 ? 2 : 3;
  return std::is_signed_v<Integer> ? kSigned[kIndex] : kUnsigned[kIndex];
}

template <class Integer>
constexpr Named integer(std::uintptr_t value, const char* name) {
  return {value, name, sizeof(Integer), integer_element<Integer>()};
}

// A value and an index, laid out as the C struct {Value; int;}.
template <class Value>
constexpr Named pair(std::uintptr_t value, const char* name, Element element) {
  struct Layout {
    Value first;
    int second;
  };
  return {value, name, sizeof(Value) + sizeof(int), element, sizeof(Layout)};
}

constexpr std::size_t kLongDouble = sizeof(long double);

constexpr Named kDatatypes[] = {
    integer<std::intptr_t>(abi::AINT, "MPI_AINT"),
    integer<std::int64_t>(abi::COUNT, "MPI_COUNT"),
    integer<std::int64_t>(abi::OFFSET, "MPI_OFFSET"),
    {abi::PACKED, "MPI_PACKED", 1, Element::packed},
    integer<short>(abi::SHORT, "MPI_SHORT"),
    integer<int>(abi::INT, "MPI_INT"),
    integer<long>(abi::LONG, "MPI_LONG"),
    integer<long long>(abi::LONG_LONG, "MPI_LONG_LONG"),
    integer<unsigned short>(abi::UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT"),
    integer<unsigned>(abi::UNSIGNED, "MPI_UNSIGNED"),
    integer<unsigned long>(abi::UNSIGNED_LONG, "MPI_UNSIGNED_LONG"),
    integer<unsigned long long>(abi::UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG"),
    {abi::FLOAT, "MPI_FLOAT", 4, Element::float32},
    {abi::DOUBLE, "MPI_DOUBLE", 8, Element::float64},
    {abi::LONG_DOUBLE, "MPI_LONG_DOUBLE", kLongDouble, Element::float_extended},
    {abi::C_FLOAT_COMPLEX, "MPI_C_FLOAT_COMPLEX", 8, Element::complex64},
    {abi::CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX", 8, Element::complex64},
    {abi::C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", 16, Element::complex128},
    {abi::CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX", 16, Element::complex128},
    {abi::C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX", 2 * kLongDouble, Element::complex_extended},
    {abi::CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX", 2 * kLongDouble, Element::complex_extended},
    integer<int>(abi::LOGICAL, "MPI_LOGICAL"),
    integer<int>(abi::INTEGER, "MPI_INTEGER"),
    {abi::REAL, "MPI_REAL", 4, Element::float32},
    {abi::COMPLEX, "MPI_COMPLEX", 8, Element::complex64},
    {abi::DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", 8, Element::float64},
    {abi::DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX", 16, Element::complex128},
    {abi::CHARACTER, "MPI_CHARACTER", 1, Element::character},
    pair<float>(abi::FLOAT_INT, "MPI_FLOAT_INT", Element::float_int),
    pair<double>(abi::DOUBLE_INT, "MPI_DOUBLE_INT", Element::double_int),
    pair<long>(abi::LONG_INT, "MPI_LONG_INT", Element::long_int),
    pair<int>(abi::TWO_INT, "MPI_2INT", Element::int_int),
    pair<short>(abi::SHORT_INT, "MPI_SHORT_INT", Element::short_int),
    pair<long double>(abi::LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", Element::long_double_int),
    {abi::C_BOOL, "MPI_C_BOOL", 1, Element::boolean},
    {abi::CXX_BOOL, "MPI_CXX_BOOL", 1, Element::boolean},
    {abi::WCHAR, "MPI_WCHAR", sizeof(wchar_t), Element::wide_character},
    integer<std::int8_t>(abi::INT8_T, "MPI_INT8_T"),
    integer<std::uint8_t>(abi::UINT8_T, "MPI_UINT8_T"),
    // The standard defines no reduction of characters, but programs reduce MPI_CHAR, and other MPIs let them.
    integer<char>(abi::CHAR, "MPI_CHAR"),
    integer<signed char>(abi::SIGNED_CHAR, "MPI_SIGNED_CHAR"),
    integer<unsigned char>(abi::UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"),
    {abi::BYTE, "MPI_BYTE", 1, Element::byte},
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
    {abi::REAL4, "MPI_REAL4", 4, Element::float32},
    integer<std::int64_t>(abi::LOGICAL8, "MPI_LOGICAL8"),
    integer<std::int64_t>(abi::INTEGER8, "MPI_INTEGER8"),
    {abi::REAL8, "MPI_REAL8", 8, Element::float64},
    {abi::COMPLEX8, "MPI_COMPLEX8", 8, Element::complex64},
    {abi::COMPLEX16, "MPI_COMPLEX16", 16, Element::complex128},
};

struct NamedOp {
  std::uintptr_t value;
  Op::Kind kind;
  const char* name;
};
constexpr NamedOp kOps[] = {
    {abi::SUM, Op::Kind::sum, "MPI_SUM"},
    {abi::MIN, Op::Kind::min, "MPI_MIN"},
    {abi::MAX, Op::Kind::max, "MPI_MAX"},
    {abi::PROD, Op::Kind::prod, "MPI_PROD"},
    {abi::BAND, Op::Kind::band, "MPI_BAND"},
    {abi::BOR, Op::Kind::bor, "MPI_BOR"},
    {abi::BXOR, Op::Kind::bxor, "MPI_BXOR"},
    {abi::LAND, Op::Kind::land, "MPI_LAND"},
    {abi::LOR, Op::Kind::lor, "MPI_LOR"},
    {abi::LXOR, Op::Kind::lxor, "MPI_LXOR"},
    {abi::MINLOC, Op::Kind::minloc, "MPI_MINLOC"},
    {abi::MAXLOC, Op::Kind::maxloc, "MPI_MAXLOC"},
    {abi::REPLACE, Op::Kind::replace, "MPI_REPLACE"},
    {abi::NO_OP, Op::Kind::no_op, "MPI_NO_OP"},
};

}  // namespace

void add_predefined_datatypes(objects::HandleTable<Datatype>& table) {
  for (const Named& type : kDatatypes) {
    const Datatype::Shape shape{type.size, type.extent ? type.extent : type.size, type.element, 1};
    table.set_predefined(type.value, Ref<Datatype>::adopt(new Datatype(shape, type.name, true)));
  }
}

void add_predefined_ops(objects::HandleTable<Op>& table) {
  for (const NamedOp& op : kOps) table.set_predefined(op.value, Ref<Op>::adopt(new Op(op.kind, op.name)));
}

}  // namespace antiphon::process
