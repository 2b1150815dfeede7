// What the epochs of a window do not allow, and operations that reach too far: an error each, and the window goes on.
#include <string>
#include <vector>

#include "windows/some_windows.hpp"

using namespace conformance;

namespace {

MPI_Group self() {
  MPI_Group everybody, made;
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  const int me = rank();
  MPI_Group_incl(everybody, 1, &me, &made);
  MPI_Group_free(&everybody);
  return made;
}

int put(const SomeWindow& window, int target, MPI_Aint displacement, int count = 1) {
  static const int kWords[100] = {};
  return MPI_Put(kWords, count, MPI_INT, target, displacement, count, MPI_INT, window.win);
}

void out_of_order() {
  for (const Made made : every_kind()) {
    const SomeWindow window(made, 4);
    const MPI_Win win = window.win;
    MPI_Group me = self();
    int flag = 0;
    expect_error(put(window, rank(), window.at(rank(), 0)), MPI_ERR_RMA_SYNC, "a put before any synchronization");
    expect_error(MPI_Win_complete(win), MPI_ERR_RMA_SYNC, "complete without start");
    expect_error(MPI_Win_wait(win), MPI_ERR_RMA_SYNC, "wait without post");
    expect_error(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC, "test without post");

    expect_error(MPI_Win_post(me, 0, win), MPI_SUCCESS, "post");
    expect_error(MPI_Win_post(me, 0, win), MPI_ERR_RMA_SYNC, "a second post");
    expect_error(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC, "a fence after post");
    expect_error(put(window, rank(), window.at(rank(), 0)), MPI_ERR_RMA_SYNC, "a put after post alone");
    MPI_Win same = win;
    expect_error(MPI_Win_free(&same), MPI_ERR_RMA_SYNC, "freeing after post");
    expect_error(MPI_Win_test(win, &flag), MPI_SUCCESS, "test");
    expect_equal(flag, 0, "whether the exposure is over");
    expect_error(MPI_Win_start(me, 0, win), MPI_SUCCESS, "start");
    expect_error(MPI_Win_start(me, 0, win), MPI_ERR_RMA_SYNC, "a second start");
    expect_error(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC, "a fence after start");
    if (size() > 1) {
      const int other = (rank() + 1) % size();
      expect_error(put(window, other, window.at(other, 0)), MPI_ERR_RMA_SYNC, "a put outside the group of start");
    }
    expect_error(put(window, rank(), window.at(rank(), 0)), MPI_SUCCESS, "a put after start");
    expect_error(MPI_Win_complete(win), MPI_SUCCESS, "complete");
    expect_error(MPI_Win_wait(win), MPI_SUCCESS, "wait");
    expect_equal(window.data[0], 0, "the word that was put");
    expect_error(MPI_Win_complete(win), MPI_ERR_RMA_SYNC, "a second complete");
    expect_error(MPI_Win_wait(win), MPI_ERR_RMA_SYNC, "a second wait");

    MPI_Barrier(MPI_COMM_WORLD);
    expect_error(MPI_Win_fence(0, win), MPI_SUCCESS, "a fence");
    expect_error(put(window, rank(), window.at(rank(), 1)), MPI_SUCCESS, "a put after a fence");
    expect_error(MPI_Win_post(me, 0, win), MPI_ERR_RMA_SYNC, "post in the middle of fences");
    expect_error(MPI_Win_start(me, 0, win), MPI_ERR_RMA_SYNC, "start in the middle of fences");
    expect_error(MPI_Win_free(&same), MPI_ERR_RMA_SYNC, "freeing in the middle of fences");
    expect_error(MPI_Win_fence(0, win), MPI_SUCCESS, "the next fence");
    expect_error(MPI_Win_post(me, 0, win), MPI_SUCCESS, "post after a fence");
    expect_error(MPI_Win_start(me, 0, win), MPI_SUCCESS, "start after a fence");
    expect_error(MPI_Win_complete(win), MPI_SUCCESS, "complete");
    expect_error(MPI_Win_wait(win), MPI_SUCCESS, "wait");
    MPI_Barrier(MPI_COMM_WORLD);
    expect_error(MPI_Win_fence(MPI_MODE_NOSUCCEED, win), MPI_SUCCESS, "the last fence");
    expect_error(put(window, rank(), window.at(rank(), 0)), MPI_ERR_RMA_SYNC, "a put after the last fence");
    MPI_Group_free(&me);
  }
}

void too_far() {
  const SomeWindow window(Made::of_the_users_memory, 4);
  MPI_Datatype back;
  MPI_Type_create_hvector(2, 1, -8, MPI_INT, &back);
  MPI_Type_commit(&back);
  const int two[2] = {1, 2};
  MPI_Win_fence(0, window.win);
  for (int target = 0; target < size(); ++target) {
    expect_error(put(window, target, 4), MPI_ERR_RMA_RANGE, "a put behind the end");
    expect_error(put(window, target, 3, 2), MPI_ERR_RMA_RANGE, "a put over the end");
    expect_error(put(window, target, MPI_Aint{1} << 62), MPI_ERR_RMA_RANGE, "a put far behind the end");
    expect_error(put(window, target, -1), MPI_ERR_DISP, "a put before the beginning");
    expect_error(MPI_Put(two, 2, MPI_INT, target, 1, 1, back, window.win), MPI_ERR_RMA_RANGE, "a put backwards");
    expect_error(MPI_Put(two, 2, MPI_INT, target, 0, 1, MPI_INT, window.win), MPI_ERR_TRUNCATE, "a put of too much");
  }
  expect_error(put(window, size(), 0), MPI_ERR_RANK, "a put to nobody that exists");
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
  for (int i = 0; i < 4; ++i) expect_equal(window.data[i], -1, "a word that nobody put");
  MPI_Type_free(&back);
}

// Displacements count in the target's units, whatever the origin's are; of nothing, they may lead to the end.
void units_of_the_target() {
  constexpr MPI_Aint kBytes = 48;
  std::vector<unsigned char> memory(kBytes, 0xee);
  MPI_Win win;
  MPI_Win_create(memory.data(), kBytes, rank() + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  const unsigned char mark = 7;
  const int target = (rank() + 1) % size();
  const MPI_Aint units = kBytes / (target + 1);
  const auto put_bytes = [&](MPI_Aint displacement, int count) {
    return MPI_Put(&mark, count, MPI_BYTE, target, displacement, count, MPI_BYTE, win);
  };
  MPI_Win_fence(0, win);
  expect_error(put_bytes(units - 1, 1), MPI_SUCCESS, "a put into the last unit");
  if (kBytes % (target + 1) == 0) expect_error(put_bytes(units, 0), MPI_SUCCESS, "a put of nothing at the end");
  expect_error(put_bytes(units + 1, 0), MPI_ERR_RMA_RANGE, "a put of nothing behind the end");
  expect_error(put_bytes(MPI_Aint{1} << 62, 1), MPI_ERR_RMA_RANGE, "a put further than a number can tell");
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  const auto last = static_cast<std::size_t>((kBytes / (rank() + 1) - 1) * (rank() + 1));
  for (std::size_t i = 0; i < memory.size(); ++i)
    expect_equal(int{memory[i]}, i == last ? 7 : 0xee, "byte " + std::to_string(i));
  MPI_Win_free(&win);
}

// "The message sent must fit, without truncation, in the target buffer" (MPI 5.0, 12.3.1): as in a receive, there may
// be room for more.
void into_more_room() {
  for (const Made made : every_kind()) {
    const SomeWindow window(made, 4);
    const int target = (rank() + 1) % size(), one = 5;
    int two[2] = {-3, -3};
    MPI_Win_fence(0, window.win);
    expect_error(MPI_Put(&one, 1, MPI_INT, target, window.at(target, 1), 2, MPI_INT, window.win), MPI_SUCCESS,
                 "a put of one int where there is room for two");
    MPI_Win_fence(0, window.win);
    expect_error(MPI_Get(two, 2, MPI_INT, target, window.at(target, 1), 1, MPI_INT, window.win), MPI_SUCCESS,
                 "a get of one int where there is room for two");
    expect_error(MPI_Get(two, 1, MPI_INT, target, window.at(target, 1), 2, MPI_INT, window.win), MPI_ERR_TRUNCATE,
                 "a get of two ints where there is room for one");
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
    expect_equal(window.data[1], 5, "the int that was put");
    expect_equal(window.data[2], -1, "the int behind it");
    expect_equal(two[0], 5, "the int that was got");
    expect_equal(two[1], -3, "the room behind it");
  }
}

// The type has the addresses, and the displacement is that of MPI_BOTTOM.
void from_the_bottom() {
  const SomeWindow window(Made::dynamic, 4);
  const int target = (rank() + 1) % size(), words[2] = {11, 12};
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {window.at(target, 3), window.at(target, 0)};
  MPI_Datatype there;
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &there);
  MPI_Type_commit(&there);
  MPI_Win_fence(0, window.win);
  expect_error(MPI_Put(words, 2, MPI_INT, target, MPI_Aint{0}, 1, there, window.win), MPI_SUCCESS, "the put");
  MPI_Win_fence(0, window.win);
  expect_equal(window.data[3], 11, "the first word");
  expect_equal(window.data[0], 12, "the second word");
  expect_equal(window.data[1], -1, "a word that nobody put");
  int back[2] = {};
  expect_error(MPI_Get(back, 2, MPI_INT, target, MPI_Aint{0}, 1, there, window.win), MPI_SUCCESS, "the get");
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
  expect_equal(back[0], 11, "the first word that was got");
  expect_equal(back[1], 12, "the second word that was got");
  MPI_Type_free(&there);
}

// Memory for a short while: where it was. The next one who asks gets what was freed last, as far as it is free.
void* somewhere(MPI_Aint bytes) {
  void* memory = nullptr;
  MPI_Alloc_mem(bytes, MPI_INFO_NULL, &memory);
  MPI_Free_mem(memory);
  return memory;
}

// Nobody gets it while a window is over it.
void freed_under_a_window() {
  constexpr MPI_Aint kBytes = 100'000;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int other = (rank() + 1) % size();
  char* memory = nullptr;
  MPI_Win win, dynamic;
  MPI_Alloc_mem(kBytes, MPI_INFO_NULL, &memory);
  MPI_Win_create(memory + 8, kBytes - 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_attach(dynamic, memory, 8);
  MPI_Win_fence(0, win);
  expect_error(MPI_Free_mem(memory), MPI_SUCCESS, "freeing memory under a window");
  expect_error(MPI_Free_mem(memory), MPI_ERR_BASE, "freeing it once more");
  expect(somewhere(kBytes) != memory, "memory under a window was given out");
  const int mine = rank();
  MPI_Put(&mine, 1, MPI_INT, other, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  expect_equal(*reinterpret_cast<int*>(memory + 8), (rank() + size() - 1) % size(), "what was put into it");
  MPI_Win_free(&win);
  expect(somewhere(kBytes) != memory, "memory that is attached to a window was given out");
  MPI_Win_detach(dynamic, memory);
  MPI_Win_free(&dynamic);
}

// Memory that is in the heap, and that is not.
void freed_under_a_window_that_is_freed() {
  for (const MPI_Aint bytes : {MPI_Aint{100}, MPI_Aint{100'000}}) {
    char* memory = nullptr;
    MPI_Win win;
    MPI_Alloc_mem(bytes, MPI_INFO_NULL, &memory);
    MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Free_mem(memory);
    memory[0] = memory[bytes - 1] = 1;
    MPI_Win_free(&win);
  }
}

// The target knows what is attached; the origin is told when it synchronizes.
void not_attached() {
  const SomeWindow window(Made::dynamic, 4);
  const int other = (rank() + 1) % size();
  int word = 5;
  MPI_Win_fence(0, window.win);
  const int put_error = put(window, other, window.at(other, 4));
  expect_error(put_error, size() == 1 ? MPI_ERR_RMA_RANGE : MPI_SUCCESS, "a put to what is not attached");
  expect_error(MPI_Win_fence(0, window.win), size() == 1 ? MPI_SUCCESS : MPI_ERR_RMA_RANGE, "the fence after it");
  if (size() > 1) {
    MPI_Get(&word, 1, MPI_INT, other, window.at(other, 1000), 1, MPI_INT, window.win);
    expect_error(MPI_Win_fence(0, window.win), MPI_ERR_RMA_RANGE, "the fence after a get");
    expect_equal(word, 5, "the word that was not got");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_detach(window.win, window.data);
  MPI_Win_fence(0, window.win);
  const int late = put(window, other, window.at(other, 0));
  expect_error(late, size() == 1 ? MPI_ERR_RMA_RANGE : MPI_SUCCESS, "a put to what was detached");
  expect_error(MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win), size() == 1 ? MPI_SUCCESS : MPI_ERR_RMA_RANGE,
               "the fence after it");
  expect_equal(window.data[0], -1, "the word that was not put");
}

void wrong_assertions() {
  const SomeWindow window(Made::allocated, 1);
  MPI_Group me = self();
  expect_error(MPI_Win_fence(MPI_MODE_NOCHECK, window.win), MPI_ERR_ASSERT, "MPI_MODE_NOCHECK in a fence");
  expect_error(MPI_Win_post(me, MPI_MODE_NOPRECEDE, window.win), MPI_ERR_ASSERT, "MPI_MODE_NOPRECEDE in post");
  expect_error(MPI_Win_start(me, MPI_MODE_NOPUT, window.win), MPI_ERR_ASSERT, "MPI_MODE_NOPUT in start");
  MPI_Group_free(&me);
}

void groups_of_others() {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &half);
  {
    const SomeWindow window(Made::allocated, 1, half);
    MPI_Group everybody;
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    if (size() > 1) {
      expect_error(MPI_Win_post(everybody, 0, window.win), MPI_ERR_GROUP, "post for those who are not in the window");
      expect_error(MPI_Win_start(everybody, 0, window.win), MPI_ERR_GROUP, "start with those who are not in it");
    }
    MPI_Group_free(&everybody);
  }
  MPI_Comm_free(&half);
}

}  // namespace

int main() {
  return run({{"calls out of order are errors", out_of_order},
              {"operations that reach too far are errors", too_far},
              {"displacements count in the target's units", units_of_the_target},
              {"there may be room for more", into_more_room},
              {"a type may have the addresses", from_the_bottom},
              {"memory freed under a window stays until then", freed_under_a_window},
              {"memory freed under a window ends with it", freed_under_a_window_that_is_freed},
              {"what is not attached cannot be reached", not_attached},
              {"assertions that say nothing here are errors", wrong_assertions},
              {"groups are of the window's processes", groups_of_others}});
}
