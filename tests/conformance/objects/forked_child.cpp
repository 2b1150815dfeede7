// A child that the program forks has no MPI: what it tries fails with a sentence, and its parent goes on undisturbed.
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "expect.hpp"

namespace {

struct Ending {
  std::string told;  // on stderr
  int exit_status = -1;
};

Ending in_a_child(void (*body)()) {
  int ends[2];
  EXPECT_EQUAL(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    body();
    _exit(0);
  }
  close(ends[1]);
  Ending ending;
  char bytes[1000];
  for (ssize_t length = 0; (length = read(ends[0], bytes, sizeof bytes)) > 0;)
    ending.told.append(bytes, static_cast<std::size_t>(length));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) ending.exit_status = WEXITSTATUS(status);
  return ending;
}

void is_refused(void (*body)(), const char* procedure) {
  const Ending ending = in_a_child(body);
  EXPECT_EQUAL(ending.exit_status, 1);
  EXPECT_TRUE(ending.told.starts_with(procedure));
  EXPECT_TRUE(ending.told.find("child that an MPI process forked") != std::string::npos);
}

int number = 1;

void calls_are_refused() {
  is_refused([] { MPI_Barrier(MPI_COMM_WORLD); }, "MPI_Barrier");
  is_refused([] { MPI_Comm_rank(MPI_COMM_WORLD, &number); }, "MPI_Comm_rank");
  is_refused([] { MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); }, "MPI_Send");
  is_refused([] { MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }, "MPI_Recv");
  is_refused([] { MPI_Finalize(); }, "MPI_Finalize");
  is_refused([] { MPI_Abort(MPI_COMM_WORLD, 7); }, "MPI_Abort");
}

// But for MPI_ERRORS_RETURN, which a session may have brought.
void sessions_are_refused() {
  const Ending ending = in_a_child([] {
    MPI_Session session;
    EXPECT_ERROR(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session), MPI_ERR_OTHER);
    _exit(expect::failures);
  });
  EXPECT_EQUAL(ending.exit_status, 0);
}

void what_needs_no_mpi_is_there() {
  const Ending ending = in_a_child([] {
    int flag = 0;
    MPI_Info info;
    EXPECT_SUCCESS(MPI_Initialized(&flag));
    EXPECT_EQUAL(flag, 1);
    EXPECT_SUCCESS(MPI_Info_create(&info));
    EXPECT_SUCCESS(MPI_Info_free(&info));
    EXPECT_TRUE(MPI_Wtime() > 0);
    _exit(expect::failures);
  });
  EXPECT_EQUAL(ending.exit_status, 0);
}

void the_parent_goes_on() {
  int size, sum = 0;
  const int one = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_SUCCESS(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  EXPECT_EQUAL(sum, size);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (void (*test)() : {calls_are_refused, sessions_are_refused, what_needs_no_mpi_is_there}) {
    test();
    the_parent_goes_on();
  }
  MPI_Finalize();
  return expect::failures != 0;
}
