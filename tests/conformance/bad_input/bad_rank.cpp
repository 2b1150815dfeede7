// A program in which one rank makes a mistake while the others wait for it: bad_rank MISTAKE [fatal|return]
//   dest           rank 1 sends to a rank that does not exist
//   truncate N     rank 0 sends N bytes to rank 1, which has room for 4
//   roots          every rank says that the next one is the root of a broadcast, and waits for it
//   bcast          rank 1 expects fewer bytes of a broadcast than rank 0 sends
// With `return` the mistake must come back as an error class, and the job must go on as if nothing had been.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

int rank = 0, size = 0;

int send_to_nobody() {
  int value = 0;
  if (rank == 1) return MPI_Send(&value, 1, MPI_INT, size, 3, MPI_COMM_WORLD);
  return MPI_SUCCESS;
}

int truncate(int bytes) {
  std::vector<char> message(static_cast<std::size_t>(bytes), 'x');
  char room[8] = "1234567";
  if (rank == 0) MPI_Send(message.data(), bytes, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
  if (rank != 1) return MPI_SUCCESS;
  const int error = MPI_Recv(room, 4, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return std::strcmp(room, "xxxx567") == 0 ? error : MPI_ERR_INTERN;  // nothing beyond the buffer
}

int broadcast_from_each_other() {
  double values[5] = {};
  return MPI_Bcast(values, 5, MPI_DOUBLE, (rank + 1) % size, MPI_COMM_WORLD);
}

int broadcast() {
  int values[2] = {rank, rank};
  return MPI_Bcast(values, rank == 1 ? 1 : 2, MPI_INT, 0, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool returns = words.back() == "return";
  if (returns) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

  const int error = words[0] == "dest"       ? send_to_nobody()
                    : words[0] == "roots"    ? broadcast_from_each_other()
                    : words[0] == "truncate" ? truncate(std::atoi(words[1].c_str()))
                                             : broadcast();
  if (returns && rank == 1) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(error, text, &length);
    std::printf("%s\n", text);
    std::fflush(stdout);
  }
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum == size * (size - 1) / 2 ? 0 : 9;
}
