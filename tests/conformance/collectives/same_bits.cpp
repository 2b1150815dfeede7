// All ranks get the same bits from a reduction, whatever its operands are: NaNs of several kinds, zeros and
// infinities of both signs, equal values with equal indices. The left operand is the lower rank's: MPI 5.0, 6.9.1.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

// Both sides of the limits between the algorithms, and of what is a whole number of a processor's vectors.
constexpr int kCounts[] = {1, 2, 3, 7, 100, 20'001};

// Bytes of a value that mean something: the extended format of x86 has six that do not.
template <class T>
constexpr std::size_t kMeaningful = sizeof(T) == 16 && std::numeric_limits<T>::digits == 64 ? 10 : sizeof(T);

template <class T>
T nan_of(int of_rank, int element) {
  T value = std::numeric_limits<T>::quiet_NaN();
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  bytes[0] = static_cast<unsigned char>(1 + of_rank + 16 * (element % 4));  // its payload says whose it is
  if (of_rank % 2 != 0) value = -value;
  return value;
}

// One in four is a special value; in some elements, those of all ranks are.
template <class T>
T real(int of_rank, int element) {
  const unsigned drawn =
      (static_cast<unsigned>(of_rank) * 2654435761u + static_cast<unsigned>(element) * 40503u) >> 3;
  const bool special = element % 8 == 0 || drawn % 4 == 0;
  if (!special) return static_cast<T>(static_cast<int>(drawn / 4 % 7) - 3) / static_cast<T>(3);
  constexpr T kSpecial[] = {T(0), -T(0), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity()};
  return drawn / 4 % 2 == 0 ? nan_of<T>(of_rank, element) : kSpecial[drawn / 8 % 4];
}

template <class T>
struct Values {
  static constexpr std::size_t kParts = 1;
  static T at(int of_rank, int element) { return real<T>(of_rank, element); }
  static void significant(const T& value, unsigned char* bytes) { std::memcpy(bytes, &value, kMeaningful<T>); }
  static constexpr std::size_t kBytes = kMeaningful<T>;
};
template <class T>
struct Values<std::complex<T>> {
  static std::complex<T> at(int of_rank, int element) {
    return {real<T>(of_rank, element), real<T>(of_rank + 3, 5 * element)};
  }
  static void significant(const std::complex<T>& value, unsigned char* bytes) {
    const T parts[] = {value.real(), value.imag()};
    for (const T& part : parts)
      bytes = static_cast<unsigned char*>(std::memcpy(bytes, &part, kMeaningful<T>)) + kMeaningful<T>;
  }
  static constexpr std::size_t kBytes = 2 * kMeaningful<T>;
};
template <class T>
struct Located {
  T value;
  int index;
};
template <class T>
struct Values<Located<T>> {
  static Located<T> at(int of_rank, int element) {
    Located<T> located{};
    located.value = element % 3 == 0 ? (of_rank % 2 == 0 ? T(0) : -T(0)) : real<T>(of_rank, element);
    located.index = element % 5 == 0 ? 1 : of_rank;  // ties, of which bits alone are different
    return located;
  }
  static void significant(const Located<T>& located, unsigned char* bytes) {
    std::memcpy(bytes, &located.value, kMeaningful<T>);
    std::memcpy(bytes + kMeaningful<T>, &located.index, sizeof located.index);
  }
  static constexpr std::size_t kBytes = kMeaningful<T> + sizeof(int);
};

using Bits = std::vector<unsigned char>;

template <class T>
Bits bits_of(const T* values, int count) {
  Bits bits(static_cast<std::size_t>(count) * Values<T>::kBytes);
  for (int i = 0; i < count; ++i)
    Values<T>::significant(values[i], bits.data() + static_cast<std::size_t>(i) * Values<T>::kBytes);
  return bits;
}

void expect_same_everywhere(const Bits& mine, const std::string& what) {
  Bits first = mine;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  expect(mine == first, what + " gives this rank other bits than rank 0");
}

// Vectors that begin at another place of a processor's vector on every rank.
template <class T>
class Vector {
 public:
  explicit Vector(int count) : values_(static_cast<std::size_t>(count + 3)) {}
  T* data() { return values_.data() + rank() % 4; }

 private:
  std::vector<T> values_;
};

template <class T>
void check(MPI_Op op, const char* op_name, MPI_Datatype type, const char* type_name) {
  for (const int count : kCounts) {
    const std::string what =
        std::string(op_name) + " of " + std::to_string(count) + " " + type_name + " in MPI_Allreduce";
    Vector<T> mine(count), result(count);
    for (int i = 0; i < count; ++i) mine.data()[i] = Values<T>::at(rank(), i);
    MPI_Allreduce(mine.data(), result.data(), count, type, op, MPI_COMM_WORLD);
    const Bits bits = bits_of(result.data(), count);
    expect_same_everywhere(bits, what);

    std::copy_n(mine.data(), count, result.data());
    MPI_Allreduce(MPI_IN_PLACE, result.data(), count, type, op, MPI_COMM_WORLD);
    expect(bits_of(result.data(), count) == bits, what + ", done again in place, gives other bits");
  }
}

template <class T>
void check_real(MPI_Datatype type, const char* name) {
  check<T>(MPI_SUM, "MPI_SUM", type, name);
  check<T>(MPI_PROD, "MPI_PROD", type, name);
  check<T>(MPI_MIN, "MPI_MIN", type, name);
  check<T>(MPI_MAX, "MPI_MAX", type, name);
}
template <class T>
void check_complex(MPI_Datatype type, const char* name) {
  check<std::complex<T>>(MPI_SUM, "MPI_SUM", type, name);
  check<std::complex<T>>(MPI_PROD, "MPI_PROD", type, name);
}
template <class T>
void check_located(MPI_Datatype type, const char* name) {
  check<Located<T>>(MPI_MINLOC, "MPI_MINLOC", type, name);
  check<Located<T>>(MPI_MAXLOC, "MPI_MAXLOC", type, name);
}

void real_numbers() {
  check_real<float>(MPI_FLOAT, "MPI_FLOAT");
  check_real<double>(MPI_DOUBLE, "MPI_DOUBLE");
  check_real<long double>(MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE");
}
void complex_numbers() {
  check_complex<float>(MPI_C_FLOAT_COMPLEX, "MPI_C_FLOAT_COMPLEX");
  check_complex<double>(MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX");
  check_complex<long double>(MPI_C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX");
}
void numbers_with_an_index() {
  check_located<float>(MPI_FLOAT_INT, "MPI_FLOAT_INT");
  check_located<double>(MPI_DOUBLE_INT, "MPI_DOUBLE_INT");
  check_located<long double>(MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT");
}

// Of two ranks everything about an operand is known.
void the_lower_ranks_value_is_the_left_operand() {
  const double nans[] = {nan_of<double>(0, 0), nan_of<double>(1, 0)};
  const double zeros[] = {0.0, -0.0};
  const auto same = [](double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  for (const int root : {-1, 0, 1}) {
    const auto reduce = [&](double mine, MPI_Op op) {
      double result = 0;
      if (root < 0)
        MPI_Allreduce(&mine, &result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
      else
        MPI_Reduce(&mine, &result, 1, MPI_DOUBLE, op, root, MPI_COMM_WORLD);
      return result;
    };
    for (MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX}) {
      const double nan = reduce(nans[rank()], op), one_nan = reduce(rank() == 0 ? nans[0] : 1.0, op);
      if (root >= 0 && root != rank()) continue;
      expect(same(nan, nans[0]) && same(one_nan, nans[0]), "the result is not rank 0's NaN");
    }
    for (MPI_Op op : {MPI_MIN, MPI_MAX}) {
      const double zero = reduce(zeros[rank()], op);
      if (root >= 0 && root != rank()) continue;
      expect(same(zero, zeros[0]), "the result is not rank 0's zero");
    }
  }
}

// Every group gets what the other contributes.
void between_two_groups() {
  MPI_Comm side, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, rank(), &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank() % 2, 5, &both);
  for (const int count : kCounts) {
    Vector<double> mine(count), result(count);
    for (int i = 0; i < count; ++i) mine.data()[i] = real<double>(rank(), i);
    MPI_Allreduce(mine.data(), result.data(), count, MPI_DOUBLE, MPI_SUM, both);
    const Bits bits = bits_of(result.data(), count);
    Bits first = bits;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_BYTE, 0, side);
    expect(bits == first, "MPI_Allreduce between groups gives this rank other bits than the first of its group");
  }
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
}

}  // namespace

int main() {
  return run({{"all ranks get the same bits of real numbers", real_numbers},
              {"all ranks get the same bits of complex numbers", complex_numbers},
              {"all ranks get the same bits of numbers with an index", numbers_with_an_index},
              {"the lower rank's value is the left operand",
               the_lower_ranks_value_is_the_left_operand,
               {.least = 2, .most = 2}},
              {"all ranks of a group get the same bits from the other", between_two_groups, {.least = 2}}});
}
