// The job segment: one file that mpiexec creates, or, under another launcher, the lowest rank of the node. Every rank
// of the node maps it. It has no name in any file system, so it vanishes with the last process. This header is its
// layout, shared by launcher and library (plain data and atomics, no constructor with side effects): Header, then one
// RankSlot a rank, then, in a job of several nodes, a map of the job (the Place of each rank, the NodeName of each
// node), then one Board a rank, then the transport's inbox of each rank, then the rings that each has to give to
// those who send much to it, then the pipes that each lends to those who send long messages to it, then a heap for
// each rank. Ranks are those on the node. What all others write to lies close together, because each process pays for
// the page tables of what it touches. The file is sparse: a ring that nobody has costs no memory, nor does a heap
// that nothing was allocated from. Heaps are mapped by those who use them only.
//
// Who writes what: whoever creates it fills Header and RankSlot::identity before another process has it; afterwards a
// slot and a board are written by their rank only, but for `doorbell`, which any rank may ring, and Header::abort,
// which the first to abort sets, and Header::fence, which all count up.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/cache_line.hpp"
#include "bootstrap/board.hpp"
#include "bootstrap/place.hpp"
#include "counters/counters.hpp"
#include "platform/linux/doorbell.hpp"
#include "settings/values.hpp"

namespace antiphon::bootstrap {

inline constexpr std::uint64_t kJobMagic = 0x316e6f6870697461;  // "atiphon1"
inline constexpr std::uint32_t kJobLayoutVersion = 16;          // changes with any field below

// The environment through which mpiexec tells a rank who it is.
inline constexpr const char* kJobFdVariable = "ANTIPHON_JOB_FD";                    // descriptor of the segment
inline constexpr const char* kRankVariable = "ANTIPHON_RANK";                       // rank in MPI_COMM_WORLD
inline constexpr const char* kMemoryKindsVariable = "ANTIPHON_MEMORY_ALLOC_KINDS";  // that the user will use

// finalize_failed: MPI_Finalize has returned an error, and may be called again.
enum class RankState : std::uint32_t { starting, initialized, finalized, finalize_failed };

// For the longest name that a communicator or a window may have (MPI_MAX_OBJECT_NAME), and what is said around it.
inline constexpr std::size_t kNameBytes = 192;

// What a sleeping rank waits for. Written under `version` (odd while it changes: a sequence lock), read by mpiexec.
struct WaitNote {
  char call[40];                  // "MPI_Recv"
  char communicator[kNameBytes];  // "MPI_COMM_WORLD", "dup of mine", "post of rank 7 in a window of mine"
  std::int32_t peer;              // rank in MPI_COMM_WORLD, or kAnyPeer, or kNoPeer
  std::int32_t tag;               // or kAnyTag, or kNoTag
  std::int64_t bytes;             // size of the message or buffer; -1: does not apply
  std::uint64_t since_ns;         // CLOCK_MONOTONIC
  std::uint32_t nth;              // which collective of the communicator it is; 0: none
  char agreed[60];                // what all ranks have to give it alike: "root 0, 40 bytes, MPI_SUM"

  static constexpr std::int32_t kAnyPeer = -1, kNoPeer = -3, kAnyTag = -2, kNoTag = -3;
};

// Why a rank's part in a collective failed, the last one that did: others may wait for it. Under a sequence lock,
// too; read by the other ranks of its node and by mpiexec.
struct FailureNote {
  static constexpr std::uint32_t kLater = UINT32_MAX;

  char communicator[kNameBytes];  // as in a WaitNote
  std::uint32_t nth;              // which of its blocking collectives; kLater: one that does not block; 0: none
  char text[300];
};

inline constexpr std::uint32_t kRankAsleep = 1, kThreadsAsleep = 2;

struct alignas(base::kCacheLinePair) RankSlot {
  // Read by every sender after every packet, written only around a sleep: a line of its own.
  // Not 0: ring `doorbell` after you publish something. kRankAsleep, or kThreadsAsleep where others may be awake.
  alignas(base::kCacheLine) std::atomic<std::uint32_t> sleeping;
  // What a rank sleeps on.
  alignas(base::kCacheLine) platform::Doorbell doorbell;

  alignas(base::kCacheLine) std::atomic<RankState> state;
  std::atomic<std::uint32_t> wait_version;  // sequence lock of `wait`
  std::atomic<std::uint64_t> sleeps;        // how often it went to sleep: unchanged and asleep = no progress since
  WaitNote wait;
  std::atomic<std::uint32_t> failure_version;
  FailureNote failure;

  // identity: filled by mpiexec, constant from then on, but for pid, which the rank claims in MPI_Init
  std::atomic<std::int32_t> pid;
  std::int32_t world_rank;  // in MPI_COMM_WORLD
  std::int32_t appnum;
  std::int32_t bound_cpu_count;  // 0: not bound

  // Where its heap begins in the rank's own memory; 0: nothing was allocated from it yet.
  std::atomic<std::uint64_t> heap_address;

  // What it has counted (counters::table), written when it leaves MPI.
  std::array<std::uint64_t, counters::kHowMany> counted;
};

// What a rank has said of a collective that failed; nothing if that changes just now.
inline std::optional<FailureNote> failure_of(const RankSlot& slot) {
  const std::uint32_t version = slot.failure_version.load(std::memory_order_acquire);
  FailureNote note;
  std::memcpy(&note, &slot.failure, sizeof note);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (version % 2 != 0 || slot.failure_version.load(std::memory_order_relaxed) != version || note.nth == 0)
    return std::nullopt;
  note.communicator[sizeof note.communicator - 1] = note.text[sizeof note.text - 1] = '\0';
  return note;
}

// The name of a host, as mpiexec was told it; zeros fill it up.
inline constexpr std::size_t kNodeNameBytes = 64;
using NodeName = std::array<char, kNodeNameBytes>;

// Where a process of this node listens for others of its job: a name in the abstract name space of Unix sockets. Who
// presents the token has this from within the job. No bytes: nobody listens.
struct LocalAddress {
  std::uint32_t name_bytes;
  char name[28];
  std::array<std::byte, 16> token;
};

struct alignas(base::kCacheLinePair) Header {
  std::uint64_t magic;
  std::uint32_t layout_version;
  std::uint32_t header_bytes;    // sizeof(Header), checked by the rank
  std::uint32_t size;            // ranks of the node
  std::uint32_t world_size;      // ranks of the job
  std::uint32_t nodes;           // of the job
  std::uint32_t node;            // which of them this one is
  std::uint32_t apps;            // program specifications on the command line
  std::uint32_t usable_cpus;     // min(cpuset, cgroup quota rounded up): what the ranks may count on
  std::uint32_t oversubscribed;  // 1: more ranks than usable_cpus, waiting must not spin
  std::int32_t launcher;         // mpiexec, or what started the lowest rank: ranks descend from it, mostly
  std::uint64_t total_bytes;     // up to the heaps: what a rank maps
  std::uint64_t heap_bytes;      // of each rank; 0: there are none
  std::uint64_t pipe_bytes;      // of each rank, for all its pipes

  std::uint32_t settings_digest;  // settings::kTableDigest, checked by the rank
  settings::Values settings;      // of the job, as mpiexec was told

  LocalAddress broker;  // of the node (broker_client.hpp), if the job has several; filled before ranks start

  // MPI_Abort: 0 none, 1 being written, 2 written. The first rank to get from 0 to 1 writes the rest.
  std::atomic<std::uint32_t> abort_state;
  std::int32_t abort_rank;  // on the node
  std::int32_t abort_code;
  char abort_text[1024];

  // Job::fence: the ranks that have come so far, and the fences that are over, on which they sleep.
  std::atomic<std::uint32_t> fence_arrived;
  std::atomic<std::uint32_t> fences;
};

struct JobLayout {
  static constexpr std::uint64_t kMostPipeBytes = std::uint64_t{4} << 20, kLeastPipeBytes = std::uint64_t{32} << 10;
  static constexpr std::size_t kPositionsBytes = 2 * base::kCacheLinePair;  // of a pipe

  std::uint32_t size;
  std::uint64_t heap_bytes = 0;
  std::uint64_t pipe_bytes = kMostPipeBytes;  // of a rank, for all its pipes
  // What the map of the job has; none where the job has one node.
  std::uint32_t mapped_ranks = 0, mapped_nodes = 0;

  // With heaps that are no smaller than the machine's memory, as long as all of them fit into an address space. No
  // larger either: address spaces have limits, and valgrind's is 128 GiB. A job of one shares with nobody.
  // All pipes may be in use, so they have no more than a sixteenth of the memory that is available.
  [[nodiscard]] static constexpr JobLayout fitting(std::uint32_t size, std::uint64_t memory_bytes,
                                                   std::uint64_t available_bytes) {
    constexpr std::uint64_t kAllHeaps = std::uint64_t{1} << 44, kAllPipes = std::uint64_t{1} << 30;
    const std::uint64_t share = std::min(available_bytes / 16, kAllPipes) / size;
    return {size, size == 1 ? 0 : std::min(std::bit_ceil(memory_bytes), kAllHeaps / std::bit_ceil(size)),
            std::clamp(std::bit_floor(share), kLeastPipeBytes, kMostPipeBytes)};
  }

  // What a rank keeps for the others, a queue in which all of them send to it included. The more there are, the
  // longer it is; but all of the job's together are no more than a machine with so many cores can spare.
  [[nodiscard]] constexpr std::size_t inbox_bytes() const {
    constexpr std::size_t kOverhead = std::size_t{24} << 10, kEach = 4;  // besides the payload of the queue
    constexpr std::size_t kLeast = std::size_t{64} << 10, kMost = std::size_t{256} << 10;
    constexpr std::size_t kAll = std::size_t{128} << 20;
    const std::size_t wanted = std::min(std::bit_ceil(std::size_t{size} << 10), std::bit_floor(kAll / size));
    return in_pages(kOverhead + size * kEach) + std::clamp(wanted, kLeast, kMost);
  }
  // Where ranks are few, each has one for every other. A look costs a line for each that is given.
  [[nodiscard]] constexpr std::uint32_t rings_each() const { return std::min(size - 1, std::uint32_t{16}); }
  // Few rings are large enough that the lines of a long message are written back to a shared cache before they are
  // written again, which is faster than taking them from the other core; many share what a container may reasonably
  // spend if all are in use.
  [[nodiscard]] constexpr std::size_t ring_bytes() const {
    constexpr std::size_t kOverhead = std::size_t{20} << 10;  // besides its payload
    constexpr std::size_t kLeast = std::size_t{32} << 10, kMost = std::size_t{1} << 20;
    constexpr std::size_t kAll = std::size_t{256} << 20;
    const std::size_t rings = std::max<std::size_t>(1, std::size_t{size} * rings_each());
    return kOverhead + std::clamp(std::bit_floor(kAll / rings), kLeast, kMost);
  }
  // Those who have bytes under way to a rank have one each, as far as there are some. None is shorter than the least.
  [[nodiscard]] constexpr std::uint32_t pipes_each() const {
    return std::min({size - 1, std::uint32_t{16}, static_cast<std::uint32_t>(pipe_bytes / kLeastPipeBytes)});
  }
  [[nodiscard]] constexpr std::size_t slot_offset(std::uint32_t rank) const {
    return sizeof(Header) + rank * sizeof(RankSlot);
  }
  // Of the map of the job.
  [[nodiscard]] constexpr std::size_t places_offset() const { return slot_offset(size); }
  [[nodiscard]] constexpr std::size_t names_offset() const { return places_offset() + mapped_ranks * sizeof(Place); }
  // What the launcher maps ends here.
  [[nodiscard]] constexpr std::size_t map_end() const { return names_offset() + mapped_nodes * sizeof(NodeName); }
  [[nodiscard]] constexpr std::size_t board_offset(std::uint32_t rank) const {
    return in_pages(map_end()) + rank * kBoardBytes;
  }
  [[nodiscard]] constexpr std::size_t inbox_offset(std::uint32_t rank) const {
    return in_pages(board_offset(size)) + rank * inbox_bytes();
  }
  // Of the rings that `rank` has to give.
  [[nodiscard]] constexpr std::size_t rings_offset(std::uint32_t rank) const {
    return inbox_offset(size) + std::size_t{rank} * rings_each() * ring_bytes();
  }
  // How far the ends of all pipes have come.
  [[nodiscard]] constexpr std::size_t pipe_positions_offset() const { return rings_offset(size); }
  // Of the memory that the pipes of `rank` share.
  [[nodiscard]] constexpr std::size_t pipes_offset(std::uint32_t rank) const {
    return pipe_positions_offset() + in_pages(std::size_t{size} * pipes_each() * kPositionsBytes) + rank * pipe_bytes;
  }
  [[nodiscard]] constexpr std::size_t total_bytes() const { return pipes_offset(size); }
  [[nodiscard]] constexpr std::uint64_t heap_offset(std::uint32_t rank) const {
    constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
    return (total_bytes() + kHugePage - 1) / kHugePage * kHugePage + rank * heap_bytes;
  }
  [[nodiscard]] constexpr std::uint64_t file_bytes() const {
    return heap_bytes == 0 ? total_bytes() : heap_offset(size);
  }

 private:
  static constexpr std::size_t kPage = 4096;

  [[nodiscard]] static constexpr std::size_t in_pages(std::size_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
  }
};

}  // namespace antiphon::bootstrap
