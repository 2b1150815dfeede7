// What the epochs of a window do not allow, and operations that reach too far: an error each, and the window goes on.
#include <string>

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
  for (const Made made : kEveryKind) {
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
              {"what is not attached cannot be reached", not_attached},
              {"assertions that say nothing here are errors", wrong_assertions},
              {"groups are of the window's processes", groups_of_others}});
}
