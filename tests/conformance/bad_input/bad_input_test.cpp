// Bad input in real processes: every call with a bad argument returns the right error class where errors return, ends
// the job with a message where they are fatal, and never crashes or hangs. Each case is an MPI job of one, started
// for it alone; under_mpiexec_test.py looks at jobs of several.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>

#include "cases.hpp"
#include "child.hpp"

namespace antiphon::bad_input {
namespace {

using Tell = std::function<void(const std::string&)>;

void set_error_handler(MPI_Errhandler handler) {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
}

// An error leaves nothing locked and nothing half done.
bool still_works() {
  int out = 42, in = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  return MPI_Irecv(&in, 1, MPI_INT, 0, 99, MPI_COMM_SELF, &request) == MPI_SUCCESS &&
         MPI_Send(&out, 1, MPI_INT, 0, 99, MPI_COMM_SELF) == MPI_SUCCESS &&
         MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && in == out &&
         MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS;
}

// With MPI_THREAD_MULTIPLE, so that a lock which an error leaves behind shows as a hang.
void start_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
}

// What a returned code tells: which call, and what was wrong.
bool tells_the_sentence(int code, const Case& bad) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  const std::string whole = text;
  return whole.starts_with(bad.procedure) && std::ranges::all_of(bad.fragments, [&](const std::string& fragment) {
           return whole.find(fragment) != std::string::npos;
         });
}

// Once where errors return, once where they are fatal.
void run_twice(const Case& bad, const Tell& tell) {
  start_mpi();
  set_error_handler(MPI_ERRORS_RETURN);
  int error_class = -1;
  const int code = bad.call();
  MPI_Error_class(code, &error_class);
  tell(fmt::format("class {}{}{}", error_class, tells_the_sentence(code, bad) ? "" : ", but not why",
                   still_works() ? "" : ", but then MPI did not work any more"));
  set_error_handler(MPI_ERRORS_ARE_FATAL);
  bad.call();
  tell(", and the fatal error returned");
}

// Pages need not name MPI_ERR_ARG, which a null pointer in place of a result is in every procedure, nor the classes
// that a call leaves in statuses.
bool is_documented(const std::string& procedure, int error_class) {
  static const std::map<std::string, std::set<int>> documented = documented_classes();
  const std::set<int>& classes = documented.at(procedure);
  return error_class == MPI_ERR_ARG || classes.contains(error_class) || classes.contains(MPI_ERR_IN_STATUS);
}

void expect_clear_errors(const std::vector<Case>& cases) {
  for (const Case& bad : cases) {
    const Ending ending = in_a_child([&](const Tell& tell) { run_twice(bad, tell); });
    const auto found = std::ranges::find_if(
        bad.classes, [&](int expected) { return ending.told == fmt::format("class {}", expected); });
    EXPECT_NE(found, bad.classes.end()) << bad.title << ": expected class " << bad.classes.front() << "; "
                                        << describe(ending);
    if (found == bad.classes.end()) continue;
    EXPECT_TRUE(is_documented(bad.procedure, *found))
        << bad.title << ": the manual page of " << bad.procedure << " does not name class " << *found;
    EXPECT_GT(ending.exit_status, 0) << bad.title << ": " << describe(ending);
    for (const std::string& fragment : bad.fragments)
      EXPECT_NE(ending.stderr_text.find(fragment), std::string::npos)
          << bad.title << ": no '" << fragment << "' in " << describe(ending);
    EXPECT_NE(ending.stderr_text.find(": " + bad.procedure), std::string::npos)
        << bad.title << ": " << describe(ending);
    EXPECT_EQ(std::ranges::count(ending.stderr_text, '\n'), 1) << bad.title << ": " << describe(ending);
  }
}

// The table is right only if a call fails because of its one bad argument.
TEST(BadInput, IsAllThatMakesTheCallsFail) {
  for (const Procedure& procedure : procedures()) {
    if (!procedure.good_call_succeeds) continue;
    const Ending ending = in_a_child([&](const Tell& tell) {
      start_mpi();
      set_error_handler(MPI_ERRORS_ARE_FATAL);
      tell(fmt::format("{}", good_call(procedure)()));
    });
    EXPECT_EQ(ending.told, "0") << procedure.name << ": " << describe(ending);
  }
}

TEST(BadInput, IsNamedForEveryArgumentOfEveryProcedure) {
  for (const Procedure& procedure : procedures()) expect_clear_errors(cases_of(procedure));
}

TEST(BadInput, IsNamedWhereOnlyTheCombinationIsWrong) { expect_clear_errors(special_cases()); }

TEST(BadInput, IsNamedInDescriptionsOfDatatypes) { expect_clear_errors(datatype_cases()); }

TEST(BadInput, IncludesEveryCallBeforeInit) {
  for (const Procedure& procedure : procedures()) {
    if (procedure.before_init) continue;
    const Ending ending = in_a_child([&](const Tell&) { good_call(procedure)(); });
    EXPECT_EQ(ending.exit_status, 1) << procedure.name << ": " << describe(ending);
    EXPECT_EQ(ending.stderr_text,
              fmt::format("{}: MPI_ERR_OTHER: called before MPI_Init: initialize MPI first\n", procedure.name));
  }
}

TEST(BadInput, IncludesEveryCallAfterFinalize) {
  for (const Procedure& procedure : procedures()) {
    if (procedure.before_init) continue;
    const Ending ending = in_a_child([&](const Tell&) {
      start_mpi();
      MPI_Finalize();
      good_call(procedure)();
    });
    EXPECT_EQ(ending.exit_status, 1) << procedure.name << ": " << describe(ending);
    EXPECT_EQ(
        ending.stderr_text.rfind(fmt::format("{}: MPI_ERR_OTHER: called after MPI_Finalize", procedure.name), 0), 0u)
        << procedure.name << ": " << describe(ending);
  }
}

TEST(BadInput, DoesNotIncludeWhatIsValidBeforeInitAndAfterFinalize) {
  for (const Procedure& procedure : procedures()) {
    if (!procedure.before_init) continue;
    for (const bool after : {false, true}) {
      const Ending ending = in_a_child([&](const Tell&) {
        if (after) {
          start_mpi();
          MPI_Finalize();
        }
        good_call(procedure)();
      });
      // It may well fail for a reason of its own: with nothing to wait for, to find or to free.
      EXPECT_EQ(ending.signal, 0) << procedure.name << ": " << describe(ending);
      for (const char* complaint : {"called before MPI_Init", "called after MPI_Finalize"})
        EXPECT_EQ(ending.stderr_text.find(complaint), std::string::npos)
            << procedure.name << ": " << describe(ending);
    }
  }
}

}  // namespace
}  // namespace antiphon::bad_input
