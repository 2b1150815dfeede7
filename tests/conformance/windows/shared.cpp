// Memory of windows that all ranks have in their own: where the parts lie, and that everybody sees the same.
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

struct Part {
  MPI_Aint bytes = -1;
  int unit = -1;
  unsigned char* base = nullptr;
};

Part query(MPI_Win win, int rank) {
  Part part;
  expect_error(MPI_Win_shared_query(win, rank, &part.bytes, &part.unit, &part.base), MPI_SUCCESS,
               "MPI_Win_shared_query");
  return part;
}

MPI_Info noncontiguous() {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  return info;
}

// Everybody writes its part, then reads those of all others; then writes into the next one's.
void check_all_see_the_same(MPI_Win win, const std::vector<MPI_Aint>& bytes) {
  const auto mark = [](int owner, MPI_Aint i, int round) {
    return static_cast<unsigned char>(i * 5 + owner * 17 + round);
  };
  const auto write = [&](int owner, int round) {
    const Part part = query(win, owner);
    for (MPI_Aint i = 0; i < part.bytes; ++i) part.base[i] = mark(owner, i, round);
  };
  for (int round = 0; round < 2; ++round) {
    write((rank() + round) % size(), round);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int other = 0; other < size(); ++other) {
      const Part part = query(win, other);
      expect_equal(part.bytes, bytes[static_cast<std::size_t>(other)], "the size of a part");
      expect_equal(part.unit, other + 1, "the unit of a part");
      int wrong = 0;
      for (MPI_Aint i = 0; i < part.bytes; ++i) wrong += part.base[i] != mark(other, i, round);
      expect_equal(wrong, 0, "the number of wrong bytes in the part of rank " + std::to_string(other));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

std::vector<MPI_Aint> sizes(MPI_Aint (*of_rank)(int)) {
  std::vector<MPI_Aint> all;
  for (int each = 0; each < size(); ++each) all.push_back(of_rank(each));
  return all;
}

constexpr MPI_Aint (*kSizes[])(int) = {
    [](int) { return MPI_Aint{8}; },
    [](int rank) { return MPI_Aint{1000} * rank + 1; },
    [](int rank) { return rank % 2 == 0 ? MPI_Aint{0} : MPI_Aint{300'001}; },
    [](int) { return MPI_Aint{0}; },
    [](int) { return MPI_Aint{5'000'000}; },
};

void one_after_the_other() {
  for (const auto of_rank : kSizes) {
    const std::vector<MPI_Aint> bytes = sizes(of_rank);
    unsigned char* base = nullptr;
    MPI_Win win;
    MPI_Win_allocate_shared(of_rank(rank()), rank() + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    expect_equal(query(win, rank()).base, base, "the address of the own part");
    unsigned char* end = query(win, 0).base;
    for (int other = 0; other < size(); ++other) {
      const Part part = query(win, other);
      expect(part.base != nullptr, "every part has an address");
      expect_equal(static_cast<void*>(part.base), static_cast<void*>(end), "where a part begins");
      end = part.base + part.bytes;
    }
    check_all_see_the_same(win, bytes);
    MPI_Win_free(&win);
  }
}

void each_for_itself() {
  MPI_Info info = noncontiguous();
  for (const auto of_rank : kSizes) {
    unsigned char* base = nullptr;
    MPI_Win win;
    MPI_Win_allocate_shared_c(of_rank(rank()), rank() + 1, info, MPI_COMM_WORLD, &base, &win);
    for (int other = 0; other < size(); ++other)
      expect((query(win, other).base != nullptr) == (of_rank(other) > 0),
             "every part that is not empty has an address");
    check_all_see_the_same(win, sizes(of_rank));
    MPI_Win_free(&win);
  }
  MPI_Info_free(&info);
}

// The lowest rank that has any.
void of_nobody_in_particular() {
  unsigned char* base = nullptr;
  MPI_Win win;
  const MPI_Aint mine = rank() == size() / 2 ? 40 : 0;
  MPI_Win_allocate_shared(mine, rank() + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  const Part part = query(win, MPI_PROC_NULL);
  expect_equal(part.bytes, MPI_Aint{40}, "the size of the first part that is not empty");
  expect_equal(part.unit, size() / 2 + 1, "its unit");
  expect_equal(static_cast<void*>(part.base), static_cast<void*>(query(win, size() / 2).base), "its address");
  MPI_Win_free(&win);
  MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  expect_equal(query(win, MPI_PROC_NULL).bytes, MPI_Aint{0}, "the size where all parts are empty");
  MPI_Win_free(&win);
}

// What is not in shared memory has no address here; what is has one, whoever allocated it.
void of_other_flavors() {
  void* base = nullptr;
  MPI_Win win;
  MPI_Win_allocate(100, rank() + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  check_all_see_the_same(win, sizes([](int) { return MPI_Aint{100}; }));
  MPI_Win_free(&win);

  constexpr MPI_Aint kBytes = 100'000;
  void* allocated = nullptr;
  MPI_Alloc_mem(kBytes, MPI_INFO_NULL, &allocated);
  MPI_Win_create(allocated, kBytes, rank() + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_all_see_the_same(win, sizes([](int) { return kBytes; }));
  MPI_Win_free(&win);
  MPI_Free_mem(allocated);

  char on_the_stack[16];
  MPI_Win_create(on_the_stack, sizeof on_the_stack, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int other = 0; other < size(); ++other) {
    const Part part = query(win, other);
    expect_equal(part.bytes, other == rank() ? MPI_Aint{16} : MPI_Aint{0}, "the size of what is on the stack");
    expect((part.base != nullptr) == (other == rank()), "only one's own stack has an address");
  }
  MPI_Win_free(&win);
}

// The window's memory is not MPI_Alloc_mem's, and MPI_Free_mem leaves it alone.
void freed_by_the_window_only() {
  void* base = nullptr;
  MPI_Win win;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Win_allocate(70'000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  expect_error(MPI_Free_mem(base), MPI_ERR_BASE, "MPI_Free_mem of a window's memory");
  static_cast<char*>(base)[69'999] = 1;
  MPI_Win_free(&win);
  expect_error(MPI_Free_mem(base), MPI_ERR_BASE, "MPI_Free_mem of what a window had");
}

// Memory comes back: many times as much as the heaps can hold at once.
void used_again() {
  for (int round = 0; round < 300; ++round) {
    unsigned char* base = nullptr;
    MPI_Win win;
    MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    base[0] = base[4095] = static_cast<unsigned char>(rank() + round);
    MPI_Barrier(MPI_COMM_WORLD);
    const int next = (rank() + 1) % size();
    const unsigned char* there = query(win, next).base;
    expect_equal(int{there[0]}, (next + round) % 256, "the first byte of the next rank's memory");
    expect_equal(int{there[4095]}, (next + round) % 256, "the last byte of the next rank's memory");
    MPI_Win_free(&win);
  }
}

}  // namespace

int main() {
  return run({{"parts lie one after the other", one_after_the_other},
              {"parts lie for themselves where the user allows it", each_for_itself},
              {"MPI_PROC_NULL asks for the first part", of_nobody_in_particular},
              {"other windows tell what is shared", of_other_flavors},
              {"only the window frees its memory", freed_by_the_window_only},
              {"memory is used again", used_again}});
}
