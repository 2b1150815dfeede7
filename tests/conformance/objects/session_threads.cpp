// Several threads that know nothing of one another, each with sessions of its own, from the first on.
#include <string>
#include <thread>
#include <vector>

#include "expect.hpp"

namespace {

void a_library() {
  for (int round = 0; round < 100; ++round) {
    MPI_Session session = MPI_SESSION_NULL;
    EXPECT_SUCCESS(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    int sets = 0, key = 0;
    EXPECT_SUCCESS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));
    EXPECT_TRUE(sets >= 2);
    EXPECT_SUCCESS(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, nullptr));
    MPI_Datatype type;
    EXPECT_SUCCESS(MPI_Type_contiguous(3, MPI_INT, &type));
    EXPECT_SUCCESS(MPI_Type_set_attr(type, key, &sets));
    EXPECT_SUCCESS(MPI_Type_free(&type));
    EXPECT_SUCCESS(MPI_Type_free_keyval(&key));
    EXPECT_SUCCESS(MPI_Session_finalize(&session));
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(a_library);
  for (std::thread& thread : threads) thread.join();
  return expect::failures != 0;
}
