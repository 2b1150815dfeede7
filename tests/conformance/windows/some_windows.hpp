// A window of each kind over the same number of ints, so that a test of operations runs on all of them: memory that
// others find in their own, and memory that takes messages to reach.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "support/ranks.hpp"

namespace conformance {

enum class Made { of_the_users_memory, allocated, shared, of_allocated_memory, dynamic };
inline constexpr Made kEveryKind[] = {Made::of_the_users_memory, Made::allocated, Made::of_allocated_memory,
                                      Made::dynamic, Made::shared};
// Those that these ranks can make: processes of several nodes share no memory.
[[nodiscard]] inline std::span<const Made> every_kind() {
  return std::span(kEveryKind).first(std::size(kEveryKind) - (on_one_node() ? 0 : 1));
}

class SomeWindow {
 public:
  SomeWindow(Made made, int ints, MPI_Comm comm = MPI_COMM_WORLD) : made_(made) {
    const auto bytes = static_cast<MPI_Aint>(ints) * static_cast<MPI_Aint>(sizeof(int));
    switch (made) {
      case Made::dynamic:
      case Made::of_the_users_memory:
        own_.resize(static_cast<std::size_t>(ints));
        data = own_.data();
        break;
      case Made::of_allocated_memory:
        MPI_Alloc_mem(std::max<MPI_Aint>(bytes, 100'000), MPI_INFO_NULL, &data);
        break;
      case Made::allocated:
        expect_equal(MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, comm, &data, &win), MPI_SUCCESS,
                     "allocating");
        break;
      case Made::shared:
        expect_equal(MPI_Win_allocate_shared(bytes, sizeof(int), MPI_INFO_NULL, comm, &data, &win), MPI_SUCCESS,
                     "allocating a shared one");
        break;
    }
    if (made == Made::dynamic) {
      MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win);
      MPI_Win_attach(win, data, bytes);
      tell_addresses(comm);
    } else if (win == MPI_WIN_NULL) {
      MPI_Win_create(data, bytes, sizeof(int), MPI_INFO_NULL, comm, &win);
    }
    std::fill_n(data, ints, -1);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  }
  ~SomeWindow() {
    MPI_Win_free(&win);
    if (made_ == Made::of_allocated_memory) MPI_Free_mem(data);
  }
  SomeWindow(const SomeWindow&) = delete;
  SomeWindow& operator=(const SomeWindow&) = delete;

  // The displacement of that int of the target's.
  [[nodiscard]] MPI_Aint at(int target, int index) const {
    if (made_ != Made::dynamic) return index;
    return addresses_[static_cast<std::size_t>(target)] + MPI_Aint{index} * static_cast<MPI_Aint>(sizeof(int));
  }

  int* data = nullptr;
  MPI_Win win = MPI_WIN_NULL;

 private:
  void tell_addresses(MPI_Comm comm) {
    int members = 0;
    MPI_Comm_size(comm, &members);
    addresses_.resize(static_cast<std::size_t>(members));
    MPI_Aint mine = 0;
    MPI_Get_address(data, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, addresses_.data(), 1, MPI_AINT, comm);
  }

  Made made_;
  std::vector<int> own_;
  std::vector<MPI_Aint> addresses_;
};

// Calls body(window) for a window of every kind, with so many ints of 0 on each rank.
template <class Body>
void on_every_kind(int ints, Body&& body) {
  for (const Made made : every_kind()) {
    SomeWindow window(made, ints);
    std::fill_n(window.data, ints, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    body(window);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace conformance
