// Sessions before, beside and after the world model, and their errors.
#include <cstring>
#include <string>

#include "expect.hpp"

namespace {

std::string text_of(MPI_Info info, const char* key) {
  char value[MPI_MAX_INFO_VAL] = "";
  int size = sizeof value, flag = 0;
  EXPECT_SUCCESS(MPI_Info_get_string(info, key, &size, value, &flag));
  return flag ? value : "(none)";
}

MPI_Session start(const char* thread_level) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", thread_level);
  MPI_Session session = MPI_SESSION_NULL;
  EXPECT_SUCCESS(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
  MPI_Info_free(&info);
  return session;
}

void end(MPI_Session session) {
  EXPECT_SUCCESS(MPI_Session_finalize(&session));
  EXPECT_TRUE(session == MPI_SESSION_NULL);
}

void has_what_it_was_granted() {
  MPI_Session session = start("MPI_THREAD_MULTIPLE");
  MPI_Info info;
  EXPECT_SUCCESS(MPI_Session_get_info(session, &info));
  const std::string level = text_of(info, "thread_level");
  EXPECT_TRUE(level == "MPI_THREAD_MULTIPLE" || level == "MPI_THREAD_SINGLE");
  MPI_Info_free(&info);
  end(session);
}

void has_all_there_is_if_it_asks_for_nothing() {
  std::string levels[2];
  for (std::string& level : levels) {
    MPI_Session session = MPI_SESSION_NULL;
    if (&level == levels)
      session = start("MPI_THREAD_MULTIPLE");
    else
      EXPECT_SUCCESS(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    MPI_Info info;
    EXPECT_SUCCESS(MPI_Session_get_info(session, &info));
    level = text_of(info, "thread_level");
    MPI_Info_free(&info);
    end(session);
  }
  EXPECT_TRUE(levels[1] == levels[0]);
}

void knows_its_process_sets() {
  MPI_Session session = start("MPI_THREAD_SINGLE");
  int sets = 0;
  bool world = false, self = false;
  EXPECT_SUCCESS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));
  EXPECT_TRUE(sets >= 2);
  for (int i = 0; i < sets; ++i) {
    int size = 0;
    EXPECT_SUCCESS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &size, nullptr));
    std::string name(static_cast<std::size_t>(size), '?');
    EXPECT_SUCCESS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &size, name.data()));
    EXPECT_EQUAL(std::strlen(name.c_str()) + 1, size);
    MPI_Info info;
    EXPECT_SUCCESS(MPI_Session_get_pset_info(session, name.c_str(), &info));
    EXPECT_TRUE(std::stoi(text_of(info, "mpi_size")) >= 1);
    if (std::strcmp(name.c_str(), "mpi://SELF") == 0) self = text_of(info, "mpi_size") == "1";
    if (std::strcmp(name.c_str(), "mpi://WORLD") == 0) world = true;
    MPI_Info_free(&info);
  }
  EXPECT_TRUE(world && self);
  end(session);
}

MPI_Session told;
int told_code = 0, told_calls = 0;
void note(MPI_Session* session, int* code, ...) {
  told = *session;
  told_code = *code;
  ++told_calls;
}

void tells_its_own_error_handler() {
  MPI_Errhandler handler;
  EXPECT_SUCCESS(MPI_Session_create_errhandler(note, &handler));
  MPI_Session session;
  EXPECT_SUCCESS(MPI_Session_init(MPI_INFO_NULL, handler, &session));
  MPI_Info info;
  told_calls = 0;
  EXPECT_ERROR(MPI_Session_get_pset_info(session, "no such set", &info), MPI_ERR_ARG);
  EXPECT_ERROR(told_code, MPI_ERR_ARG);
  EXPECT_TRUE(told == session && told_calls == 1);
  EXPECT_SUCCESS(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
  EXPECT_TRUE(told_code == MPI_ERR_OTHER && told_calls == 2);
  // Even one that does not come into being.
  MPI_Info wrong;
  MPI_Info_create(&wrong);
  MPI_Info_set(wrong, "thread_level", "some");
  MPI_Session unborn = MPI_SESSION_NULL;
  EXPECT_ERROR(MPI_Session_init(wrong, handler, &unborn), MPI_ERR_INFO_VALUE);
  EXPECT_TRUE(told == MPI_SESSION_NULL && told_calls == 3);
  MPI_Info_free(&wrong);
  MPI_Errhandler_free(&handler);
  end(session);
}

MPI_Comm told_comm;
void note_comm(MPI_Comm* comm, int* code, ...) {
  told_comm = *comm;
  told_code = *code;
  ++told_calls;
}

// What is to be made has an error handler already, whichever argument is wrong, and whether MPI is up or not.
void tells_the_error_handler_that_it_is_given_of_bad_handles() {
  const auto no_info = reinterpret_cast<MPI_Info>(0x1234567);
  MPI_Session session = MPI_SESSION_NULL;
  EXPECT_ERROR(MPI_Session_init(no_info, MPI_ERRORS_RETURN, &session), MPI_ERR_INFO);

  session = start("MPI_THREAD_SINGLE");
  MPI_Group all;
  EXPECT_SUCCESS(MPI_Group_from_session_pset(session, "mpi://SELF", &all));
  MPI_Comm comm;
  const auto create = [&](MPI_Group group, MPI_Info info, MPI_Errhandler handler) {
    return MPI_Comm_create_from_group(group, "x", info, handler, &comm);
  };
  EXPECT_ERROR(create(MPI_GROUP_NULL, MPI_INFO_NULL, MPI_ERRORS_RETURN), MPI_ERR_GROUP);
  EXPECT_ERROR(create(all, no_info, MPI_ERRORS_RETURN), MPI_ERR_INFO);
  const auto intercreate = [&](MPI_Group local, MPI_Group remote, MPI_Info info) {
    return MPI_Intercomm_create_from_groups(local, 0, remote, 0, "x", info, MPI_ERRORS_RETURN, &comm);
  };
  EXPECT_ERROR(intercreate(MPI_GROUP_NULL, all, MPI_INFO_NULL), MPI_ERR_GROUP);
  EXPECT_ERROR(intercreate(all, reinterpret_cast<MPI_Group>(0x1234567), MPI_INFO_NULL), MPI_ERR_GROUP);
  EXPECT_ERROR(intercreate(all, all, no_info), MPI_ERR_INFO);

  MPI_Errhandler handler;
  EXPECT_SUCCESS(MPI_Comm_create_errhandler(note_comm, &handler));
  told_calls = 0;
  EXPECT_ERROR(create(MPI_GROUP_NULL, MPI_INFO_NULL, handler), MPI_ERR_GROUP);
  EXPECT_ERROR(told_code, MPI_ERR_GROUP);
  EXPECT_TRUE(told_comm == MPI_COMM_NULL && told_calls == 1);
  EXPECT_SUCCESS(MPI_Errhandler_free(&handler));
  EXPECT_SUCCESS(MPI_Group_free(&all));
  end(session);
}

// Of the predefined attributes, a communicator that comes from a session has one.
void gives_its_communicators_the_bound_of_tags_alone() {
  MPI_Session session = start("MPI_THREAD_SINGLE");
  MPI_Group self;
  MPI_Comm made, child;
  EXPECT_SUCCESS(MPI_Group_from_session_pset(session, "mpi://SELF", &self));
  EXPECT_SUCCESS(MPI_Comm_create_from_group(self, "attributes", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made));
  EXPECT_SUCCESS(MPI_Comm_dup(made, &child));
  for (MPI_Comm* comm : {&made, &child}) {
    void* value = nullptr;
    int flag = 0;
    EXPECT_SUCCESS(MPI_Comm_get_attr(*comm, MPI_TAG_UB, &value, &flag));
    EXPECT_TRUE(flag && *static_cast<int*>(value) == 0x7fffffff);
    for (const int key : {MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM, MPI_UNIVERSE_SIZE, MPI_LASTUSEDCODE}) {
      flag = 1;
      EXPECT_SUCCESS(MPI_Comm_get_attr(*comm, key, &value, &flag));
      EXPECT_EQUAL(flag, 0);
    }
    EXPECT_SUCCESS(MPI_Comm_free(comm));
  }
  EXPECT_SUCCESS(MPI_Group_free(&self));
  end(session);
}

// Whatever a process has, a session has, but not the communicators of the world model.
void works_without_the_world() {
  MPI_Session session = start("MPI_THREAD_SINGLE");
  int key, flag, initialized = 1;
  EXPECT_SUCCESS(MPI_Initialized(&initialized));
  EXPECT_EQUAL(initialized, 0);
  EXPECT_SUCCESS(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, nullptr));
  EXPECT_SUCCESS(MPI_Type_set_attr(MPI_INT, key, &key));
  void* value = nullptr;
  EXPECT_SUCCESS(MPI_Type_get_attr(MPI_INT, key, &value, &flag));
  EXPECT_TRUE(flag && value == &key);
  EXPECT_SUCCESS(MPI_Type_delete_attr(MPI_INT, key));
  EXPECT_SUCCESS(MPI_Type_free_keyval(&key));
  end(session);
}

void come_and_go(int times) {
  for (int i = 0; i < times; ++i) {
    MPI_Session first = start("MPI_THREAD_SINGLE");
    if (i % 2) {
      MPI_Session second = start("MPI_THREAD_MULTIPLE");
      end(first);
      end(second);
    } else {
      end(first);
    }
  }
}

void everything() {
  has_what_it_was_granted();
  has_all_there_is_if_it_asks_for_nothing();
  knows_its_process_sets();
  tells_its_own_error_handler();
  tells_the_error_handler_that_it_is_given_of_bad_handles();
  gives_its_communicators_the_bound_of_tags_alone();
  come_and_go(300);
}

}  // namespace

int main(int argc, char** argv) {
  everything();
  works_without_the_world();
  MPI_Session outer = start("MPI_THREAD_SINGLE");
  MPI_Init(&argc, &argv);
  everything();
  EXPECT_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
  end(outer);
  EXPECT_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
  MPI_Session survivor = start("MPI_THREAD_SINGLE");
  MPI_Finalize();
  knows_its_process_sets();
  end(survivor);
  everything();
  return expect::failures != 0;
}
