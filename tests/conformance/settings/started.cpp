// What a program finds that depends on how it was started.
//   started errors       what each of four wrong calls returns: before MPI_Init, on two communicators, and afterwards
//   started kinds [K]    mpi_memory_alloc_kinds where a program can ask; a session asks for K
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

int class_of(int code) {
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  return error_class;
}

void show(const char* where, int code) {
  std::printf("%s: %s\n", where, class_of(code) == MPI_SUCCESS ? "nothing" : "returned");
  std::fflush(stdout);
}

void errors() {
  int value = 0;
  show("before", MPI_Comm_rank(MPI_COMM_WORLD, &value));
  MPI_Init(nullptr, nullptr);
  show("world", MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
  show("self", MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_SELF));
  show("nobody's", MPI_Type_contiguous(-1, MPI_INT, nullptr));
  MPI_Finalize();
  show("after", MPI_Comm_rank(MPI_COMM_WORLD, &value));
}

void show_kinds(const char* where, MPI_Info info) {
  char text[MPI_MAX_INFO_VAL + 1] = "";
  int length = sizeof text, flag = 0;
  MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &length, text, &flag);
  std::printf("%s: %s\n", where, flag ? text : "none");
}

void show_kinds_of(const char* where, MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_get_info(comm, &info);
  show_kinds(where, info);
  MPI_Info_free(&info);
}

void kinds(const char* wanted) {
  MPI_Init(nullptr, nullptr);
  show_kinds("env", MPI_INFO_ENV);
  show_kinds_of("world", MPI_COMM_WORLD);

  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Win_get_info(win, &info);
  show_kinds("window", info);
  MPI_Info_free(&info);
  MPI_Win_free(&win);

  MPI_Session session = MPI_SESSION_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_memory_alloc_kinds", wanted);
  MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Info_free(&info);
  MPI_Session_get_info(session, &info);
  show_kinds("session", info);
  MPI_Info_free(&info);

  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group_from_session_pset(session, "mpi://SELF", &group);
  MPI_Comm_create_from_group(group, "started", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  show_kinds_of("its communicator", comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  MPI_Finalize();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "errors") == 0) errors();
  if (argc > 1 && std::strcmp(argv[1], "kinds") == 0) kinds(argc > 2 ? argv[2] : "");
  return 0;
}
