// Every predefined operation on every predefined datatype, against the same computed serially: MPI 5.0, 6.9.2
// and 6.9.4.
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

struct Operation {
  MPI_Op handle;
  const char* name;
};

// A bool of which std::vector can make an array.
struct Truth {
  bool value;
  explicit Truth(int number = 0) : value(number != 0) {}
  operator bool() const { return value; }
};

// Small enough that no sum or product of sixteen leaves the range of the smallest type, or the exact part of a float.
template <class T>
T contribution(int of_rank, int element, bool product) {
  const bool doubles = of_rank % 4 == element % 4 && of_rank < 8;
  const int number = product ? (doubles ? 2 : 1) : (of_rank * 5 + element * 3) % 4;
  return static_cast<T>(static_cast<signed char>(number));
}

// A value and an index, as MPI_MINLOC and MPI_MAXLOC want them. Many values are equal, so that indices decide.
template <class Value>
struct Located {
  Value value;
  int index;
  bool operator==(const Located& other) const { return value == other.value && index == other.index; }
};

template <class T>
struct IsLocated : std::false_type {};
template <class Value>
struct IsLocated<Located<Value>> : std::true_type {};

template <class T>
std::vector<T> contributions(int of_rank, int count, bool product) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    T& value = values[static_cast<std::size_t>(i)];
    if constexpr (IsLocated<T>::value) {
      value = {};
      value.value = contribution<decltype(value.value)>(of_rank, i, false);
      value.index = (of_rank * 11 + i) % 29;
    } else {
      value = contribution<T>(of_rank, i, product);
    }
  }
  return values;
}

// What MPI_Allreduce must give, by its definition, rank after rank.
template <class T, class Combine>
std::vector<T> serially(int count, bool product, Combine combine) {
  std::vector<T> result = contributions<T>(0, count, product);
  for (int other = 1; other < size(); ++other) {
    const std::vector<T> next = contributions<T>(other, count, product);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(combine(result[i], next[i]));
  }
  return result;
}

// Both sides of the limits between the algorithms: fewer elements than ranks, a few, and long vectors.
constexpr int kCounts[] = {0, 1, 3, 100, 20'000};

template <class T, class Combine>
void check(Operation operation, MPI_Datatype type, const char* type_name, Combine combine) {
  const std::string what = std::string(operation.name) + " of " + type_name;
  const bool product = operation.handle == MPI_PROD;
  for (const int count : kCounts) {
    const std::vector<T> mine = contributions<T>(rank(), count, product);
    const std::vector<T> wanted = serially<T>(count, product, combine);
    const auto expect_result = [&](const std::vector<T>& got, const char* call) {
      expect(got == wanted, std::string(call) + " with " + what + " of " + std::to_string(count) + " is wrong");
    };
    std::vector<T> result(mine.size());
    expect_error(MPI_Allreduce(mine.data(), result.data(), count, type, operation.handle, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Allreduce with " + what);
    expect_result(result, "MPI_Allreduce");

    result = mine;
    MPI_Allreduce(MPI_IN_PLACE, result.data(), count, type, operation.handle, MPI_COMM_WORLD);
    expect_result(result, "MPI_Allreduce in place");

    const int root = count % size();
    result = mine;
    MPI_Reduce(rank() == root ? MPI_IN_PLACE : mine.data(), result.data(), count, type, operation.handle, root,
               MPI_COMM_WORLD);
    if (rank() == root)
      expect_result(result, "MPI_Reduce in place");
    else
      expect(result == mine, "MPI_Reduce wrote to the result of a rank that is not the root");

    result.assign(result.size(), T{});
    MPI_Reduce(mine.data(), rank() == root ? result.data() : nullptr, count, type, operation.handle, root,
               MPI_COMM_WORLD);
    if (rank() == root) expect_result(result, "MPI_Reduce");
  }
}

// An operation that the standard does not define on a datatype is refused.
void refuse(Operation operation, MPI_Datatype type, const char* type_name) {
  long double in[4] = {}, out[4] = {};
  expect_error(MPI_Allreduce(in, out, 1, type, operation.handle, MPI_COMM_WORLD), MPI_ERR_OP,
               std::string(operation.name) + " of " + type_name);
}

constexpr auto sum = [](auto a, auto b) { return a + b; };
constexpr auto product = [](auto a, auto b) { return a * b; };
constexpr auto minimum = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto maximum = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto logical_and = [](auto a, auto b) { return a != 0 && b != 0; };
constexpr auto logical_or = [](auto a, auto b) { return a != 0 || b != 0; };
constexpr auto logical_xor = [](auto a, auto b) { return (a != 0) != (b != 0); };
constexpr auto bitwise_and = [](auto a, auto b) { return a & b; };
constexpr auto bitwise_or = [](auto a, auto b) { return a | b; };
constexpr auto bitwise_xor = [](auto a, auto b) { return a ^ b; };
constexpr auto least_located = [](auto a, auto b) {
  return b.value < a.value || (b.value == a.value && b.index < a.index) ? b : a;
};
constexpr auto greatest_located = [](auto a, auto b) {
  return a.value < b.value || (b.value == a.value && b.index < a.index) ? b : a;
};

#define OPERATION(name) \
  Operation { name, #name }
#define TYPE(name) name, #name

template <class T>
void additive(MPI_Datatype type, const char* name) {
  check<T>(OPERATION(MPI_SUM), type, name, sum);
  check<T>(OPERATION(MPI_PROD), type, name, product);
}
template <class T>
void ordered(MPI_Datatype type, const char* name) {
  additive<T>(type, name);
  check<T>(OPERATION(MPI_MIN), type, name, minimum);
  check<T>(OPERATION(MPI_MAX), type, name, maximum);
}
template <class T>
void logical(MPI_Datatype type, const char* name) {
  check<T>(OPERATION(MPI_LAND), type, name, logical_and);
  check<T>(OPERATION(MPI_LOR), type, name, logical_or);
  check<T>(OPERATION(MPI_LXOR), type, name, logical_xor);
}
template <class T>
void bitwise(MPI_Datatype type, const char* name) {
  check<T>(OPERATION(MPI_BAND), type, name, bitwise_and);
  check<T>(OPERATION(MPI_BOR), type, name, bitwise_or);
  check<T>(OPERATION(MPI_BXOR), type, name, bitwise_xor);
}
template <class T>
void integer(MPI_Datatype type, const char* name) {
  ordered<T>(type, name);
  logical<T>(type, name);
  bitwise<T>(type, name);
}
template <class T>
void located(MPI_Datatype type, const char* name) {
  check<Located<T>>(OPERATION(MPI_MINLOC), type, name, least_located);
  check<Located<T>>(OPERATION(MPI_MAXLOC), type, name, greatest_located);
}

void integers_of_c() {
  integer<signed char>(TYPE(MPI_SIGNED_CHAR));
  integer<unsigned char>(TYPE(MPI_UNSIGNED_CHAR));
  integer<short>(TYPE(MPI_SHORT));
  integer<unsigned short>(TYPE(MPI_UNSIGNED_SHORT));
  integer<int>(TYPE(MPI_INT));
  integer<unsigned>(TYPE(MPI_UNSIGNED));
  integer<long>(TYPE(MPI_LONG));
  integer<unsigned long>(TYPE(MPI_UNSIGNED_LONG));
  integer<long long>(TYPE(MPI_LONG_LONG));
  integer<unsigned long long>(TYPE(MPI_UNSIGNED_LONG_LONG));
}
void characters_that_others_take_for_integers() { integer<char>(TYPE(MPI_CHAR)); }
void integers_of_fixed_size() {
  integer<std::int8_t>(TYPE(MPI_INT8_T));
  integer<std::int16_t>(TYPE(MPI_INT16_T));
  integer<std::int32_t>(TYPE(MPI_INT32_T));
  integer<std::int64_t>(TYPE(MPI_INT64_T));
  integer<std::uint8_t>(TYPE(MPI_UINT8_T));
  integer<std::uint16_t>(TYPE(MPI_UINT16_T));
  integer<std::uint32_t>(TYPE(MPI_UINT32_T));
  integer<std::uint64_t>(TYPE(MPI_UINT64_T));
}
void integers_of_mpi() {
  integer<MPI_Aint>(TYPE(MPI_AINT));
  integer<MPI_Offset>(TYPE(MPI_OFFSET));
  integer<MPI_Count>(TYPE(MPI_COUNT));
}
void real_numbers() {
  ordered<float>(TYPE(MPI_FLOAT));
  ordered<double>(TYPE(MPI_DOUBLE));
  ordered<long double>(TYPE(MPI_LONG_DOUBLE));
}
void complex_numbers() {
  additive<std::complex<float>>(TYPE(MPI_C_FLOAT_COMPLEX));
  additive<std::complex<double>>(TYPE(MPI_C_DOUBLE_COMPLEX));
  additive<std::complex<long double>>(TYPE(MPI_C_LONG_DOUBLE_COMPLEX));
  additive<std::complex<float>>(TYPE(MPI_CXX_FLOAT_COMPLEX));
  additive<std::complex<double>>(TYPE(MPI_CXX_DOUBLE_COMPLEX));
  additive<std::complex<long double>>(TYPE(MPI_CXX_LONG_DOUBLE_COMPLEX));
}
void booleans_and_bytes() {
  logical<Truth>(TYPE(MPI_C_BOOL));
  logical<Truth>(TYPE(MPI_CXX_BOOL));
  bitwise<unsigned char>(TYPE(MPI_BYTE));
}
void values_with_an_index() {
  located<float>(TYPE(MPI_FLOAT_INT));
  located<double>(TYPE(MPI_DOUBLE_INT));
  located<long>(TYPE(MPI_LONG_INT));
  located<int>(TYPE(MPI_2INT));
  located<short>(TYPE(MPI_SHORT_INT));
  located<long double>(TYPE(MPI_LONG_DOUBLE_INT));
}
void what_is_not_defined_is_refused() {
  refuse(OPERATION(MPI_BAND), TYPE(MPI_FLOAT));
  refuse(OPERATION(MPI_BXOR), TYPE(MPI_DOUBLE));
  refuse(OPERATION(MPI_LAND), TYPE(MPI_DOUBLE));
  refuse(OPERATION(MPI_MAX), TYPE(MPI_C_DOUBLE_COMPLEX));
  refuse(OPERATION(MPI_SUM), TYPE(MPI_C_BOOL));
  refuse(OPERATION(MPI_SUM), TYPE(MPI_BYTE));
  refuse(OPERATION(MPI_SUM), TYPE(MPI_CHARACTER));
  refuse(OPERATION(MPI_MAX), TYPE(MPI_WCHAR));
  refuse(OPERATION(MPI_SUM), TYPE(MPI_DOUBLE_INT));
  refuse(OPERATION(MPI_MINLOC), TYPE(MPI_INT));
  refuse(OPERATION(MPI_REPLACE), TYPE(MPI_INT));
  refuse(OPERATION(MPI_NO_OP), TYPE(MPI_INT));
}

}  // namespace

int main() {
  return run({{"integers of C", integers_of_c},
              {"characters that others take for integers", characters_that_others_take_for_integers},
              {"integers of fixed size", integers_of_fixed_size},
              {"integers of MPI", integers_of_mpi},
              {"real numbers", real_numbers},
              {"complex numbers", complex_numbers},
              {"booleans and bytes", booleans_and_bytes},
              {"values with an index", values_with_an_index},
              {"what is not defined is refused", what_is_not_defined_is_refused}});
}
