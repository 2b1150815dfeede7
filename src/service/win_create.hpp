// Constructors of windows, which all members of a communicator call, and the end of windows: MPI 5.0, 12.2.
// Arguments have been checked. If one member fails, for example for lack of memory, all members fail.
#pragma once

#include "engine/rma/one_sided.hpp"
#include "objects/window.hpp"
#include "service/toolbox.hpp"
#include "service/window_allocator.hpp"

namespace antiphon::service {

using objects::Window;

// What these constructors use; owned by the Process.
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
  // Promises of the user: the constructor fails with ERR_SIZE or ERR_DISP if they are broken.
  bool same_size = false;
  bool same_disp_unit = false;
  // Bytes of this process's part that share a section for accumulates, rounded up to a power of two; 0: the default.
  std::uint64_t accumulate_granularity = 0;
  Ref<objects::Errhandler> errhandler;
};

// A window over memory that the user has.
[[nodiscard]] Ref<Window> win_create(const WindowTools& with, Comm& parent, void* base, const WindowOptions& options);
// A window whose memory is allocated where other processes can map it.
[[nodiscard]] Ref<Window> win_allocate(const WindowTools& with, Comm& parent, const WindowOptions& options);
// A window whose memory all members map. Rank 0 decides whether it is contiguous; if it is not, a part of 0 bytes has
// no address.
[[nodiscard]] Ref<Window> win_allocate_shared(const WindowTools& with, Comm& parent, const WindowOptions& options);
// A dynamic window, without memory yet.
[[nodiscard]] Ref<Window> win_create_dynamic(const WindowTools& with, Comm& parent, const WindowOptions& options);

// For the library's own use: a window over the communicator itself, in which rank 0 exposes `bytes` bytes, zero at
// the beginning, and the others nothing. The caller makes all members meet before one of them uses it, and before it
// ends.
[[nodiscard]] Ref<Window> win_of_words(const WindowTools& with, const Ref<Comm>& comm, std::uint64_t bytes);
void win_of_words_free(const WindowTools& with, Window& window);

// Waits until all members have called it, and frees the memory. The caller frees the handle.
void win_free(const WindowTools& with, Window& window);

}  // namespace antiphon::service
