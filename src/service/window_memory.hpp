// The memory that windows are made of, as their constructors need it: pieces that all processes of a node can have in
// their own memory. Belongs to the Process; guarded by the lane's lock.
#pragma once

#include <cstddef>
#include <cstdint>

namespace antiphon::service {

class WindowMemory {
 public:
  virtual ~WindowMemory() = default;

  // Starts at a multiple of `alignment`, a power of two. Null where there is no memory. If others must see it and
  // cannot, null as well; if they need not, it comes from wherever there is some.
  enum class Visible { where_possible, always };
  [[nodiscard]] virtual void* allocate(std::size_t bytes, std::size_t alignment, Visible visible) = 0;
  virtual void free(void* start) = 0;

  // Whether processes have any memory that others can see.
  [[nodiscard]] virtual bool can_share() const = 0;
  // Where bytes of a process of the job, given by their address there, are in this process's memory; null where they
  // are not.
  [[nodiscard]] virtual std::byte* find(int world_rank, std::uint64_t address, std::size_t bytes) = 0;
};

}  // namespace antiphon::service
