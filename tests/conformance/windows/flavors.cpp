// Each constructor of a window, what its predefined attributes say, and what becomes of its memory.
#include <cstdint>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

void* attribute(MPI_Win win, int key) {
  void* value = nullptr;
  int flag = 0;
  expect_error(MPI_Win_get_attr(win, key, &value, &flag), MPI_SUCCESS, "MPI_Win_get_attr");
  expect(flag == 1, "the predefined attribute is set");
  return value;
}

void check_attributes(MPI_Win win, void* base, MPI_Aint size, int disp_unit, int flavor) {
  expect_equal(attribute(win, MPI_WIN_BASE), base, "MPI_WIN_BASE");
  expect_equal(*static_cast<MPI_Aint*>(attribute(win, MPI_WIN_SIZE)), size, "MPI_WIN_SIZE");
  expect_equal(*static_cast<int*>(attribute(win, MPI_WIN_DISP_UNIT)), disp_unit, "MPI_WIN_DISP_UNIT");
  expect_equal(*static_cast<int*>(attribute(win, MPI_WIN_CREATE_FLAVOR)), flavor, "MPI_WIN_CREATE_FLAVOR");
  expect_equal(*static_cast<int*>(attribute(win, MPI_WIN_MODEL)), int{MPI_WIN_UNIFIED}, "MPI_WIN_MODEL");
}

void free(MPI_Win* win) {
  expect_error(MPI_Win_free(win), MPI_SUCCESS, "MPI_Win_free");
  expect(*win == MPI_WIN_NULL, "a freed window's handle is MPI_WIN_NULL");
}

void of_the_users_memory() {
  std::vector<double> memory(static_cast<std::size_t>(10 + rank()));
  MPI_Win win;
  const auto bytes = static_cast<MPI_Aint>(memory.size() * sizeof(double));
  MPI_Win_create(memory.data(), bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_attributes(win, memory.data(), bytes, sizeof(double), MPI_WIN_FLAVOR_CREATE);
  free(&win);
  // Nobody but the last rank exposes anything.
  const bool exposes = rank() == size() - 1;
  MPI_Win_create_c(exposes ? memory.data() : nullptr, exposes ? 8 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_attributes(win, exposes ? memory.data() : nullptr, exposes ? 8 : 0, 1, MPI_WIN_FLAVOR_CREATE);
  free(&win);
}

void of_allocated_memory() {
  for (const MPI_Aint bytes : {MPI_Aint{0}, MPI_Aint{1}, MPI_Aint{5000}, MPI_Aint{3} << 20}) {
    unsigned char* base = nullptr;
    MPI_Win win;
    MPI_Win_allocate(bytes + rank(), 2, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    expect(base != nullptr, "allocated memory has an address");
    for (MPI_Aint i = 0; i < bytes + rank(); ++i) base[i] = static_cast<unsigned char>(i);
    check_attributes(win, base, bytes + rank(), 2, MPI_WIN_FLAVOR_ALLOCATE);
    free(&win);
  }
}

void aligned_as_asked_for() {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_minimum_memory_alignment", "65536");
  void* base = nullptr;
  MPI_Win win;
  MPI_Win_allocate_c(100, 1, info, MPI_COMM_WORLD, &base, &win);
  expect_equal(reinterpret_cast<std::uintptr_t>(base) % 65536, std::uintptr_t{0}, "the address modulo the alignment");
  free(&win);
  MPI_Info_free(&info);
}

void dynamic() {
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_attributes(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  char memory[100];
  expect_error(MPI_Win_attach(win, memory, 50), MPI_SUCCESS, "attaching");
  expect_error(MPI_Win_attach(win, memory + 50, 50), MPI_SUCCESS, "attaching what follows");
  expect_error(MPI_Win_attach(win, memory + 49, 1), MPI_ERR_RMA_ATTACH, "attaching the last byte again");
  expect_error(MPI_Win_attach(win, memory, 50), MPI_ERR_RMA_ATTACH, "attaching the same again");
  expect_error(MPI_Win_detach(win, memory + 1), MPI_ERR_BASE, "detaching the middle of a piece");
  expect_error(MPI_Win_detach(win, memory), MPI_SUCCESS, "detaching");
  expect_error(MPI_Win_detach(win, memory), MPI_ERR_BASE, "detaching once more");
  expect_error(MPI_Win_attach(win, memory + 10, 40), MPI_SUCCESS, "attaching a part of what was detached");
  void* base = nullptr;
  MPI_Aint bytes = 0;
  int unit = 0;
  expect_error(MPI_Win_shared_query(win, 0, &bytes, &unit, &base), MPI_ERR_RMA_FLAVOR, "querying a dynamic window");
  free(&win);
}

void attaching_needs_a_dynamic_window() {
  char memory[8];
  MPI_Win win;
  MPI_Win_create(memory, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  expect_error(MPI_Win_attach(win, memory, 8), MPI_ERR_RMA_FLAVOR, "attaching to another window");
  expect_error(MPI_Win_detach(win, memory), MPI_ERR_RMA_FLAVOR, "detaching from another window");
  free(&win);
}

// Each in its own order, and messages of the user's are not confused with the windows' own.
void many_at_a_time() {
  constexpr int kMany = 50;
  std::vector<MPI_Win> windows(kMany);
  for (MPI_Win& win : windows) {
    void* base = nullptr;
    MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  }
  for (MPI_Win& win : windows) free(&win);
}

// Of a part of the ranks; and of the ranks in another order.
void of_other_communicators() {
  MPI_Comm half, turned;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &turned);
  for (const MPI_Comm comm : {half, turned}) {
    int* base = nullptr;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
    MPI_Group of_window, of_comm;
    MPI_Win_get_group(win, &of_window);
    MPI_Comm_group(comm, &of_comm);
    int likeness = MPI_UNEQUAL;
    MPI_Group_compare(of_window, of_comm, &likeness);
    expect_equal(likeness, int{MPI_IDENT}, "the likeness of the groups");
    MPI_Group_free(&of_window);
    MPI_Group_free(&of_comm);
    free(&win);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&turned);
}

// The window lives on when its communicator is freed.
void outlives_its_communicator() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int* base = nullptr;
  MPI_Win win;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &win);
  MPI_Comm_free(&comm);
  *base = rank();
  free(&win);
}

// Pieces that follow each other may be accessed together; behind the last of them there is nothing.
void pieces_side_by_side() {
  constexpr int kWords = 2000;
  std::vector<int> words(2 * kWords, -1);
  const int next = (rank() + 1) % size(), before = (rank() + size() - 1) % size();
  const std::vector<int> mine(2 * kWords + 1, rank());
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_attach(win, words.data(), kWords * sizeof(int));
  MPI_Win_attach(win, words.data() + kWords, kWords * sizeof(int));
  MPI_Aint here = 0, there = 0;
  MPI_Get_address(words.data(), &here);
  MPI_Sendrecv(&here, 1, MPI_AINT, before, 0, &there, 1, MPI_AINT, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
  MPI_Put(mine.data(), 2 * kWords, MPI_INT, next, there, 2 * kWords, MPI_INT, win);
  expect_error(MPI_Win_fence(MPI_MODE_NOSUCCEED, win), MPI_SUCCESS, "the end of a put over both pieces");
  expect(words == std::vector<int>(2 * kWords, before), "what was put");
  MPI_Win_detach(win, words.data() + kWords);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
  const MPI_Aint last = there + kWords * static_cast<MPI_Aint>(sizeof(int)) - 4;
  const int put = MPI_Put(mine.data(), 2, MPI_INT, next, last, 2, MPI_INT, win);
  const int end = MPI_Win_unlock(next, win);
  expect_error(put != MPI_SUCCESS ? put : end, MPI_ERR_RMA_RANGE, "a put behind the only piece");
  MPI_Win_free(&win);
}

void an_intercommunicator_has_none() {
  MPI_Comm side, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank() % 2 == 0 ? 1 : 0, 0, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Win win;
  expect_error(MPI_Win_create_dynamic(MPI_INFO_NULL, inter, &win), MPI_ERR_COMM, "a window of an intercommunicator");
  MPI_Comm_free(&inter);
  MPI_Comm_free(&side);
}

}  // namespace

int main() {
  return run({{"a window exposes memory of the user's", of_the_users_memory},
              {"a window allocates its memory", of_allocated_memory},
              {"allocated memory is aligned as asked for", aligned_as_asked_for},
              {"memory is attached to a dynamic window", dynamic},
              {"attached pieces lie side by side", pieces_side_by_side},
              {"memory is attached to no other window", attaching_needs_a_dynamic_window},
              {"there are many windows at a time", many_at_a_time},
              {"a window's group is its communicator's", of_other_communicators},
              {"a window outlives its communicator", outlives_its_communicator},
              {"an intercommunicator has no windows", an_intercommunicator_has_none, {.least = 2}}});
}
