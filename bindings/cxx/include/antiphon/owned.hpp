// A handle is a view: it copies as the C handle does, and nothing happens when it ends. owned<handle> is the same
// with one owner, who frees it. So a function takes a communicator, and whoever made one keeps an
// owned<communicator>. A function that needs the object until it returns, and no longer, takes a const communicator&:
// there, the owner may end with the statement.
#pragma once

#include <mpi.h>

#include <concepts>
#include <utility>

#include "options.hpp"

namespace antiphon {

// Handle has: native_type, static null() and static free(native_type&), and converts to native_type.
template <class Handle>
class owned : public Handle {
 public:
  owned() noexcept : Handle(Handle::null()) {}
  explicit owned(Handle handle) noexcept : Handle(handle) {}
  owned(owned&& other) noexcept : Handle(std::exchange(other.handle(), Handle(Handle::null()))) {}
  owned& operator=(owned&& other) noexcept {
    std::swap(handle(), other.handle());
    return *this;
  }
  owned(const owned&) = delete;             // an MPI object has one owner: std::move it, or pass the handle it is
  owned& operator=(const owned&) = delete;  // an MPI object has one owner: std::move it, or pass the handle it is

  // The native handle of an owner that stays.
  operator typename Handle::native_type() const& noexcept { return static_cast<const Handle&>(*this); }
  template <class Native>
  requires std::same_as<Native, typename Handle::native_type>
  operator Native() const&& {
    static_assert(
        detail::never<Native>,
        "this MPI object ends at once, and its native handle would name nothing: keep its owner, auto owner "
        "= comm.dup(); or take it over with release()");
  }

  // What fails here fails for good: the program ends with MPI's sentence. After MPI has ended there is nothing to
  // free.
  ~owned() {
    typename Handle::native_type native = *this;
    if (native == Handle::null()) return;
    int over = 0;
    MPI_Finalized(&over);
    if (!over) Handle::free(native);
  }

  // Hands the object to the caller, who frees it.
  Handle release() noexcept { return std::exchange(handle(), Handle(Handle::null())); }

 private:
  Handle& handle() noexcept { return *this; }
};

namespace detail {

template <class T>
inline constexpr bool is_owned = false;
template <class Handle>
inline constexpr bool is_owned<owned<Handle>> = true;

}  // namespace detail
}  // namespace antiphon
