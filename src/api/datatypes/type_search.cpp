// Datatypes found by what they can hold: MPI 5.0, 5.1.12 (value and index) and 19.1.9 (Fortran's kinds).
#include "api/call.hpp"
#include "api/check.hpp"
#include "objects/contents.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Ref;

namespace {

const Datatype& predefined(Process& process, std::uintptr_t value) { return *process.datatypes.find(value); }

// The one type for this recipe, which the first call makes; it lives as long as the process.
MPI_Datatype only_one(Process& process, objects::Recipe recipe, std::uintptr_t like) {
  std::vector<std::int64_t> key{recipe.combiner};
  key.insert(key.end(), recipe.numbers.begin(), recipe.numbers.end());
  std::uintptr_t& value = process.found_datatypes[std::move(key)];
  if (value == 0) {
    auto made = Ref<Datatype>::adopt(new Datatype(std::move(recipe), predefined(process, like)));
    value = process.datatypes.insert(std::move(made));
  }
  return reinterpret_cast<MPI_Datatype>(value);
}

// A kind of REAL: decimal digits and exponents that it can hold.
struct RealKind {
  int digits, range;
  std::uintptr_t real, complex;
};
constexpr RealKind kRealKinds[] = {
    {6, 37, abi::REAL4, abi::COMPLEX8},
    {15, 307, abi::REAL8, abi::COMPLEX16},
    {18, 4931, abi::LONG_DOUBLE, abi::C_LONG_DOUBLE_COMPLEX},
    {33, 4931, abi::REAL16, abi::COMPLEX32},
};
struct IntegerKind {
  int range;
  std::uintptr_t integer;
};
constexpr IntegerKind kIntegerKinds[] = {
    {2, abi::INTEGER1}, {4, abi::INTEGER2}, {9, abi::INTEGER4}, {18, abi::INTEGER8}, {38, abi::INTEGER16},
};

const RealKind& real_kind(int p, int r) {
  if (p == abi::UNDEFINED && r == abi::UNDEFINED)
    base::fail(abi::ERR_ARG, "p and r are both MPI_UNDEFINED; at least one of them must be given");
  for (const RealKind& kind : kRealKinds)
    if ((p == abi::UNDEFINED || p <= kind.digits) && (r == abi::UNDEFINED || r <= kind.range)) return kind;
  base::fail(abi::ERR_ARG, fmt::format("p={} and r={}: no kind of REAL has so many digits (up to 33) or so wide a "
                                       "range (up to 4931)",
                                       p, r));
}

struct Pair {
  std::uintptr_t value, index, pair;
};
constexpr Pair kPairs[] = {
    {abi::FLOAT, abi::INT, abi::FLOAT_INT},
    {abi::DOUBLE, abi::INT, abi::DOUBLE_INT},
    {abi::LONG, abi::INT, abi::LONG_INT},
    {abi::INT, abi::INT, abi::TWO_INT},
    {abi::SHORT, abi::INT, abi::SHORT_INT},
    {abi::LONG_DOUBLE, abi::INT, abi::LONG_DOUBLE_INT},
    {abi::REAL, abi::REAL, abi::TWO_REAL},
    {abi::DOUBLE_PRECISION, abi::DOUBLE_PRECISION, abi::TWO_DOUBLE_PRECISION},
    {abi::INTEGER, abi::INTEGER, abi::TWO_INTEGER},
};

struct Sized {
  int typeclass, size;
  std::uintptr_t type;
};
constexpr Sized kSized[] = {
    {abi::TYPECLASS_INTEGER, 1, abi::INTEGER1},   {abi::TYPECLASS_INTEGER, 2, abi::INTEGER2},
    {abi::TYPECLASS_INTEGER, 4, abi::INTEGER4},   {abi::TYPECLASS_INTEGER, 8, abi::INTEGER8},
    {abi::TYPECLASS_INTEGER, 16, abi::INTEGER16}, {abi::TYPECLASS_REAL, 2, abi::REAL2},
    {abi::TYPECLASS_REAL, 4, abi::REAL4},         {abi::TYPECLASS_REAL, 8, abi::REAL8},
    {abi::TYPECLASS_REAL, 16, abi::REAL16},       {abi::TYPECLASS_COMPLEX, 4, abi::COMPLEX4},
    {abi::TYPECLASS_COMPLEX, 8, abi::COMPLEX8},   {abi::TYPECLASS_COMPLEX, 16, abi::COMPLEX16},
    {abi::TYPECLASS_COMPLEX, 32, abi::COMPLEX32},
};

}  // namespace

void type_create_f90_real(Process& process, int p, int r, MPI_Datatype* newtype) {
  check::not_null(newtype, "newtype");
  *newtype = only_one(process, {.combiner = abi::COMBINER_F90_REAL, .numbers = {p, r}}, real_kind(p, r).real);
}

void type_create_f90_complex(Process& process, int p, int r, MPI_Datatype* newtype) {
  check::not_null(newtype, "newtype");
  *newtype = only_one(process, {.combiner = abi::COMBINER_F90_COMPLEX, .numbers = {p, r}}, real_kind(p, r).complex);
}

void type_create_f90_integer(Process& process, int r, MPI_Datatype* newtype) {
  check::not_null(newtype, "newtype");
  for (const IntegerKind& kind : kIntegerKinds)
    if (r <= kind.range) {
      *newtype = only_one(process, {.combiner = abi::COMBINER_F90_INTEGER, .numbers = {r}}, kind.integer);
      return;
    }
  base::fail(abi::ERR_ARG, fmt::format("r={}: no kind of INTEGER has so wide a range (up to 38)", r));
}

void type_get_value_index(Process&, const Datatype& value_type, const Datatype& index_type, MPI_Datatype* pair_type) {
  check::not_null(pair_type, "pair_type");
  *pair_type = MPI_DATATYPE_NULL;  // the standard's answer where there is no such pair
  for (const Pair& pair : kPairs)
    if (pair.value == value_type.handle() && pair.index == index_type.handle())
      *pair_type = reinterpret_cast<MPI_Datatype>(pair.pair);
}

void type_match_size(Process&, int typeclass, int size, MPI_Datatype* datatype) {
  check::not_null(datatype, "datatype");
  bool known = false;
  for (const Sized& sized : kSized) {
    known |= sized.typeclass == typeclass;
    if (sized.typeclass != typeclass || sized.size != size) continue;
    *datatype = reinterpret_cast<MPI_Datatype>(sized.type);
    return;
  }
  if (!known)
    base::fail(abi::ERR_ARG, fmt::format("typeclass={} is none of MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL and "
                                         "MPI_TYPECLASS_COMPLEX",
                                         typeclass));
  base::fail(abi::ERR_ARG, fmt::format("size={}: no type of this class has so many bytes", size));
}

}  // namespace antiphon::api
