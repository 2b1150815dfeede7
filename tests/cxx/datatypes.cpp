// Datatypes deduced from types: what they are, and that what they describe arrives.
#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace shapes {

enum class color : unsigned char { red, green };
enum size : short { little, large };

struct point {
  double x, y, z;
  friend bool operator==(const point&, const point&) = default;
};

// With padding in the middle and at the end, a struct and arrays inside.
struct particle {
  char symbol;
  point position;
  float weights[2][3];
  std::array<short, 3> charges;
  std::complex<float> phase;
  color shade;
  bool alive;
  friend bool operator==(const particle& a, const particle& b) {
    return a.symbol == b.symbol && a.position == b.position &&
           std::memcmp(a.weights, b.weights, sizeof a.weights) == 0 && a.charges == b.charges && a.phase == b.phase &&
           a.shade == b.shade && a.alive == b.alive;
  }
};

// A pair and a tuple assign by functions of their own, so this is not trivially copyable.
struct labelled {
  std::pair<int, double> range;
  std::tuple<char, short> label;
  std::array<std::pair<int, char>, 2> ends;
  friend bool operator==(const labelled&, const labelled&) = default;
};
static_assert(!std::is_trivially_copyable_v<labelled>);

struct sixteen {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};

// Says itself what is sent: not the cache.
class account {
 public:
  account() = default;
  account(int id, double balance, int cache) : id_(id), balance_(balance), cache_(cache) {}
  int id() const { return id_; }
  double balance() const { return balance_; }
  int cache() const { return cache_; }
  static constexpr auto sent() { return std::tuple{&account::id_, &account::balance_}; }

 private:
  int id_ = 0;
  double balance_ = 0;
  int cache_ = 0;
};

}  // namespace shapes

template <>
inline constexpr auto antiphon::members<shapes::account> = shapes::account::sent();

namespace {

using antiphon::datatype_of;

template <class T>
void expect_type(MPI_Datatype wanted, const char* name) {
  expect(datatype_of<T>() == wanted, std::string("the datatype of ") + name + " is another one");
}

void arithmetic_types_are_predefined() {
  expect_type<char>(MPI_CHAR, "char");
  expect_type<signed char>(MPI_SIGNED_CHAR, "signed char");
  expect_type<unsigned char>(MPI_UNSIGNED_CHAR, "unsigned char");
  expect_type<short>(MPI_SHORT, "short");
  expect_type<unsigned short>(MPI_UNSIGNED_SHORT, "unsigned short");
  expect_type<int>(MPI_INT, "int");
  expect_type<unsigned>(MPI_UNSIGNED, "unsigned");
  expect_type<long>(MPI_LONG, "long");
  expect_type<unsigned long>(MPI_UNSIGNED_LONG, "unsigned long");
  expect_type<long long>(MPI_LONG_LONG, "long long");
  expect_type<unsigned long long>(MPI_UNSIGNED_LONG_LONG, "unsigned long long");
  expect_type<float>(MPI_FLOAT, "float");
  expect_type<double>(MPI_DOUBLE, "double");
  expect_type<long double>(MPI_LONG_DOUBLE, "long double");
  expect_type<wchar_t>(MPI_WCHAR, "wchar_t");
  expect_type<bool>(MPI_CXX_BOOL, "bool");
  expect_type<std::byte>(MPI_BYTE, "std::byte");
  expect_type<std::complex<float>>(MPI_CXX_FLOAT_COMPLEX, "std::complex<float>");
  expect_type<std::complex<double>>(MPI_CXX_DOUBLE_COMPLEX, "std::complex<double>");
  expect_type<std::complex<long double>>(MPI_CXX_LONG_DOUBLE_COMPLEX, "std::complex<long double>");
  expect_type<shapes::color>(MPI_UNSIGNED_CHAR, "an enumeration over unsigned char");
  expect_type<shapes::size>(MPI_SHORT, "an enumeration over short");
}

// Each is as large as its C++ type, and has the bytes of its members.
template <class T>
void expect_layout(MPI_Count bytes, const char* name) {
  MPI_Count low = -1, extent = 0, size = 0;
  MPI_Type_get_extent_c(datatype_of<T>(), &low, &extent);
  MPI_Type_size_c(datatype_of<T>(), &size);
  expect_equal(low, 0, std::string("the lower bound of ") + name);
  expect_equal(extent, static_cast<MPI_Count>(sizeof(T)), std::string("the extent of ") + name);
  expect_equal(size, bytes, std::string("the size of ") + name);
}

void structs_have_their_members_and_their_padding() {
  expect_layout<shapes::point>(24, "a point");
  expect_layout<shapes::particle>(1 + 24 + 24 + 6 + 8 + 1 + 1, "a particle");
  expect_layout<shapes::sixteen>(64, "a struct of 16");
  expect_layout<std::pair<char, double>>(9, "a pair");
  expect_layout<std::tuple<char, int, std::array<short, 3>>>(11, "a tuple");
  expect_layout<shapes::labelled>(12 + 3 + 10, "a struct with a pair and a tuple");
  expect_layout<shapes::account>(12, "a class that lists members");
  expect(datatype_of<shapes::point>() == datatype_of<shapes::point>(), "a datatype is made twice");
}

template <class T>
T around(const T& mine) {
  auto sent = antiphon::world().isend(T(mine), {.to = right()});
  T got = antiphon::world().recv<T>({.from = left()});
  sent.get();
  return got;
}

shapes::particle some_particle(int i) {
  return {static_cast<char>('a' + i % 26),
          {1.5 * i, 2, 3},
          {{1, 2, 3}, {4, 5, static_cast<float>(i)}},
          {1, 2, 3},
          {4, static_cast<float>(i)},
          shapes::color::green,
          i % 2 == 0};
}

void what_they_describe_arrives() {
  const int mine = conformance::rank(), theirs = left();
  expect(around(some_particle(mine)) == some_particle(theirs), "a particle");
  std::vector<shapes::particle> many;
  for (int i = 0; i < 1000; ++i) many.push_back(some_particle(i + mine));
  many = around(many);
  for (int i = 0; i < 1000; ++i)
    expect(many[static_cast<std::size_t>(i)] == some_particle(i + theirs), "particle " + std::to_string(i));
  expect(around(std::pair{mine, 2.5}) == std::pair{theirs, 2.5}, "a pair");
  expect(around(std::tuple{'x', mine, shapes::color::red}) == std::tuple{'x', theirs, shapes::color::red}, "a tuple");
  expect(around(mine % 2 == 0) == (theirs % 2 == 0), "a bool");
  expect(around(std::complex<double>(mine, 1)) == std::complex<double>(theirs, 1), "a complex number");
  const auto labels = [](int i) {
    return std::vector(3, shapes::labelled{{i, 2.5}, {'x', 3}, {{{4, 'y'}, {i, 'z'}}}});
  };
  expect(around(labels(mine)) == labels(theirs), "structs with pairs and tuples");
  const auto nested = around(std::vector<std::array<std::pair<int, char>, 2>>{{{{mine, 'a'}, {2, 'b'}}}});
  expect(nested[0][0] == std::pair{theirs, 'a'} && nested[0][1] == std::pair{2, 'b'}, "arrays of pairs");
}

void members_that_are_not_listed_stay() {
  auto sent = antiphon::world().isend(shapes::account(conformance::rank(), 3.5, 77), {.to = right()});
  shapes::account got(0, 0, 5);
  antiphon::world().recv(got, {.from = left()});
  sent.get();
  expect_equal(got.id(), left(), "the id");
  expect_equal(got.balance(), 3.5, "the balance");
  expect_equal(got.cache(), 5, "what is not sent");
}

}  // namespace

int main() {
  return conformance::run({
      {"arithmetic types are predefined", arithmetic_types_are_predefined},
      {"structs have their members and their padding", structs_have_their_members_and_their_padding},
      {"what they describe arrives", what_they_describe_arrives},
      {"members that are not listed stay", members_that_are_not_listed_stay},
  });
}
