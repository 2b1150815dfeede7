// Where constructors of windows get memory: pieces that all processes of a node can map. Belongs to the Process;
// the lane's lock protects it.
#pragma once

#include <cstddef>

namespace antiphon::service {

class WindowAllocator {
 public:
  virtual ~WindowAllocator() = default;

  // Starts at a multiple of `alignment`, a power of two. Null where there is no memory. If others must see it and
  // cannot, null as well; if they need not, it comes from wherever there is some.
  enum class Visible { where_possible, always };
  [[nodiscard]] virtual void* allocate_for_window(std::size_t bytes, std::size_t alignment, Visible visible) = 0;
  virtual void free_of_window(void* start) = 0;

  // Whether processes have any memory that others can see.
  [[nodiscard]] virtual bool can_share() const = 0;
};

}  // namespace antiphon::service
