// The memory that MPI_Alloc_mem (MPI 5.0, 9.2) and the constructors of windows have allocated, by address, so that
// MPI_Free_mem can reject a wrong address. Memory of windows and long requests of the user come from the process's
// heap in the job segment, where other processes can map it. Short requests would not gain by that, because short
// messages are copied through the ring anyway. Freed memory is kept for later allocations: at most a small part of
// what the machine or the process's control group has available. It is given back when it has not been needed for
// about a second, but only in a call of this class. Owned by the Process; the lane protects it.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>

#include "counters/counters.hpp"
#include "platform/linux/file_heap.hpp"
#include "service/window_allocator.hpp"
#include "settings/values.hpp"

namespace antiphon::process {

class Allocations final : public service::WindowAllocator {
 public:
  // The clock, in nanoseconds, and the available memory, in bytes.
  struct System {
    std::function<std::uint64_t()> now_ns;
    std::function<std::size_t()> available;
  };
  static System real();

  // `heap` may be empty. Other processes read the heap's start from `heap_address`. `sharers` processes share the
  // machine's memory.
  Allocations(const platform::FilePart& heap, std::atomic<std::uint64_t>& heap_address,
              const settings::Values& settings, counters::Counters& counters, int sharers = 1,
              System system = real());
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;
  ~Allocations() override;

  // Memory for the user, aligned to `alignment`, a power of two. Null if there is no memory.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment);
  [[nodiscard]] void* allocate_for_window(std::size_t bytes, std::size_t alignment, Visible visible) override;

  enum class Owner { user, window };
  struct Piece {
    std::size_t bytes;
    Owner owner;
    bool in_heap;
  };
  // Null unless `start` is the start of an allocated piece.
  [[nodiscard]] const Piece* find(void* start) const;
  // `start` must be the start of an allocated piece.
  void free(void* start);
  // Like free(), for memory that other processes may still access: the piece stays allocated until free_late() runs
  // and `in_use` says that it is not in use.
  void free_later(void* start) { late_.insert(pieces_.extract(start)); }
  void free_late(const std::function<bool(const void* start, std::size_t bytes)>& in_use);
  void free_of_window(void* start) override { free(start); }

  [[nodiscard]] bool can_share() const override { return can_share_; }
  // Bytes of freed memory that have not been given back to the system.
  [[nodiscard]] std::size_t kept() const { return heap_.kept(); }

 private:
  // Where a piece comes from. heap_if_long: the heap if it is long. heap_first: the heap if that has room. heap_only:
  // the heap or nowhere.
  enum class From { heap_if_long, heap_first, heap_only };
  void* take(std::size_t bytes, std::size_t alignment, From from, Owner owner);
  platform::FileHeap::Allocation take_from_heap(std::size_t bytes, std::size_t alignment);
  [[nodiscard]] bool there_is_room_for(std::size_t bytes);
  [[nodiscard]] bool ask_for(std::size_t bytes);
  void give_back(void* start, bool in_heap);
  void keep_less();

  platform::FileHeap heap_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  bool can_share_;
  int sharers_;
  System system_;
  std::unordered_map<void*, Piece> pieces_;
  std::unordered_map<void*, Piece> late_;  // freed, but possibly still in use
  std::uint64_t asked_ns_ = 0;             // when the system was last asked what there is
  std::size_t granted_ = 0;                // bytes that may still be taken before it is asked again
  std::uint64_t looked_ns_ = 0;            // when most_kept_ and always_kept_ were last computed
  std::size_t most_kept_ = 0;              // bytes
  std::size_t always_kept_ = 0;  // the least number of kept bytes since then, so no allocation has needed them
};

}  // namespace antiphon::process
