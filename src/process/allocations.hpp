// The memory that MPI_Alloc_mem (MPI 5.0, 9.2) and the constructors of windows have allocated, by address, so that
// MPI_Free_mem recognizes a wrong one. Memory of windows, and long requests of the user, come from the process's
// heap in the job segment, where other processes can map it; short requests would not gain by that, because short
// messages are copied through the ring anyway. Freed memory is kept for a while, to be allocated again: at most a
// small part of the memory that the machine, or the process's control group, has left, and until a second after it
// was last needed, as far as this class is called. Owned by the Process; the lane's lock protects it.
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
  // What time it is, in ns, and how much memory there is to be had, in bytes.
  struct System {
    std::function<std::uint64_t()> now_ns;
    std::function<std::size_t()> available;
  };
  static System real();

  // `heap` may be of no bytes. `heap_address` is where others look for its beginning. So many processes share the
  // machine's memory.
  Allocations(const platform::FilePart& heap, std::atomic<std::uint64_t>& heap_address,
              const settings::Values& settings, counters::Counters& counters, int sharers = 1,
              System system = real());
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;
  ~Allocations() override;

  // Starts at a multiple of `alignment`, a power of two. Null when there is no memory. For the user.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment);
  [[nodiscard]] void* allocate_for_window(std::size_t bytes, std::size_t alignment, Visible visible) override;

  enum class Owner { user, window };
  struct Piece {
    std::size_t bytes;
    Owner owner;
    bool in_heap;
  };
  // Null for what is not the start of a piece that is given out.
  [[nodiscard]] const Piece* find(void* start) const;
  // Of such a piece.
  void free(void* start);
  // Of one that others may still reach: it is nobody's any more, but stays as it is until free_late is told that it
  // is not in use.
  void free_later(void* start) { late_.insert(pieces_.extract(start)); }
  void free_late(const std::function<bool(const void* start, std::size_t bytes)>& in_use);
  void free_of_window(void* start) override { free(start); }

  [[nodiscard]] bool can_share() const override { return can_share_; }
  // Bytes that nobody uses and that have not been given back.
  [[nodiscard]] std::size_t kept() const { return heap_.kept(); }

 private:
  // Where a piece comes from: long ones from the heap; all of them, as far as there is room; all of them or none.
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
  std::unordered_map<void*, Piece> late_;  // freed, and still in use
  std::uint64_t asked_ns_ = 0;             // when the system was last asked what there is
  std::size_t granted_ = 0;                // bytes that may still be taken before it is asked again
  std::uint64_t looked_ns_ = 0;            // when the two below were last begun anew
  std::size_t most_kept_ = 0;              // bytes
  std::size_t always_kept_ = 0;            // bytes that nobody has needed since then
};

}  // namespace antiphon::process
