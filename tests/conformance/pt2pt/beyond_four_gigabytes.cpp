// Messages of more bytes than 32 bits can count, in each way to say so: the large-count procedures, and datatypes of
// which an int suffices; in one piece and scattered. MPI 5.0, 2.5.8 and 3.2.1. From the first rank to the last, which
// may be the same.
//
// It takes 6 GiB of memory and a minute on a busy machine, so it runs only where ANTIPHON_TEST_LONG is set. What is
// sent takes little: a few megabytes, mapped again and again, whose number does not divide 4 GiB, so a byte that
// comes from a wrong place is seen.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kPeriod = 11 * kMiB;
constexpr std::size_t kMessage = 4096 * kMiB + 123 * kMiB + 7;
// Scattered: blocks of 192 KiB, 256 KiB apart.
constexpr std::size_t kBlock = 192 * 1024, kStride = 256 * 1024, kBlocks = kMessage / kBlock;
constexpr std::size_t kSpan = kBlocks * kStride, kNeeded = kSpan + 512 * kMiB;
constexpr int kTag = 6, kSkipped = 77;

// kSpan bytes of addresses, all backed by the first period; null if that is not possible.
unsigned char* repeated() {
  constexpr std::size_t whole = (kSpan / kPeriod + 1) * kPeriod;
  const int file = memfd_create("period", 0);
  void* start = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (file < 0 || start == MAP_FAILED || ftruncate(file, static_cast<off_t>(kPeriod)) != 0) return nullptr;
  auto* const bytes = static_cast<unsigned char*>(start);
  for (std::size_t at = 0; at < whole; at += kPeriod)
    if (mmap(bytes + at, kPeriod, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
      return nullptr;
  close(file);
  return bytes;
}

unsigned char* memory() {
  void* start = mmap(nullptr, kSpan, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<unsigned char*>(start);
}

unsigned char* sent = nullptr;
unsigned char* received = nullptr;

bool is_sender() { return rank() == 0; }
bool is_receiver() { return rank() == size() - 1; }

// Each test has a content of its own, which all ranks know.
void fill(int test) {
  for (std::size_t i = 0; i < kPeriod; ++i)
    sent[i] = static_cast<unsigned char>(i * 167 + i / 509 + i / 65'536 + static_cast<std::size_t>(test) * 31);
}

struct Side {
  MPI_Count count;
  MPI_Datatype type;
  bool is_scattered;
  // Where the block lies that begins at byte `index` of the message.
  [[nodiscard]] std::size_t place(std::size_t index) const {
    return is_scattered ? index / kBlock * kStride + index % kBlock : index;
  }
};

void exchange(const Side& out, const Side& in, std::size_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_receiver()) MPI_Irecv_c(received, in.count, in.type, 0, kTag, MPI_COMM_WORLD, &request);
  if (is_sender())
    expect_error(MPI_Send_c(sent, out.count, out.type, size() - 1, kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Send_c");
  if (!is_receiver()) return;
  MPI_Status status;
  expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
  MPI_Count count = -1;
  int small = -1;
  MPI_Get_count_c(&status, MPI_BYTE, &count);
  MPI_Get_count(&status, MPI_BYTE, &small);
  expect_equal(count, static_cast<MPI_Count>(bytes), "the count");
  expect_equal(small, MPI_UNDEFINED, "what an int cannot say");
  std::size_t wrong_blocks = 0;
  for (std::size_t at = 0; at < bytes; at += kBlock)
    if (std::memcmp(received + in.place(at), sent + out.place(at), std::min(kBlock, bytes - at)) != 0) ++wrong_blocks;
  expect_equal(wrong_blocks, std::size_t{0}, "blocks that are wrong");
}

void by_a_large_count() {
  fill(1);
  const Side bytes{static_cast<MPI_Count>(kMessage), MPI_BYTE, false};
  exchange(bytes, bytes, kMessage);
}

// Of which an int can say the number.
void by_a_large_type() {
  fill(2);
  MPI_Datatype megabyte;
  MPI_Type_contiguous(static_cast<int>(kMiB), MPI_BYTE, &megabyte);
  MPI_Type_commit(&megabyte);
  constexpr int kCount = 4200;
  exchange({kCount, megabyte, false}, {kCount, megabyte, false}, kCount * kMiB);
  MPI_Type_free(&megabyte);
}

void scattered_at_one_end() {
  MPI_Datatype blocks;
  MPI_Type_vector(static_cast<int>(kBlocks), static_cast<int>(kBlock), static_cast<int>(kStride), MPI_BYTE, &blocks);
  MPI_Type_commit(&blocks);
  constexpr std::size_t kBytes = kBlocks * kBlock;
  const Side one_piece{static_cast<MPI_Count>(kBytes), MPI_BYTE, false}, pieces{1, blocks, true};
  fill(3);
  exchange(pieces, one_piece, kBytes);
  fill(4);
  exchange(one_piece, pieces, kBytes);
  MPI_Type_free(&blocks);
}

void too_long_for_its_buffer() {
  constexpr std::size_t kRoom = 4096 * kMiB + 5;
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_receiver())
    MPI_Irecv_c(received, static_cast<MPI_Count>(kRoom), MPI_BYTE, 0, kTag, MPI_COMM_WORLD, &request);
  if (is_sender()) MPI_Send_c(sent, static_cast<MPI_Count>(kMessage), MPI_BYTE, size() - 1, kTag, MPI_COMM_WORLD);
  if (is_receiver()) expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Wait");
}

int skip(const char* why) {
  std::printf("skipped: %s\n", why);
  return kSkipped;
}

}  // namespace

int main() {
  if (!std::getenv("ANTIPHON_TEST_LONG")) return skip("takes 6 GiB of memory; runs where ANTIPHON_TEST_LONG is set");
  const auto pages = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES));
  if (pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) < kNeeded)
    return skip("less than 6 GiB of memory are free");
  if (!(sent = repeated()) || !(received = memory())) return skip("a process may not have 11 GiB of addresses");
  return run({{"by a large count", by_a_large_count},
              {"by a large type", by_a_large_type},
              {"scattered at one end", scattered_at_one_end},
              {"too long for its buffer", too_long_for_its_buffer}});
}
