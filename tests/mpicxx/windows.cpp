// Windows: fences, and general active target synchronization (MPI-2.2, 11.4.2).
#include <vector>

#include "expect.hpp"

namespace {

const int kAround = 2;  // a window has a slot for each of two neighbours

struct Ring {
  int rank = MPI::COMM_WORLD.Get_rank();
  int size = MPI::COMM_WORLD.Get_size();
  int next = (rank + 1) % size;
  MPI::Group targets;
  MPI::Group origins;

  Ring() {
    MPI::Group world = MPI::COMM_WORLD.Get_group();
    const int previous = (rank + size - 1) % size;
    targets = world.Incl(1, &next);
    origins = world.Incl(1, &previous);
    world.Free();
  }
  ~Ring() {
    targets.Free();
    origins.Free();
  }
};

void neighbours_put_and_get(bool by_testing) {
  Ring ring;
  std::vector<int> memory(kAround, -1);
  memory[1] = 1000 + ring.rank;
  MPI::Win win = MPI::Win::Create(memory.data(), static_cast<MPI::Aint>(memory.size() * sizeof(int)), sizeof(int),
                                  MPI::INFO_NULL, MPI::COMM_WORLD);
  win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  int fetched = -1;
  win.Post(ring.origins, 0);
  win.Start(ring.targets, 0);
  win.Put(&ring.rank, 1, MPI::INT, ring.next, 0, 1, MPI::INT);
  win.Get(&fetched, 1, MPI::INT, ring.next, 1, 1, MPI::INT);
  win.Complete();
  if (by_testing)
    while (!win.Test()) continue;
  else
    win.Wait();
  EXPECT(fetched == 1000 + ring.next);
  EXPECT(memory[0] == (ring.rank + ring.size - 1) % ring.size);
  win.Free();
}

void post_start_complete_and_wait_meet() { neighbours_put_and_get(false); }
void post_start_complete_and_test_meet() { neighbours_put_and_get(true); }

void fences_separate_epochs() {
  Ring ring;
  int memory = -1;
  MPI::Win win = MPI::Win::Create(&memory, sizeof memory, sizeof memory, MPI::INFO_NULL, MPI::COMM_WORLD);
  win.Fence(MPI::MODE_NOPRECEDE);
  win.Put(&ring.rank, 1, MPI::INT, ring.next, 0, 1, MPI::INT);
  win.Fence(MPI::MODE_NOSUCCEED);
  EXPECT(memory == (ring.rank + ring.size - 1) % ring.size);
  MPI::Group group = win.Get_group();
  EXPECT(group.Get_size() == ring.size);
  group.Free();
  win.Free();
}

void what_is_out_of_order_is_an_error() {
  int memory = 0;
  MPI::Win win = MPI::Win::Create(&memory, sizeof memory, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
  win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  EXPECT(win.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
  EXPECT_THROWS(MPI::ERR_RMA_SYNC, "MPI_Win_complete", win.Complete());
  EXPECT_THROWS(MPI::ERR_RMA_SYNC, "MPI_Win_wait", win.Wait());
  EXPECT_THROWS(MPI::ERR_RMA_SYNC, "MPI_Put", win.Put(&memory, 1, MPI::INT, 0, 0, 1, MPI::INT));
  EXPECT_THROWS(MPI::ERR_ASSERT, "assert", win.Fence(-1));
  win.Free();
}

void names_are_kept() {
  int memory = 0;
  MPI::Win win = MPI::Win::Create(&memory, sizeof memory, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
  win.Set_name("halo");
  char name[MPI::MAX_OBJECT_NAME];
  int length = 0;
  win.Get_name(name, length);
  EXPECT(length == 4 && std::strcmp(name, "halo") == 0);
  win.Free();
}

}  // namespace

int main() {
  return run(post_start_complete_and_wait_meet, post_start_complete_and_test_meet, fences_separate_epochs,
             what_is_out_of_order_is_an_error, names_are_kept);
}
