// Error handlers: MPI 5.0, 9.3. Of files there is MPI_FILE_NULL, which has one, too (14.7).
#include "api/call.hpp"
#include "api/check.hpp"
#include "progress/user_code.hpp"

namespace antiphon::api {

using objects::Errhandler;
using objects::ErrorScope;
using objects::Ref;
using Kind = Errhandler::Kind;

namespace {

using Lock = std::lock_guard<std::mutex>;

struct ObjectKind {
  Kind kind;
  const char* objects;
  const char* create;
};
constexpr ObjectKind kKinds[] = {{Kind::comm, "communicators", "MPI_Comm_create_errhandler"},
                                 {Kind::window, "windows", "MPI_Win_create_errhandler"},
                                 {Kind::file, "files", "MPI_File_create_errhandler"},
                                 {Kind::session, "sessions", "MPI_Session_create_errhandler"}};

const ObjectKind& about(Kind kind) { return *std::ranges::find(kKinds, kind, &ObjectKind::kind); }

template <class Function>
void create(Kind kind, Function* function, const char* argument, MPI_Errhandler* errhandler) {
  check::not_null(errhandler, "errhandler");
  if (reinterpret_cast<std::uintptr_t>(function) < objects::kPredefinedHandles)
    base::fail(abi::ERR_ARG, fmt::format("{} is {}: pass the function to call when an error happens", argument,
                                         function ? "no function" : "null"));
  const auto made =
      Ref<Errhandler>::adopt(new Errhandler(kind, reinterpret_cast<Errhandler::UserFunction>(function)));
  const Lock lock(anytime().mutex);
  *errhandler = reinterpret_cast<MPI_Errhandler>(anytime().errhandlers.handle_of(made));
}

void set(ErrorScope& scope, Errhandler& errhandler) {
  if (!errhandler.suits(scope.kind()))
    base::fail(
        abi::ERR_ERRHANDLER,
        fmt::format("errhandler is one for {}; here one for {} is needed, made by {}, or a "
                    "predefined one",
                    about(errhandler.kind()).objects, about(scope.kind()).objects, about(scope.kind()).create));
  scope.set_errhandler(Ref<Errhandler>::share(errhandler));
}

void tell(const ErrorScope& scope, MPI_Errhandler* errhandler) {
  check::not_null(errhandler, "errhandler");
  const Lock lock(anytime().mutex);
  *errhandler = reinterpret_cast<MPI_Errhandler>(anytime().errhandlers.handle_of(scope.errhandler_ref()));
}

ErrorScope& scope_of(Process& process, objects::File* file) { return file ? *file : process.no_file(); }

// Runs the error handler as if the error had just happened. When it returns, the call itself has succeeded.
void run(Process& process, ErrorScope& scope, int errorcode) {
  {
    const Lock lock(anytime().mutex);
    if (!anytime().error_codes.class_of(errorcode))
      base::fail(
          abi::ERR_ARG,
          fmt::format("errorcode={} is not an error code: pass a predefined one, or one that MPI_Add_error_class or "
                      "MPI_Add_error_code returned",
                      errorcode));
  }
  switch (scope.errhandler().action()) {
    case Errhandler::Action::return_code:
      return;
    case Errhandler::Action::fatal:
    case Errhandler::Action::abort:
      base::pass_on(errorcode, "the program called this fatal error handler itself");
    case Errhandler::Action::call_user: {
      UserErrhandler user{scope.errhandler().function(), scope.kind(), scope.handle(), errorcode};
      const progress::UserCode running(process.lane());
      user();
    }
  }
}

}  // namespace

void comm_create_errhandler(Process&, MPI_Comm_errhandler_function* comm_errhandler_fn, MPI_Errhandler* errhandler) {
  create(Kind::comm, comm_errhandler_fn, "comm_errhandler_fn", errhandler);
}

void comm_set_errhandler(Process&, objects::Comm& comm, Errhandler& errhandler) { set(comm, errhandler); }

void comm_get_errhandler(Process&, objects::Comm& comm, MPI_Errhandler* errhandler) { tell(comm, errhandler); }

void comm_call_errhandler(Process& process, objects::Comm& comm, int errorcode) { run(process, comm, errorcode); }

void session_create_errhandler(Call&, MPI_Session_errhandler_function* session_errhandler_fn,
                               MPI_Errhandler* errhandler) {
  create(Kind::session, session_errhandler_fn, "session_errhandler_fn", errhandler);
}

void session_set_errhandler(Process&, objects::Session& session, Errhandler& errhandler) { set(session, errhandler); }

void session_get_errhandler(Process&, objects::Session& session, MPI_Errhandler* errhandler) {
  tell(session, errhandler);
}

void session_call_errhandler(Call& call, objects::Session& session, int errorcode) {
  run(call.process(), session, errorcode);
}

void win_create_errhandler(Process&, MPI_Win_errhandler_function* win_errhandler_fn, MPI_Errhandler* errhandler) {
  create(Kind::window, win_errhandler_fn, "win_errhandler_fn", errhandler);
}

void win_set_errhandler(Process&, objects::Window& win, Errhandler& errhandler) { set(win, errhandler); }

void win_get_errhandler(Process&, objects::Window& win, MPI_Errhandler* errhandler) { tell(win, errhandler); }

void win_call_errhandler(Process& process, objects::Window& win, int errorcode) { run(process, win, errorcode); }

void file_create_errhandler(Process&, MPI_File_errhandler_function* file_errhandler_fn, MPI_Errhandler* errhandler) {
  create(Kind::file, file_errhandler_fn, "file_errhandler_fn", errhandler);
}

void file_set_errhandler(Process& process, objects::File* file, Errhandler& errhandler) {
  set(scope_of(process, file), errhandler);
}

void file_get_errhandler(Process& process, objects::File* file, MPI_Errhandler* errhandler) {
  tell(scope_of(process, file), errhandler);
}

void file_call_errhandler(Process& process, objects::File* fh, int errorcode) {
  run(process, scope_of(process, fh), errorcode);
}

void errhandler_free(Call&, MPI_Errhandler* errhandler) {
  check::not_null(errhandler, "errhandler");
  const auto value = reinterpret_cast<std::uintptr_t>(*errhandler);
  const Lock lock(anytime().mutex);
  if (!anytime().errhandlers.find(value))
    Call::fail_handle(abi::ERR_ERRHANDLER, "error handler", "MPI_ERRHANDLER_NULL", abi::ERRHANDLER_NULL, *errhandler,
                      "errhandler");
  anytime().errhandlers.free(value);
  *errhandler = MPI_ERRHANDLER_NULL;
}

}  // namespace antiphon::api
