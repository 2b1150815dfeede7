// A window to which each rank attaches memory when it has some. Others find it by its address, which the rank tells
// them:
//
//   auto window = antiphon::create_dynamic_window(world);
//   auto attached = window.attach(std::span(values));                  // until the end of the scope
//   world.send(attached.address(), {.to = 1});
//   ...                                                                // and there:
//   window.lock({.of = 0}).put(std::span(mine), {.to = 0, .at = world.recv<MPI_Aint>({.from = 0})});
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <utility>

#include "communicator.hpp"
#include "error.hpp"
#include "owned.hpp"
#include "window.hpp"

namespace antiphon {

// Memory that is attached for as long as this lives, which ends before the window does.
class [[nodiscard("memory is detached when this ends: give it a name")]] attachment {
 public:
  attachment(MPI_Win window, void* memory, MPI_Aint bytes) : window_(window), memory_(memory) {
    detail::check(MPI_Win_attach(window, memory, bytes));
  }
  attachment(attachment && other) noexcept
      : window_(std::exchange(other.window_, MPI_WIN_NULL)), memory_(other.memory_) {}
  attachment& operator=(attachment&&) = delete;
  attachment(const attachment&) = delete;  // memory is detached once: std::move the attachment
  attachment& operator=(const attachment&) = delete;
  ~attachment() {
    if (window_ != MPI_WIN_NULL) detail::check(MPI_Win_detach(window_, memory_));
  }

  // What others say: {.to = rank, .at = address}. An element i is at MPI_Aint_add(address, i * sizeof(element)).
  [[nodiscard]] MPI_Aint address() const {
    MPI_Aint result = 0;
    detail::check(MPI_Get_address(memory_, &result));
    return result;
  }

 private:
  MPI_Win window_;
  void* memory_;
};

// Its epochs take elements of any type; {.at = ...} is an address.
class dynamic_window : public window<std::byte> {
 public:
  using window<std::byte>::window;

  // Memory of this rank that outlives the attachment. Not collective.
  template <class T>
  attachment attach(std::span<T> memory) const {
    return {*this, memory.data(), static_cast<MPI_Aint>(memory.size_bytes())};
  }
};

// Collective, as is the end of the window.
[[nodiscard]] inline owned<dynamic_window> create_dynamic_window(const communicator& comm) {
  MPI_Win native = MPI_WIN_NULL;
  detail::check(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &native));
  owned<dynamic_window> result{dynamic_window(native)};
  detail::check(MPI_Win_set_errhandler(native, MPI_ERRORS_RETURN));
  return result;
}

}  // namespace antiphon
