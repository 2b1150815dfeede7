// Packing and unpacking of messages that are longer than a first cache, several times over the same memory and over
// other memory in between: what comes out is always what the types say. Each rank alone.
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

struct Bytes {
  std::size_t displacement;
  std::size_t count;
};

// A type, how many of it are a message, and where their bytes are.
struct Long {
  const char* name;
  MPI_Datatype type;
  int count;
  std::vector<Bytes> bytes;

  [[nodiscard]] std::size_t size() const {
    return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0},
                           [](std::size_t sum, const Bytes& some) { return sum + some.count; });
  }
  [[nodiscard]] std::size_t end() const { return bytes.back().displacement + bytes.back().count; }
};

template <class Place>
std::vector<Bytes> places(int number, std::size_t count, Place&& place) {
  std::vector<Bytes> bytes;
  for (int i = 0; i < number; ++i) bytes.push_back({static_cast<std::size_t>(place(i)), count});
  return bytes;
}

Long every_second(int doubles) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(doubles, 1, 2, MPI_DOUBLE, &type);
  return {"every second double", type, 1, places(doubles, 8, [](int i) { return 16 * i; })};
}

Long irregular(int doubles) {
  std::vector<int> displacements;
  const auto at = [](int i) { return 3 * i + (i % 3) * (i % 3) % 3; };
  for (int i = 0; i < doubles; ++i) displacements.push_back(at(i));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_indexed_block(doubles, 1, displacements.data(), MPI_DOUBLE, &type);
  return {"doubles here and there", type, 1, places(doubles, 8, [&](int i) { return 8 * at(i); })};
}

Long columns(int rows) {
  MPI_Datatype one = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 22, 91, MPI_DOUBLE, &one);
  MPI_Type_create_hvector(2, 1, MPI_Aint{8} * 91 * rows, one, &type);
  MPI_Type_free(&one);
  return {"columns of two matrices", type, 1, places(2 * rows, 176, [](int i) { return 728 * i; })};
}

Long with_gaps(int count) {
  const int lengths[] = {3, 1};
  const MPI_Aint displacements[] = {0, 8};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Datatype one = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, displacements, types, &one);
  MPI_Type_create_resized(one, 0, 24, &type);
  MPI_Type_free(&one);
  std::vector<Bytes> bytes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    bytes.push_back({24 * i, 3});
    bytes.push_back({24 * i + 8, 8});
  }
  return {"structs with gaps", type, count, bytes};
}

Long in_one_piece(int ints) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(ints, MPI_INT, &type);
  return {"ints", type, 1, {{0, static_cast<std::size_t>(ints) * 4}}};
}

// A few times, from `position` on in the packed buffer, between memory that is new each time.
void move(const Long& what, int position) {
  const auto before = static_cast<std::size_t>(position), size = what.size();
  constexpr std::byte kUntouched{0xa5};
  std::vector<std::byte> memory(what.end()), packed(before + size + 64), wanted(packed.size());
  const auto room = static_cast<int>(packed.size());
  for (int round = 0; round < 5; ++round) {
    const std::string when = std::string(what.name) + ", " + std::to_string(size) + " bytes from " +
                             std::to_string(position) + " on, round " + std::to_string(round) + ": ";
    unsigned drawn = static_cast<unsigned>(round) + 1;
    for (std::byte& byte : memory) byte = static_cast<std::byte>((drawn = drawn * 1664525 + 1013904223) >> 24);
    packed.assign(packed.size(), kUntouched);
    wanted = packed;
    std::byte* to = wanted.data() + before;
    for (const Bytes& some : what.bytes) {
      std::memcpy(to, memory.data() + some.displacement, some.count);
      to += some.count;
    }
    int at = position;
    MPI_Pack(memory.data(), what.count, what.type, packed.data(), room, &at, MPI_COMM_SELF);
    expect_equal(at, position + static_cast<int>(size), when + "the position after MPI_Pack");
    expect(packed == wanted, when + "MPI_Pack packs something else");

    std::vector<std::byte> unpacked(memory.size(), kUntouched), expected = unpacked;
    for (const Bytes& some : what.bytes)
      std::memcpy(expected.data() + some.displacement, memory.data() + some.displacement, some.count);
    at = position;
    MPI_Unpack(packed.data(), room, &at, unpacked.data(), what.count, what.type, MPI_COMM_SELF);
    expect_equal(at, position + static_cast<int>(size), when + "the position after MPI_Unpack");
    expect(unpacked == expected, when + "MPI_Unpack unpacks something else");
    // Once more, where unpacking ended.
    MPI_Pack(memory.data(), what.count, what.type, packed.data(), room, &(at = position), MPI_COMM_SELF);
    expect(packed == wanted, when + "MPI_Pack packs something else than before");
  }
}

void over_and_over() {
  for (const int doubles : {2047, 2048, 2049, 8192, 8209, 50'000}) {
    for (Long what : {every_second(doubles), irregular(doubles), columns(doubles / 22), with_gaps(doubles),
                      in_one_piece(2 * doubles + 1)}) {
      MPI_Type_commit(&what.type);
      for (const int position : {0, 1, 8, 100}) move(what, position);
      MPI_Type_free(&what.type);
    }
  }
}

// Each is packed behind the other, and all of them are unpacked again, over and over.
void one_behind_the_other() {
  constexpr int kDoubles = 3000, kParts = 3;
  Long what = every_second(kDoubles);
  MPI_Type_commit(&what.type);
  std::vector<double> memory(2 * kDoubles), packed(kParts * kDoubles);
  const auto room = static_cast<int>(packed.size() * sizeof(double));
  for (int round = 0; round < 4; ++round) {
    int at = 0;
    for (int part = 0; part < kParts; ++part) {
      std::iota(memory.begin(), memory.end(), 1e6 * part + round);
      MPI_Pack(memory.data(), 1, what.type, packed.data(), room, &at, MPI_COMM_SELF);
    }
    int wrong = 0;
    for (int i = 0; i < kParts * kDoubles; ++i)
      wrong += packed[static_cast<std::size_t>(i)] != 1e6 * (i / kDoubles) + round + 2 * (i % kDoubles);
    expect_equal(wrong, 0, "the number of wrong doubles");
    std::vector<double> all(packed.size(), -1);
    MPI_Unpack(packed.data(), room, &(at = 0), all.data(), kParts * kDoubles, MPI_DOUBLE, MPI_COMM_SELF);
    expect(all == packed, "MPI_Unpack unpacks something else than doubles");
  }
  MPI_Type_free(&what.type);
}

}  // namespace

int main() {
  return run({{"long messages are packed and unpacked", over_and_over},
              {"messages are packed one behind the other", one_behind_the_other}});
}
