// The job segment: one sealed memfd that mpiexec creates, every rank of the node maps, and that has no name in any
// file system, so it vanishes with the last process. This header is its layout, shared by launcher and library (plain
// data and atomics, no constructor with side effects): Header, then one RankSlot a rank, then the transport's area
// for each ordered pair of ranks, then a heap for each rank. The file is sparse: a pair that never talks costs no
// memory, nor does a heap that nothing was allocated from. Heaps are mapped by those who use them only.
//
// Who writes what: mpiexec fills Header and RankSlot::identity before it forks; afterwards a slot is written by its
// rank only, but for `doorbell`, which any rank may ring, and Header::abort, which the first to abort sets.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace antiphon::bootstrap {

inline constexpr std::uint64_t kJobMagic = 0x316e6f6870697461;  // "atiphon1"
inline constexpr std::uint32_t kJobLayoutVersion = 3;           // changes with any field below

// The environment through which mpiexec tells a rank who it is.
inline constexpr const char* kJobFdVariable = "ANTIPHON_JOB_FD";  // descriptor of the segment
inline constexpr const char* kRankVariable = "ANTIPHON_RANK";     // rank in MPI_COMM_WORLD

enum class RankState : std::uint32_t { starting, initialized, finalized };

// What a sleeping rank waits for. Written under `version` (odd while it changes: a sequence lock), read by mpiexec.
struct WaitNote {
  char call[40];           // "MPI_Recv"
  char communicator[40];   // "MPI_COMM_WORLD", or its name, or "context 17"
  std::int32_t peer;       // rank in MPI_COMM_WORLD, or kAnyPeer, or kNoPeer
  std::int32_t tag;        // or kAnyTag, or kNoTag
  std::int64_t bytes;      // size of the message or buffer; -1: does not apply
  std::uint64_t since_ns;  // CLOCK_MONOTONIC

  static constexpr std::int32_t kAnyPeer = -1, kNoPeer = -3, kAnyTag = -2, kNoTag = -3;
};

inline constexpr std::uint32_t kRankAsleep = 1, kThreadsAsleep = 2;

struct alignas(128) RankSlot {
  // Read by every sender after every packet, written only around a sleep: a line of its own.
  // Not 0: ring `doorbell` after you publish something. kRankAsleep, or kThreadsAsleep where others may be awake.
  alignas(64) std::atomic<std::uint32_t> sleeping;
  // The futex a rank sleeps on. Whoever rings adds one and wakes.
  alignas(64) std::atomic<std::uint32_t> doorbell;

  alignas(64) std::atomic<RankState> state;
  std::atomic<std::uint32_t> wait_version;  // sequence lock of `wait`
  std::atomic<std::uint64_t> sleeps;        // how often it went to sleep: unchanged and asleep = no progress since
  WaitNote wait;

  // identity: filled by mpiexec, constant from then on, but for pid, which the rank claims in MPI_Init
  std::atomic<std::int32_t> pid;
  std::int32_t appnum;
  std::int32_t bound_cpu_count;  // 0: not bound

  // Where its heap begins in the rank's own memory; 0: nothing was allocated from it yet.
  std::atomic<std::uint64_t> heap_address;
};

struct alignas(128) Header {
  std::uint64_t magic;
  std::uint32_t layout_version;
  std::uint32_t header_bytes;    // sizeof(Header), checked by the rank
  std::uint32_t size;            // ranks of the job
  std::uint32_t apps;            // program specifications on the command line
  std::uint32_t usable_cpus;     // min(cpuset, cgroup quota rounded up): what the ranks may count on
  std::uint32_t oversubscribed;  // 1: more ranks than usable_cpus, waiting must not spin
  std::uint64_t total_bytes;     // up to the heaps: what a rank maps
  std::uint64_t heap_bytes;      // of each rank; 0: there are none

  // MPI_Abort: 0 none, 1 being written, 2 written. The first rank to get from 0 to 1 writes the rest.
  std::atomic<std::uint32_t> abort_state;
  std::int32_t abort_rank;
  std::int32_t abort_code;
  char abort_text[1024];
};

struct JobLayout {
  std::uint32_t size;
  std::uint64_t heap_bytes = 0;

  // With heaps that are no smaller than the machine's memory, as long as all of them fit into an address space. No
  // larger either: address spaces have limits, and valgrind's is 128 GiB. A job of one shares with nobody.
  [[nodiscard]] static constexpr JobLayout with_heaps(std::uint32_t size, std::uint64_t memory_bytes) {
    constexpr std::uint64_t kAllHeaps = std::uint64_t{1} << 44;
    return {size, size == 1 ? 0 : std::min(std::bit_ceil(memory_bytes), kAllHeaps / std::bit_ceil(size))};
  }

  // Of the area in which one rank sends to another. Few ranks get rings large enough that the lines of a long message
  // are written back to a shared cache before they are written again, which is faster than taking them from the other
  // core; many ranks share what a container may reasonably spend if all pairs of them talk at length.
  [[nodiscard]] constexpr std::size_t pair_bytes() const {
    constexpr std::size_t kOverhead = std::size_t{32} << 10;  // of the ring besides its payload
    constexpr std::size_t kLeast = std::size_t{64} << 10, kMost = std::size_t{1} << 20;
    constexpr std::size_t kAllPairs = std::size_t{256} << 20;
    const std::size_t pairs = std::max<std::size_t>(1, std::size_t{size} * size);
    return kOverhead + std::clamp(std::bit_floor(kAllPairs / pairs), kLeast, kMost);
  }
  [[nodiscard]] constexpr std::size_t slot_offset(std::uint32_t rank) const {
    return sizeof(Header) + rank * sizeof(RankSlot);
  }
  // Of the area in which `from` sends to `to`.
  [[nodiscard]] constexpr std::size_t pair_offset(std::uint32_t from, std::uint32_t to) const {
    return first_pair() + (std::size_t{to} * size + from) * pair_bytes();
  }
  [[nodiscard]] constexpr std::size_t total_bytes() const {
    return first_pair() + std::size_t{size} * size * pair_bytes();
  }
  [[nodiscard]] constexpr std::uint64_t heap_offset(std::uint32_t rank) const {
    constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
    return (total_bytes() + kHugePage - 1) / kHugePage * kHugePage + rank * heap_bytes;
  }
  [[nodiscard]] constexpr std::uint64_t file_bytes() const {
    return heap_bytes == 0 ? total_bytes() : heap_offset(size);
  }

 private:
  [[nodiscard]] constexpr std::size_t first_pair() const {
    constexpr std::size_t page = 4096;
    return (slot_offset(size) + page - 1) / page * page;
  }
};

}  // namespace antiphon::bootstrap
