// Constructors of windows, which the members of a communicator call together, and their end: MPI 5.0, 12.2. Arguments
// have been checked. What one member lacks, memory above all, fails for all of them.
#pragma once

#include "engine/rma/one_sided.hpp"
#include "objects/window.hpp"
#include "service/toolbox.hpp"
#include "service/window_allocator.hpp"

namespace antiphon::service {

using objects::Window;

// What these constructors work with; the Process's.
struct WindowTools {
  Toolbox tools;
  rma::OneSided& one_sided;
  WindowAllocator& memory;
};

// What this process contributes. The window's error handler is `errhandler`.
struct WindowOptions {
  std::uint64_t bytes = 0;
  std::int64_t disp_unit = 1;
  std::size_t alignment = 1;
  bool contiguous = true;  // shared windows: each member's memory begins where that of the one before ends
  // Promises of the user's: fails with ERR_SIZE or ERR_DISP where they are not kept.
  bool same_size = false;
  bool same_disp_unit = false;
  // Elements of this process's part are accumulated in blocks of about so many bytes; 0: as is usual.
  std::uint64_t accumulate_granularity = 0;
  Ref<objects::Errhandler> errhandler;
};

// Of memory that the user has.
[[nodiscard]] Ref<Window> win_create(const WindowTools& with, Comm& parent, void* base, const WindowOptions& options);
// Of memory that is allocated for it, where others may find it.
[[nodiscard]] Ref<Window> win_allocate(const WindowTools& with, Comm& parent, const WindowOptions& options);
// Of memory that all members have in their own. Rank 0's answer whether it is contiguous decides; if not, a part of
// no bytes has no address.
[[nodiscard]] Ref<Window> win_allocate_shared(const WindowTools& with, Comm& parent, const WindowOptions& options);
// Of nothing, yet.
[[nodiscard]] Ref<Window> win_create_dynamic(const WindowTools& with, Comm& parent, const WindowOptions& options);

// Waits until everybody has come this far, and gives the memory back. Its handle has to be ended by the caller.
void win_free(const WindowTools& with, Window& window);

}  // namespace antiphon::service
