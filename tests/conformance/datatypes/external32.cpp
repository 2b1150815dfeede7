// external32 bit by bit: values whose representation the standard gives (MPI 5.0, 14.5.2), written and read back.
#include <climits>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr const char* kName = "external32";

std::string hexadecimal(const std::vector<unsigned char>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// One value of a type: packs to these bytes, and unpacks to itself.
template <class Value>
void expect_bytes(MPI_Datatype type, const char* name, const Value& value, const std::string& wanted,
                  const Where& where = Where::current()) {
  MPI_Aint size = 0, position = 0;
  MPI_Pack_external_size(kName, 1, type, &size);
  expect_equal(static_cast<std::size_t>(size), wanted.size() / 2, std::string("the length of ") + name, where);
  std::vector<unsigned char> packed(static_cast<std::size_t>(size));
  MPI_Pack_external(kName, &value, 1, type, packed.data(), size, &position);
  expect_equal(position, size, std::string("the position behind ") + name, where);
  expect_equal(hexadecimal(packed), wanted, name, where);

  Value back{};
  position = 0;
  MPI_Unpack_external(kName, packed.data(), size, &position, &back, 1, type);
  expect(back == value, std::string(name) + " is not what it was before", where);
}

void integers_are_big_endian_and_complement_two() {
  expect_bytes<signed char>(MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR", -2, "fe");
  expect_bytes<unsigned char>(MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR", 0xc3, "c3");
  expect_bytes<char>(MPI_CHAR, "MPI_CHAR", 'A', "41");
  expect_bytes<char>(MPI_BYTE, "MPI_BYTE", 'A', "41");
  expect_bytes<char>(MPI_PACKED, "MPI_PACKED", 'A', "41");
  expect_bytes<short>(MPI_SHORT, "MPI_SHORT", -2, "fffe");
  expect_bytes<unsigned short>(MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT", 0x1234, "1234");
  expect_bytes<int>(MPI_INT, "MPI_INT", 0x12345678, "12345678");
  expect_bytes<int>(MPI_INT, "MPI_INT", INT_MIN, "80000000");
  expect_bytes<unsigned>(MPI_UNSIGNED, "MPI_UNSIGNED", 0xfedcba98u, "fedcba98");
  expect_bytes<long long>(MPI_LONG_LONG, "MPI_LONG_LONG", -2, "fffffffffffffffe");
  expect_bytes<unsigned long long>(MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG", 0x123456789abcdef0,
                                   "123456789abcdef0");
  expect_bytes<std::int8_t>(MPI_INT8_T, "MPI_INT8_T", -1, "ff");
  expect_bytes<std::int16_t>(MPI_INT16_T, "MPI_INT16_T", 0x0102, "0102");
  expect_bytes<std::int32_t>(MPI_INT32_T, "MPI_INT32_T", 0x01020304, "01020304");
  expect_bytes<std::int64_t>(MPI_INT64_T, "MPI_INT64_T", 0x0102030405060708, "0102030405060708");
  expect_bytes<std::uint64_t>(MPI_UINT64_T, "MPI_UINT64_T", UINT64_MAX - 1, "fffffffffffffffe");
  expect_bytes<bool>(MPI_C_BOOL, "MPI_C_BOOL", true, "01");
}

// The only types that are longer in memory, where long has 64 bits and wchar_t 32.
void longs_have_four_bytes_and_wide_characters_two() {
  expect_bytes<long>(MPI_LONG, "MPI_LONG", 0x12345678, "12345678");
  expect_bytes<long>(MPI_LONG, "MPI_LONG", -2, "fffffffe");
  expect_bytes<unsigned long>(MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG", 0xfedcba98u, "fedcba98");
  expect_bytes<wchar_t>(MPI_WCHAR, "MPI_WCHAR", L'\u20ac', "20ac");
  expect_bytes<wchar_t>(MPI_WCHAR, "MPI_WCHAR", L'\uffee', "ffee");
}

void addresses_counts_and_offsets_have_eight_bytes() {
  expect_bytes<MPI_Aint>(MPI_AINT, "MPI_AINT", 0x123456789abcdef, "0123456789abcdef");
  expect_bytes<MPI_Aint>(MPI_AINT, "MPI_AINT", -2, "fffffffffffffffe");
  expect_bytes<MPI_Count>(MPI_COUNT, "MPI_COUNT", 0x123456789abcdef, "0123456789abcdef");
  expect_bytes<MPI_Offset>(MPI_OFFSET, "MPI_OFFSET", -0x123456789abcdef, "fedcba9876543211");
}

void floating_point_is_ieee() {
  expect_bytes<float>(MPI_FLOAT, "MPI_FLOAT", 1.5f, "3fc00000");
  expect_bytes<float>(MPI_FLOAT, "MPI_FLOAT", -std::numeric_limits<float>::infinity(), "ff800000");
  expect_bytes<double>(MPI_DOUBLE, "MPI_DOUBLE", -2.0, "c000000000000000");
  expect_bytes<double>(MPI_DOUBLE, "MPI_DOUBLE", 4.9406564584124654e-324, "0000000000000001");
  expect_bytes<std::complex<float>>(MPI_C_FLOAT_COMPLEX, "MPI_C_FLOAT_COMPLEX", {1.5f, -2.f}, "3fc00000c0000000");
  expect_bytes<std::complex<double>>(MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", {1.5, -2.},
                                     "3ff8000000000000c000000000000000");
  expect_bytes<float>(MPI_REAL, "MPI_REAL", 1.5f, "3fc00000");
  expect_bytes<double>(MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", 1.5, "3ff8000000000000");
}

// binary128: sign, 15 bits of exponent with bias 16383, 112 bits of fraction; whatever the machine's long double is.
void long_double_is_binary128() {
  using Limits = std::numeric_limits<long double>;
  const std::string zeros(24, '0');
  expect_bytes<long double>(MPI_LONG_DOUBLE, "0", 0.0L, "00000000" + zeros);
  expect_bytes<long double>(MPI_LONG_DOUBLE, "1", 1.0L, "3fff0000" + zeros);
  expect_bytes<long double>(MPI_LONG_DOUBLE, "1.5", 1.5L, "3fff8000" + zeros);
  expect_bytes<long double>(MPI_LONG_DOUBLE, "-2", -2.0L, "c0000000" + zeros);
  expect_bytes<long double>(MPI_LONG_DOUBLE, "infinity", Limits::infinity(), "7fff0000" + zeros);
  expect_bytes<long double>(MPI_LONG_DOUBLE, "-infinity", -Limits::infinity(), "ffff0000" + zeros);
  expect_bytes<long double>(MPI_LONG_DOUBLE, "1/3 of a double", static_cast<long double>(1.0 / 3),
                            "3ffd5555555555555000000000000000");
  if (Limits::digits == 64) {  // the format of x87, whose least values are no normal ones in it alone
    expect_bytes<long double>(MPI_LONG_DOUBLE, "the last bit", 1.0L + Limits::epsilon(),
                              "3fff0000000000000002000000000000");
    expect_bytes<long double>(MPI_LONG_DOUBLE, "the greatest", Limits::max(), "7ffefffffffffffffffe000000000000");
    expect_bytes<long double>(MPI_LONG_DOUBLE, "the least", Limits::denorm_min(), "00000000000000000002000000000000");
  }
  expect_bytes<std::complex<long double>>(MPI_C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX", {1.5L, -2.0L},
                                          "3fff8000" + zeros + "c0000000" + zeros);
}

void pairs_have_no_padding() {
  struct DoubleInt {
    double value;
    int index;
    bool operator==(const DoubleInt&) const = default;
  };
  struct LongInt {
    long value;
    int index;
    bool operator==(const LongInt&) const = default;
  };
  struct ShortInt {
    short value;
    int index;
    bool operator==(const ShortInt&) const = default;
  };
  expect_bytes<DoubleInt>(MPI_DOUBLE_INT, "MPI_DOUBLE_INT", {1.5, 7}, "3ff800000000000000000007");
  expect_bytes<LongInt>(MPI_LONG_INT, "MPI_LONG_INT", {-2, 7}, "fffffffe00000007");
  expect_bytes<ShortInt>(MPI_SHORT_INT, "MPI_SHORT_INT", {-2, 7}, "fffe00000007");
}

// A struct of all kinds, several times: in memory with gaps, in external32 without.
void derived_types_are_packed_without_gaps() {
  struct Record {
    char letter;
    long double real;
    wchar_t wide;
    long number;
  };
  const int lengths[] = {1, 1, 1, 1};
  const MPI_Aint displacements[] = {offsetof(Record, letter), offsetof(Record, real), offsetof(Record, wide),
                                    offsetof(Record, number)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_LONG_DOUBLE, MPI_WCHAR, MPI_LONG};
  MPI_Datatype members = MPI_DATATYPE_NULL, record = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(4, lengths, displacements, types, &members);
  MPI_Type_create_resized(members, 0, sizeof(Record), &record);
  MPI_Type_commit(&record);
  const Record records[] = {{'a', 1.5L, L'\u20ac', -2}, {'b', -2.0L, L'x', 258}};
  std::vector<unsigned char> packed(46);
  MPI_Aint position = 0;
  MPI_Pack_external(kName, records, 2, record, packed.data(), 46, &position);
  expect_equal(position, 46, "the position behind two records");
  expect_equal(hexadecimal(packed),
               "61"
               "3fff8000000000000000000000000000"
               "20ac"
               "fffffffe"
               "62"
               "c0000000000000000000000000000000"
               "0078"
               "00000102",
               "two records");
  Record back[2] = {};
  position = 0;
  MPI_Unpack_external(kName, packed.data(), 46, &position, back, 2, record);
  for (int i = 0; i < 2; ++i)
    expect(back[i].letter == records[i].letter && back[i].real == records[i].real &&
               back[i].wide == records[i].wide && back[i].number == records[i].number,
           "a record is not what it was before");
  MPI_Type_free(&members);
  MPI_Type_free(&record);
}

// What has one width is reversed in one loop, through a window: more than fits into it, with gaps.
void long_vectors_are_reversed_in_windows() {
  constexpr int kInts = 5000;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(kInts, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  std::vector<int> values(2 * kInts, -1), back(2 * kInts, -1);
  for (int i = 0; i < kInts; ++i) values[static_cast<std::size_t>(2 * i)] = i * 65537;
  std::vector<unsigned char> packed(4 * kInts);
  MPI_Aint position = 0;
  MPI_Pack_external(kName, values.data(), 1, type, packed.data(), 4 * kInts, &position);
  for (std::size_t i = 0; i < kInts; ++i) {
    const auto value = static_cast<unsigned>(values[2 * i]);
    for (std::size_t b = 0; b < 4; ++b)
      if (packed[4 * i + b] != (value >> (24 - 8 * b) & 0xff))
        return expect_equal(int{packed[4 * i + b]}, static_cast<int>(value >> (24 - 8 * b) & 0xff), "a byte");
  }
  position = 0;
  MPI_Unpack_external(kName, packed.data(), 4 * kInts, &position, back.data(), 1, type);
  expect(back == values, "a vector of ints is not what it was before");
  MPI_Type_free(&type);
}

void there_is_no_other_representation() {
  char byte = 0;
  MPI_Aint size = 0, position = 0;
  expect_error(MPI_Pack_external("native", &byte, 1, MPI_CHAR, &byte, 1, &position), MPI_ERR_UNSUPPORTED_DATAREP,
               "MPI_Pack_external(\"native\")");
  expect_error(MPI_Unpack_external("internal", &byte, 1, &position, &byte, 1, MPI_CHAR), MPI_ERR_UNSUPPORTED_DATAREP,
               "MPI_Unpack_external(\"internal\")");
  expect_error(MPI_Pack_external_size("", 1, MPI_CHAR, &size), MPI_ERR_UNSUPPORTED_DATAREP,
               "MPI_Pack_external_size(\"\")");
}

}  // namespace

int main() {
  return run({{"integers are big-endian and complement two", integers_are_big_endian_and_complement_two},
              {"longs have four bytes and wide characters two", longs_have_four_bytes_and_wide_characters_two},
              {"addresses, counts and offsets have eight bytes", addresses_counts_and_offsets_have_eight_bytes},
              {"floating point is IEEE", floating_point_is_ieee},
              {"long double is binary128", long_double_is_binary128},
              {"pairs have no padding", pairs_have_no_padding},
              {"derived types are packed without gaps", derived_types_are_packed_without_gaps},
              {"long vectors are reversed in windows", long_vectors_are_reversed_in_windows},
              {"there is no other representation", there_is_no_other_representation}});
}
