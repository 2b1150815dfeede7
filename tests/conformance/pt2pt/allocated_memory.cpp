// Messages between memory from MPI_Alloc_mem and memory from elsewhere, in every combination.
#include <algorithm>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr std::size_t kMost = std::size_t{6} << 20;
// Around the bounds of what is shared and of one part.
constexpr std::size_t kSizes[] = {1000, 65'535, 65'536, 262'145, std::size_t{1} << 20, 4'194'305, kMost - 3};

int before() { return (rank() + size() - 1) % size(); }
int after() { return (rank() + 1) % size(); }

unsigned char byte_of(int sender, std::size_t i, int round) {
  return static_cast<unsigned char>(i * 7 + i / 4093 + static_cast<std::size_t>(sender * 31 + round * 3));
}

// Room for the longest message, from either source.
class Memory {
 public:
  explicit Memory(bool allocated) : allocated_(allocated) {
    if (allocated)
      MPI_Alloc_mem(kMost, MPI_INFO_NULL, &start_);
    else
      start_ = new unsigned char[kMost];
  }
  ~Memory() {
    if (allocated_)
      MPI_Free_mem(start_);
    else
      delete[] start_;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  [[nodiscard]] unsigned char* at(std::size_t offset) const { return start_ + offset; }

 private:
  bool allocated_;
  unsigned char* start_ = nullptr;
};

void fill(unsigned char* bytes, std::size_t count, int sender, int round) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = byte_of(sender, i, round);
}
void check(const unsigned char* bytes, std::size_t count, int sender, int round) {
  for (std::size_t i = 0; i < count; ++i)
    if (bytes[i] != byte_of(sender, i, round))
      return expect_equal(static_cast<int>(bytes[i]), static_cast<int>(byte_of(sender, i, round)),
                          "byte " + std::to_string(i) + " of " + std::to_string(count));
}

void in_a_ring(const Memory& out, const Memory& in, std::size_t bytes, std::size_t offset, int round) {
  fill(out.at(offset), bytes, rank(), round);
  std::fill_n(in.at(0), bytes + offset, static_cast<unsigned char>(0));
  MPI_Sendrecv(out.at(offset), static_cast<int>(bytes), MPI_BYTE, after(), 0, in.at(offset), static_cast<int>(bytes),
               MPI_BYTE, before(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(in.at(offset), bytes, before(), round);
}

void every_combination() {
  int round = 0;
  for (const bool from_allocated : {false, true})
    for (const bool to_allocated : {false, true}) {
      const Memory out(from_allocated), in(to_allocated);
      for (const std::size_t bytes : kSizes) in_a_ring(out, in, bytes, bytes % 3, ++round);
    }
}

// Ranks differ in where their memory comes from.
void mixed() {
  const Memory out(rank() % 2 == 0), in(rank() % 3 == 0);
  for (int round = 0; round < 5; ++round) in_a_ring(out, in, 300'000, 0, round);
}

// More at a time than there are counters to share their parts.
void many_at_a_time() {
  constexpr int kMany = 24;
  constexpr std::size_t kBytes = 200'000;
  const Memory out(true), in(true);
  fill(out.at(0), kMany * kBytes, rank(), 0);
  std::vector<MPI_Request> requests;
  for (int i = 0; i < kMany; ++i)
    MPI_Irecv(in.at(static_cast<std::size_t>(i) * kBytes), kBytes, MPI_BYTE, before(), i, MPI_COMM_WORLD,
              &requests.emplace_back());
  for (int i = kMany - 1; i >= 0; --i)
    MPI_Isend(out.at(static_cast<std::size_t>(i) * kBytes), kBytes, MPI_BYTE, after(), i, MPI_COMM_WORLD,
              &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  check(in.at(0), kMany * kBytes, before(), 0);
}

// What a peer has mapped stays right when the memory behind it has changed.
void freed_and_allocated_again() {
  for (int round = 0; round < 20; ++round) {
    const Memory other(round % 2 == 0), out(true), in(true);
    in_a_ring(out, in, 1'000'000, 0, round);
  }
}

// Twice as much each time, and nothing of what was freed is long enough: where memory is scarce (conformance.confined
// gives it 64 MiB), it has to go back.
void freed_for_others() {
  for (std::size_t bytes = std::size_t{1} << 20; bytes <= std::size_t{16} << 20; bytes *= 2) {
    unsigned char* start = nullptr;
    expect_error(MPI_Alloc_mem(static_cast<MPI_Aint>(bytes), MPI_INFO_NULL, &start), MPI_SUCCESS, "allocating");
    std::fill_n(start, bytes, static_cast<unsigned char>(1));
    MPI_Free_mem(start);
  }
}

void refusal() {
  void* base = nullptr;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (const int shift : {45, 60})
    expect_error(MPI_Alloc_mem(MPI_Aint{1} << shift, MPI_INFO_NULL, &base), MPI_ERR_NO_MEM,
                 "2^" + std::to_string(shift) + " bytes");
  const Memory still(true);
  expect_error(MPI_Free_mem(still.at(4096)), MPI_ERR_BASE, "the middle of an allocation");
}

}  // namespace

int main() {
  return run({{"messages go from and to both kinds of memory", every_combination},
              {"not all ranks need to have allocated", mixed},
              {"many are under way at a time", many_at_a_time},
              {"memory that is used again is seen by others", freed_and_allocated_again},
              {"memory that is freed is there for others", freed_for_others},
              {"memory that does not exist is refused", refusal}});
}
