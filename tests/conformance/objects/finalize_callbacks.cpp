// The attributes of MPI_COMM_SELF go first in MPI_Finalize, the newest first, while MPI still works; and MPI goes on
// if one of them refuses.
#include <string>

#include "expect.hpp"

namespace {

std::string order;
bool refuse = true;

int note(MPI_Comm comm, int, void* value, void*) {
  const char name = static_cast<char>(reinterpret_cast<long>(value));
  if (name == 'r' && refuse) return MPI_ERR_OTHER;
  order += name;
  int finalized = 1, rank = -1, sum = 0, one = 1, size = 0;
  EXPECT_TRUE(comm == MPI_COMM_SELF);
  EXPECT_SUCCESS(MPI_Finalized(&finalized));
  EXPECT_EQUAL(finalized, 0);
  EXPECT_SUCCESS(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  EXPECT_SUCCESS(MPI_Comm_size(MPI_COMM_WORLD, &size));
  EXPECT_SUCCESS(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  EXPECT_EQUAL(sum, size);
  return MPI_SUCCESS;
}

void set(char name) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, reinterpret_cast<void*>(static_cast<long>(name)));
  MPI_Comm_free_keyval(&key);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  set('a');
  set('b');
  set('r');
  set('c');
  EXPECT_ERROR(MPI_Finalize(), MPI_ERR_OTHER);
  EXPECT_TRUE(order == "c");
  EXPECT_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
  refuse = false;
  EXPECT_SUCCESS(MPI_Finalize());
  EXPECT_TRUE(order == "crba");
  int finalized = 0;
  EXPECT_SUCCESS(MPI_Finalized(&finalized));
  EXPECT_EQUAL(finalized, 1);
  return expect::failures != 0;
}
