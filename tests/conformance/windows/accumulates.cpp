// Operations that combine with what is at the target: every operation on every type that has it, scattered on both
// sides, each element by one at a time, in the order of their origin; on windows of every kind.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "windows/some_windows.hpp"

using namespace conformance;

namespace {

int next() { return (rank() + 1) % size(); }

// Everybody adds to all ints of everybody, several at a time.
void from_all_to_all() {
  constexpr int kEach = 300;
  on_every_kind(kEach, [](const SomeWindow& window) {
    std::vector<int> mine(kEach);
    for (int i = 0; i < kEach; ++i) mine[static_cast<std::size_t>(i)] = i * (rank() + 1);
    for (int round = 1; round <= 2; ++round) {
      MPI_Win_fence(0, window.win);
      for (int to = 0; to < size(); ++to)
        MPI_Accumulate(mine.data(), kEach, MPI_INT, to, window.at(to, 0), kEach, MPI_INT, MPI_SUM, window.win);
      MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
      int wrong = 0;
      for (int i = 0; i < kEach; ++i) wrong += window.data[i] != round * i * size() * (size() + 1) / 2;
      expect_equal(wrong, 0, "the number of wrong sums");
      MPI_Barrier(MPI_COMM_WORLD);
    }
  });
}

// Longer than any packet and any block; the old values come back.
void much_at_a_time() {
  const int many = is_simulated() ? 3'000 : 100'000;
  on_every_kind(many, [many](const SomeWindow& window) {
    const auto count = static_cast<std::size_t>(many);
    std::vector<int> mine(count), before(count, -1);
    std::iota(mine.begin(), mine.end(), rank());
    std::iota(window.data, window.data + many, 1'000'000);
    MPI_Win_fence(0, window.win);
    MPI_Get_accumulate(mine.data(), many, MPI_INT, before.data(), many, MPI_INT, next(), window.at(next(), 0), many,
                       MPI_INT, MPI_SUM, window.win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
    int wrong = 0;
    const int from = (rank() + size() - 1) % size();
    for (int i = 0; i < many; ++i)
      wrong += before[static_cast<std::size_t>(i)] != 1'000'000 + i || window.data[i] != 1'000'000 + 2 * i + from;
    expect_equal(wrong, 0, "the number of wrong words");
  });
}

// Of several lengths, each so often that it begins where the last one ended; types of 4, 8 and, as pairs, 12 of
// 16 bytes.
void much_again_and_again() {
  const int rounds = 3;
  struct Pair {
    double value;
    int index;
  };
  for (const int many : is_simulated() ? std::vector{300} : std::vector{4'096, 4'099, 30'001})
    on_every_kind(4 * many, [many](const SomeWindow& window) {
      const auto count = static_cast<std::size_t>(many);
      auto* const there = reinterpret_cast<std::byte*>(window.data);
      std::vector<int> ints(count), seen(count);
      std::vector<double> doubles(count);
      std::vector<Pair> pairs(count);
      for (int i = 0; i < many; ++i) {
        const auto n = static_cast<std::size_t>(i);
        ints[n] = i + rank();
        doubles[n] = 3.0 * i + rank();
        pairs[n] = {i % 5 - 2.0, i + rank()};
      }
      const int from = (rank() + size() - 1) % size();
      const MPI_Aint at = window.at(next(), 0);
      const auto fill = [&](auto&& one) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < many; ++i) one(static_cast<std::size_t>(i), i);
        MPI_Win_fence(0, window.win);
      };
      int wrong = 0;
      fill([&](std::size_t n, int) { window.data[n] = 0; });
      for (int round = 0; round < rounds; ++round)
        MPI_Accumulate(ints.data(), many, MPI_INT, next(), at, many, MPI_INT, MPI_SUM, window.win);
      MPI_Win_fence(0, window.win);
      for (int i = 0; i < many; ++i) wrong += window.data[i] != rounds * (i + from);
      expect_equal(wrong, 0, "the number of wrong sums of ints");
      MPI_Barrier(MPI_COMM_WORLD);

      for (int round = 0; round < rounds; ++round) {
        MPI_Get_accumulate(ints.data(), many, MPI_INT, seen.data(), many, MPI_INT, next(), at, many, MPI_INT, MPI_SUM,
                           window.win);
        MPI_Win_fence(0, window.win);
        for (int i = 0; i < many; ++i) wrong += seen[static_cast<std::size_t>(i)] != (rounds + round) * (i + rank());
      }
      expect_equal(wrong, 0, "the number of wrong ints that were fetched");

      const auto double_at = [&](std::size_t n) { return there + n * sizeof(double); };
      fill([&](std::size_t n, int i) {
        const double value = i;
        std::memcpy(double_at(n), &value, sizeof value);
      });
      for (int round = 0; round < rounds; ++round)
        MPI_Accumulate(doubles.data(), many, MPI_DOUBLE, next(), at, many, MPI_DOUBLE, MPI_SUM, window.win);
      MPI_Win_fence(0, window.win);
      for (int i = 0; i < many; ++i) {
        double found = 0;
        std::memcpy(&found, double_at(static_cast<std::size_t>(i)), sizeof found);
        wrong += found != i + rounds * (3.0 * i + from);
      }
      expect_equal(wrong, 0, "the number of wrong sums of doubles");

      const auto pair_at = [&](std::size_t n) { return there + n * sizeof(Pair); };
      fill([&](std::size_t n, int) {
        const Pair none = {0, many + size()};
        std::memcpy(pair_at(n), &none, sizeof none);
      });
      for (int round = 0; round < rounds; ++round)
        MPI_Accumulate(pairs.data(), many, MPI_DOUBLE_INT, next(), at, many, MPI_DOUBLE_INT, MPI_MAXLOC, window.win);
      MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
      for (int i = 0; i < many; ++i) {
        Pair found = {};
        std::memcpy(&found, pair_at(static_cast<std::size_t>(i)), sizeof found);
        const double value = i % 5 - 2.0;
        wrong += found.value != std::max(value, 0.0) || found.index != (value < 0 ? many + size() : i + from);
      }
      expect_equal(wrong, 0, "the number of wrong pairs");
      MPI_Barrier(MPI_COMM_WORLD);
    });
}

// Everybody draws numbers from a counter of each: none comes twice, and all come.
template <class Draw>
void draw_numbers(int each, Draw&& draw) {
  on_every_kind(1, [&](const SomeWindow& window) {
    std::vector<int> drawn, all(static_cast<std::size_t>(each * size()));
    for (int target = 0; target < size(); ++target) {
      drawn.clear();
      MPI_Win_lock_all(0, window.win);
      for (int i = 0; i < each; ++i) drawn.push_back(draw(window, target));
      MPI_Win_unlock_all(window.win);
      MPI_Allgather(drawn.data(), each, MPI_INT, all.data(), each, MPI_INT, MPI_COMM_WORLD);
      std::sort(all.begin(), all.end());
      int wrong = 0;
      for (std::size_t i = 0; i < all.size(); ++i) wrong += all[i] != static_cast<int>(i);
      expect_equal(wrong, 0, "the number of wrong draws from rank " + std::to_string(target));
    }
  });
}

void fetch_and_op() {
  draw_numbers(50, [](const SomeWindow& window, int target) {
    const int one = 1;
    int drawn = -1;
    MPI_Fetch_and_op(&one, &drawn, MPI_INT, target, window.at(target, 0), MPI_SUM, window.win);
    MPI_Win_flush(target, window.win);
    return drawn;
  });
}

void compare_and_swap() {
  draw_numbers(20, [](const SomeWindow& window, int target) {
    for (int seen = 0;;) {
      const int more = seen + 1;
      int found = -1;
      MPI_Compare_and_swap(&more, &seen, &found, MPI_INT, target, window.at(target, 0), window.win);
      MPI_Win_flush(target, window.win);
      if (found == seen) return seen;
      seen = found;
    }
  });
}

// Each element is changed by one at a time, however many of them an operation takes, and whether its types are
// predefined or made of those.
void all_ways_at_once() {
  const int many = is_simulated() ? 200 : 10'000, rounds = is_simulated() ? 3 : 20;
  MPI_Datatype four = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4, MPI_INT, &four);
  MPI_Type_commit(&four);
  on_every_kind(many, [&](const SomeWindow& window) {
    const std::vector<int> ones(static_cast<std::size_t>(many), 1);
    std::vector<int> before(static_cast<std::size_t>(many));
    MPI_Win_lock_all(0, window.win);
    for (int round = 0; round < rounds; ++round) {
      MPI_Accumulate(ones.data(), many, MPI_INT, 0, window.at(0, 0), many, MPI_INT, MPI_SUM, window.win);
      MPI_Get_accumulate(ones.data(), many / 4, four, before.data(), many / 4, four, 0, window.at(0, 0), many / 4,
                         four, MPI_SUM, window.win);
      for (int i = 0; i < many; i += many / 20) {
        int drawn = 0;
        const MPI_Aint there = window.at(0, i);
        MPI_Fetch_and_op(ones.data(), &drawn, MPI_INT, 0, there, MPI_SUM, window.win);
        MPI_Accumulate(ones.data(), 3, MPI_INT, 0, there, 3, MPI_INT, MPI_SUM, window.win);
        MPI_Accumulate(ones.data(), 1, four, 0, there, 1, four, MPI_SUM, window.win);
        MPI_Win_flush(0, window.win);
        for (int found = drawn, seen = -1; found != seen; MPI_Win_flush(0, window.win)) {
          seen = found;
          const int more = seen + 1;
          MPI_Compare_and_swap(&more, &seen, &found, MPI_INT, 0, there, window.win);
        }
      }
    }
    MPI_Win_unlock_all(window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    int wrong = 0;
    constexpr int kExtra[] = {4, 2, 2, 1};  // of each fetch_and_op, three, four, and compare_and_swap
    for (int i = 0; i < many && rank() == 0; ++i) {
      const int from = i % (many / 20);
      wrong += window.data[i] != size() * rounds * (2 + (from < 4 ? kExtra[from] : 0));
    }
    expect_equal(wrong, 0, "the number of wrong sums");
    MPI_Barrier(MPI_COMM_WORLD);
  });
  MPI_Type_free(&four);
}

// What one origin does to one place is done in order.
void in_order() {
  on_every_kind(4, [](const SomeWindow& window) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window.win);
    int seen[3] = {-1, -1, -1};
    const int values[3] = {7, 5, 100};
    const MPI_Aint there = window.at(next(), 2);
    MPI_Accumulate(&values[0], 1, MPI_INT, next(), there, 1, MPI_INT, MPI_REPLACE, window.win);
    MPI_Get_accumulate(nullptr, 0, MPI_DATATYPE_NULL, &seen[0], 1, MPI_INT, next(), there, 1, MPI_INT, MPI_NO_OP,
                       window.win);
    MPI_Accumulate(&values[1], 1, MPI_INT, next(), there, 1, MPI_INT, MPI_PROD, window.win);
    MPI_Fetch_and_op(&values[2], &seen[1], MPI_INT, next(), there, MPI_REPLACE, window.win);
    MPI_Fetch_and_op(nullptr, &seen[2], MPI_INT, next(), there, MPI_NO_OP, window.win);
    MPI_Win_unlock(next(), window.win);
    expect_equal(seen[0], 7, "what was replaced");
    expect_equal(seen[1], 35, "what was multiplied then");
    expect_equal(seen[2], 100, "what was replaced at last");
  });
}

// Whatever the length of the pieces in which elements are kept from others: everybody adds to the same doubles, from
// places of its own, and pairs, which may be longer than a piece, are replaced as a whole.
void in_pieces_of_any_length() {
  constexpr int kDoubles = 3000;
  struct Pair {
    double value;
    int index;
  };
  for (const char* granularity : {"0", "1", "64", "4096", "1000000"}) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_accumulate_granularity", granularity);
    std::byte* base = nullptr;
    MPI_Win win;
    MPI_Win_allocate(kDoubles * sizeof(double) + sizeof(Pair), 1, info, MPI_COMM_WORLD, &base, &win);
    MPI_Info_free(&info);
    auto* const sums = reinterpret_cast<double*>(base);
    auto* const pair = reinterpret_cast<Pair*>(base + kDoubles * sizeof(double));
    std::fill_n(sums, kDoubles, 0.0);
    *pair = {0, 0};
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<double> ones(kDoubles, 1);
    MPI_Win_lock_all(0, win);
    bool fits = true;
    for (int to = 0; to < size(); ++to) {
      for (int first = 0; first < kDoubles; first += kDoubles / 3 + rank()) {
        const int count = std::min(kDoubles - first, kDoubles / 3 + rank());
        MPI_Accumulate(ones.data(), count, MPI_DOUBLE, to, first * MPI_Aint{sizeof(double)}, count, MPI_DOUBLE,
                       MPI_SUM, win);
      }
      const Pair mine{rank() + 1.0, rank() + 1};
      Pair before{};
      MPI_Get_accumulate(&mine, 1, MPI_DOUBLE_INT, &before, 1, MPI_DOUBLE_INT, to,
                         kDoubles * MPI_Aint{sizeof(double)}, 1, MPI_DOUBLE_INT, MPI_REPLACE, win);
      MPI_Win_flush(to, win);
      fits &= before.value == before.index;
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    int wrong = 0;
    for (int i = 0; i < kDoubles; ++i) wrong += sums[i] != size();
    expect_equal(wrong, 0, "the number of wrong sums");
    expect_equal(fits && pair->value == pair->index, true, "whole pairs");
    MPI_Win_free(&win);
  }
}

// Every second int here, pairs of ints at the target, every third int for the result; types freed at once.
void scattered() {
  constexpr int kInts = 400;
  on_every_kind(2 * kInts, [](const SomeWindow& window) {
    MPI_Datatype seconds, pairs, thirds;
    MPI_Type_vector(kInts, 1, 2, MPI_INT, &seconds);
    MPI_Type_vector(kInts / 2, 2, 4, MPI_INT, &pairs);
    MPI_Type_create_hvector(kInts, 1, 3 * sizeof(int), MPI_INT, &thirds);
    for (MPI_Datatype* type : {&seconds, &pairs, &thirds}) MPI_Type_commit(type);
    std::vector<int> mine(2 * kInts), result(3 * kInts, -4);
    for (std::size_t i = 0; i < kInts; ++i) mine[2 * i] = static_cast<int>(i);
    for (int i = 0; i < 2 * kInts; ++i) window.data[i] = 10 * i;
    MPI_Win_fence(0, window.win);
    MPI_Get_accumulate(mine.data(), 1, seconds, result.data(), 1, thirds, next(), window.at(next(), 0), 1, pairs,
                       MPI_SUM, window.win);
    MPI_Win_fence(0, window.win);
    MPI_Accumulate(mine.data(), 1, seconds, next(), window.at(next(), 0), 1, pairs, MPI_MAX, window.win);
    for (MPI_Datatype* type : {&seconds, &pairs, &thirds}) MPI_Type_free(type);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
    int wrong = 0;
    for (int i = 0; i < kInts; ++i) {
      const int place = i / 2 * 4 + i % 2;
      wrong += window.data[place] != 10 * place + i || window.data[place + 2] != 10 * (place + 2);
      wrong += result[static_cast<std::size_t>(3 * i)] != 10 * place;
      if (i + 1 < kInts) wrong += result[static_cast<std::size_t>(3 * i + 1)] != -4;
    }
    expect_equal(wrong, 0, "the number of wrong words");
  });
}

struct SomeType {
  const char* name;
  MPI_Datatype type;
};
const SomeType kTypes[] = {{"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR},
                           {"MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR},
                           {"MPI_BYTE", MPI_BYTE},
                           {"MPI_CHAR", MPI_CHAR},
                           {"MPI_WCHAR", MPI_WCHAR},
                           {"MPI_SHORT", MPI_SHORT},
                           {"MPI_INT", MPI_INT},
                           {"MPI_UINT64_T", MPI_UINT64_T},
                           {"MPI_AINT", MPI_AINT},
                           {"MPI_C_BOOL", MPI_C_BOOL},
                           {"MPI_FLOAT", MPI_FLOAT},
                           {"MPI_DOUBLE", MPI_DOUBLE},
                           {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE},
                           {"MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX},
                           {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX},
                           {"MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX},
                           {"MPI_FLOAT_INT", MPI_FLOAT_INT},
                           {"MPI_DOUBLE_INT", MPI_DOUBLE_INT},
                           {"MPI_LONG_INT", MPI_LONG_INT},
                           {"MPI_2INT", MPI_2INT},
                           {"MPI_SHORT_INT", MPI_SHORT_INT},
                           {"MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT}};
struct SomeOp {
  const char* name;
  MPI_Op op;
};
const SomeOp kOps[] = {{"MPI_SUM", MPI_SUM},        {"MPI_PROD", MPI_PROD},     {"MPI_MIN", MPI_MIN},
                       {"MPI_MAX", MPI_MAX},        {"MPI_LAND", MPI_LAND},     {"MPI_BOR", MPI_BOR},
                       {"MPI_BXOR", MPI_BXOR},      {"MPI_MINLOC", MPI_MINLOC}, {"MPI_MAXLOC", MPI_MAXLOC},
                       {"MPI_REPLACE", MPI_REPLACE}};

constexpr int kElements = 5;
using Memory = std::vector<unsigned char>;

// Some elements, whose packed bytes make small numbers of any type.
Memory some_elements(MPI_Datatype type, int salt) {
  MPI_Aint lb = 0, extent = 0;
  MPI_Type_get_extent(type, &lb, &extent);
  Memory made(static_cast<std::size_t>(extent * kElements), 0);
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = type == MPI_C_BOOL ? static_cast<unsigned char>((i + static_cast<std::size_t>(salt)) % 2)
                                 : static_cast<unsigned char>((i * 7 + static_cast<std::size_t>(salt) * 13) % 64);
  return made;
}
// Without padding, and without the bytes of a long double that mean nothing.
Memory packed(const Memory& elements, MPI_Datatype type) {
  int size = 0, position = 0;
  MPI_Type_size(type, &size);
  Memory made(static_cast<std::size_t>(size * kElements));
  MPI_Pack(elements.data(), kElements, type, made.data(), static_cast<int>(made.size()), &position, MPI_COMM_SELF);
  const bool has_long_double =
      type == MPI_LONG_DOUBLE || type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_LONG_DOUBLE_INT;
  for (std::size_t i = 0; has_long_double && i < made.size(); ++i) {
    const std::size_t within = i % static_cast<std::size_t>(size);
    if (within < 16 ? within >= 10 : type == MPI_C_LONG_DOUBLE_COMPLEX && within >= 26) made[i] = 0;
  }
  return made;
}

// As MPI_Reduce_local has it.
void every_operation_on_every_type() {
  constexpr int kInts = 64;
  on_every_kind(kInts, [](const SomeWindow& window) {
    for (const SomeType& type : kTypes)
      for (const SomeOp& op : kOps) {
        const std::string name = std::string(op.name) + " on " + type.name;
        const Memory theirs = some_elements(type.type, next() + 3), mine = some_elements(type.type, rank());
        Memory expected = mine, fetched(mine.size(), 0);
        const bool defined = op.op == MPI_REPLACE || MPI_Reduce_local(theirs.data(), expected.data(), kElements,
                                                                      type.type, op.op) == MPI_SUCCESS;
        const Memory own = some_elements(type.type, rank() + 3);
        std::memcpy(window.data, own.data(), own.size());
        MPI_Win_fence(0, window.win);
        const int returned =
            MPI_Get_accumulate(mine.data(), kElements, type.type, fetched.data(), kElements, type.type, next(),
                               window.at(next(), 0), kElements, type.type, op.op, window.win);
        expect_error(returned, defined ? MPI_SUCCESS : MPI_ERR_OP, name);
        MPI_Win_fence(0, window.win);
        Memory there(mine.size(), 0);
        MPI_Get(there.data(), kElements, type.type, next(), window.at(next(), 0), kElements, type.type, window.win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
        if (!defined) continue;
        expect(packed(fetched, type.type) == packed(theirs, type.type), "what " + name + " fetches");
        expect(packed(there, type.type) == packed(expected, type.type), "the result of " + name);
      }
  });
}

void wrong_arguments() {
  const SomeWindow window(Made::allocated, 8);
  MPI_Op users;
  MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &users);
  MPI_Datatype mixed;
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, 4};
  const MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT};
  MPI_Type_create_struct(2, lengths, places, types, &mixed);
  MPI_Type_commit(&mixed);
  int two[2] = {1, 2}, back[2] = {-1, -1};
  const double real = 1;
  double real_back = 0;
  const auto accumulate = [&](const void* from, int count, MPI_Datatype type, int target_count,
                              MPI_Datatype target_type, MPI_Op op, MPI_Aint displacement = 0) {
    return MPI_Accumulate(from, count, type, rank(), displacement, target_count, target_type, op, window.win);
  };
  expect_error(accumulate(two, 1, MPI_INT, 1, MPI_INT, MPI_SUM), MPI_ERR_RMA_SYNC, "without an epoch");
  MPI_Win_fence(0, window.win);
  expect_error(accumulate(two, 1, MPI_INT, 1, MPI_INT, users), MPI_ERR_OP, "a user's operation");
  expect_error(accumulate(two, 1, MPI_INT, 1, MPI_INT, MPI_NO_OP), MPI_ERR_OP, "MPI_NO_OP");
  expect_error(accumulate(&real, 1, MPI_DOUBLE, 1, MPI_DOUBLE, MPI_BAND), MPI_ERR_OP, "bits of a double");
  expect_error(accumulate(two, 1, MPI_INT, 1, MPI_FLOAT, MPI_SUM), MPI_ERR_TYPE, "an int into a float");
  expect_error(accumulate(two, 1, mixed, 1, mixed, MPI_SUM), MPI_ERR_TYPE, "ints and floats");
  expect_error(accumulate(two, 2, MPI_INT, 1, MPI_INT, MPI_SUM), MPI_ERR_TRUNCATE, "two ints into one");
  expect_error(accumulate(two, 1, MPI_INT, 1, MPI_INT, MPI_SUM, 8), MPI_ERR_RMA_RANGE, "behind the end");
  expect_error(MPI_Get_accumulate(two, 2, MPI_INT, back, 1, MPI_INT, rank(), 0, 2, MPI_INT, MPI_SUM, window.win),
               MPI_ERR_TRUNCATE, "two ints whose results have room for one");
  expect_error(
      MPI_Get_accumulate(two, 1, MPI_DATATYPE_NULL, back, 1, MPI_INT, rank(), 0, 1, MPI_INT, MPI_SUM, window.win),
      MPI_ERR_TYPE, "no type of the origin's");
  expect_error(MPI_Compare_and_swap(&real, &real, &real_back, MPI_DOUBLE, rank(), 0, window.win), MPI_ERR_TYPE,
               "doubles to be compared");
  expect_error(MPI_Fetch_and_op(two, back, mixed, rank(), 0, MPI_SUM, window.win), MPI_ERR_TYPE,
               "a derived type to be fetched");
  expect_error(accumulate(two, 2, MPI_INT, 2, MPI_INT32_T, MPI_SUM), MPI_SUCCESS, "another name for int");
  expect_error(MPI_Accumulate(two, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, MPI_SUM, window.win), MPI_SUCCESS,
               "with nobody");
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
  expect_equal(window.data[0], 0, "the only one that was added to");
  expect_equal(back[0], -1, "the result");
  MPI_Type_free(&mixed);
  MPI_Op_free(&users);
}

// What is not attached stays as it is, and the origin hears of it.
void not_attached() {
  const SomeWindow window(Made::dynamic, 4);
  const int one = 1;
  int back = -5;
  MPI_Win_lock_all(0, window.win);
  if (size() > 1) {
    const MPI_Aint outside = window.at(next(), 4);
    MPI_Accumulate(&one, 1, MPI_INT, next(), outside, 1, MPI_INT, MPI_SUM, window.win);
    expect_error(MPI_Win_flush(next(), window.win), MPI_ERR_RMA_RANGE, "accumulating behind what is attached");
    MPI_Fetch_and_op(&one, &back, MPI_INT, next(), outside, MPI_SUM, window.win);
    expect_error(MPI_Win_flush_all(window.win), MPI_ERR_RMA_RANGE, "fetching behind what is attached");
    MPI_Compare_and_swap(&one, &one, &back, MPI_INT, next(), outside, window.win);
    expect_error(MPI_Win_unlock_all(window.win), MPI_ERR_RMA_RANGE, "comparing behind what is attached");
  } else {
    MPI_Win_unlock_all(window.win);
  }
  expect_equal(back, -5, "the result");
}

// Who has said that one operation is applied at once, or one and none, is held to it, until what was applied is over.
void promised_operations() {
  on_every_kind(4, [](const SomeWindow& window) {
    const int one = 1, ones[] = {1, 1, 1, 1}, target = next();
    int old = 0;
    const auto apply = [&](MPI_Op op, int first, int count = 1) {
      return MPI_Accumulate(ones, count, MPI_INT, target, window.at(target, first), count, MPI_INT, op, window.win);
    };
    const auto look = [&](int index) {
      return MPI_Fetch_and_op(nullptr, &old, MPI_INT, target, window.at(target, index), MPI_NO_OP, window.win);
    };
    const auto promise = [&](const char* ops) {
      MPI_Info info;
      MPI_Info_create(&info);
      MPI_Info_set(info, "accumulate_ops", ops);
      MPI_Win_set_info(window.win, info);
      MPI_Info_free(&info);
    };
    const int before = window.data[0];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window.win);
    expect_error(apply(MPI_SUM, 0), MPI_SUCCESS, "a sum");
    expect_error(apply(MPI_PROD, 0), MPI_SUCCESS, "a product, while nothing is promised");
    MPI_Win_flush(target, window.win);

    promise("same_op_no_op");
    expect_error(apply(MPI_SUM, 0, 2), MPI_SUCCESS, "a sum of two");
    expect_error(apply(MPI_SUM, 1, 2), MPI_SUCCESS, "a sum of two, one of which is the same");
    expect_error(apply(MPI_PROD, 3), MPI_SUCCESS, "a product elsewhere");
    expect_error(look(1), MPI_SUCCESS, "a look there");
    expect_error(apply(MPI_PROD, 1, 3), MPI_ERR_RMA_CONFLICT, "a product of three, the first two of which are sums");
    expect_error(apply(MPI_SUM, 3), MPI_ERR_RMA_CONFLICT, "a sum to a product");
    expect_error(MPI_Compare_and_swap(&one, &one, &old, MPI_INT, target, window.at(target, 2), window.win),
                 MPI_ERR_RMA_CONFLICT, "a compare-and-swap of a sum");
    MPI_Win_flush_local(target, window.win);
    expect_error(apply(MPI_PROD, 0), MPI_ERR_RMA_CONFLICT, "a product while the sum may not be over");
    MPI_Win_flush(target, window.win);
    expect_error(apply(MPI_PROD, 0), MPI_SUCCESS, "a product when it is");
    MPI_Win_flush_all(window.win);

    promise("same_op");
    expect_error(apply(MPI_SUM, 0), MPI_SUCCESS, "a sum again");
    expect_error(look(0), MPI_ERR_RMA_CONFLICT, "a look there, which is not promised any more");
    MPI_Win_unlock_all(window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_equal(window.data[0], before + 3, "what is there: nothing that failed was applied");

    MPI_Win_fence(0, window.win);
    expect_error(apply(MPI_SUM, 0), MPI_SUCCESS, "a sum between fences");
    expect_error(apply(MPI_PROD, 0), MPI_ERR_RMA_CONFLICT, "a product before the next");
    MPI_Win_fence(0, window.win);
    expect_error(apply(MPI_PROD, 0), MPI_SUCCESS, "a product behind it");
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
  });
}

}  // namespace

int main() {
  return run({{"everybody adds to everybody's words", from_all_to_all},
              {"much is accumulated at a time", much_at_a_time},
              {"much is accumulated again and again", much_again_and_again},
              {"numbers are drawn by MPI_Fetch_and_op", fetch_and_op},
              {"numbers are drawn by MPI_Compare_and_swap", compare_and_swap},
              {"elements are changed by one at a time, whichever way", all_ways_at_once},
              {"accumulates of one origin are in order", in_order},
              {"elements are kept from others in pieces of any length", in_pieces_of_any_length},
              {"all sides may be scattered", scattered},
              {"every operation on every type", every_operation_on_every_type},
              {"wrong arguments are errors", wrong_arguments},
              {"what is not attached cannot be accumulated to", not_attached},
              {"operations that were not promised are errors", promised_operations}});
}
