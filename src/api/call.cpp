#include "api/call.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <new>

#include "abi/error_strings.hpp"
#include "process/initial_errhandler.hpp"
#include "transport/bad_packet.hpp"

namespace antiphon::api {

namespace {

// The name of a predefined error class, or the number and text of an error code of the user's.
std::string code_name(int code) {
  if (const auto* predefined = abi::find_error_class(code)) return std::string(predefined->name);
  const std::lock_guard lock(anytime().mutex);
  const std::string text = anytime().error_codes.string_of(code).value_or("");
  return text.empty() ? fmt::format("error code {}", code) : fmt::format("error code {} ({})", code, text);
}

std::string sentence(const base::Error& error, const char* procedure, const objects::ErrorScope* object) {
  return fmt::format("{}{}: {}: {}", procedure, object ? " on " + object->title() : "", code_name(error.error_class),
                     error.message);
}

// One write, so that the lines of several ranks do not mix.
void tell_user(const std::string& line) {
  const std::string whole = line + "\n";
  if (write(STDERR_FILENO, whole.data(), whole.size()) < 0) return;
}

// Which communicator's error handler gets an error that belongs to no object: MPI_COMM_SELF's unless that is fatal,
// as it is by default; then MPI_COMM_WORLD's, which programs written before MPI 4.0 set. While only sessions use MPI,
// the program cannot have set either.
objects::Comm& scope_of_the_rest(Process& process) {
  const bool is_set = process.self().errhandler().action() != objects::Errhandler::Action::fatal;
  return is_set ? process.self() : process.world();
}

}  // namespace

// Programs compare with MPI_ERR_IN_STATUS itself (MPI 5.0, 3.7.5), so that class stays as it is. Without memory for
// the message, the user gets the class alone.
int code_for_user(const base::Error& error, const char* procedure, const objects::ErrorScope* object) noexcept {
  const int given = error.error_class;
  if (error.origin == base::Error::Origin::program || given == abi::ERR_IN_STATUS || !abi::find_error_class(given))
    return given;
  try {
    std::string text = sentence(error, procedure, object);
    const std::lock_guard lock(anytime().mutex);
    return anytime().error_codes.code_of_one(given, std::move(text));
  } catch (const std::bad_alloc&) {
    return given;
  }
}

void Call::fill_reserve() {
  if (!base::memory_reserve.fill())
    base::fail(abi::ERR_NO_MEM, "out of memory: nothing has begun, so the call may be made again");
}

void fail_in_child() {
  base::fail(abi::ERR_OTHER,
             "called in a child that an MPI process forked: MPI stays with the parent; a child may exec "
             "another program, or do without MPI");
}

void Call::fail_outside_mpi() {
  if (current.forked) fail_in_child();
  base::fail(abi::ERR_OTHER, current.phase == Phase::finalized
                                 ? "called after MPI_Finalize: only inquiries such as MPI_Finalized are valid then"
                                 : "called before MPI_Init: initialize MPI first");
}

void Call::fail_handle(int error_class, const char* kind, const char* null_name, std::uintptr_t null_value,
                       const void* handle, const char* argument) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value == null_value) {
    const bool vowel = std::string_view("aeio").find(*kind) != std::string_view::npos;
    base::fail(error_class,
               fmt::format("{} is {}; {} {} is needed here", argument, null_name, vowel ? "an" : "a", kind));
  }
  base::fail(error_class, fmt::format("{}={:#x} is no {}: it was freed, never made, or is another kind of handle",
                                      argument, value, kind));
}

void Call::fail_status(const MPI_Status* status, const char* argument) {
  base::fail(abi::ERR_ARG,
             fmt::format("{} is {:#x}, no address: pass the address of a variable for the result, or {}", argument,
                         reinterpret_cast<std::uintptr_t>(status),
                         argument == std::string_view("status") ? "MPI_STATUS_IGNORE" : "MPI_STATUSES_IGNORE"));
}

void Call::fail_comm(MPI_Comm handle, const char* argument) {
  if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF)
    base::fail(abi::ERR_COMM, fmt::format("{} is {}, which exists from MPI_Init to MPI_Finalize; a session makes its "
                                          "communicators with MPI_Comm_create_from_group",
                                          argument, handle == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF"));
  fail_handle(abi::ERR_COMM, "communicator", "MPI_COMM_NULL", abi::COMM_NULL, handle, argument);
}

objects::Errhandler& Call::errhandler_of_new(objects::Errhandler::Kind kind, std::uintptr_t null_handle,
                                             MPI_Errhandler handle, const char* argument) {
  objects::Errhandler& found = errhandler(handle, argument);
  if (!found.suits(kind)) {
    const bool is_comm = kind == objects::Errhandler::Kind::comm;
    base::fail(abi::ERR_ERRHANDLER,
               fmt::format("{} is not one for {}: {} makes those", argument, is_comm ? "communicators" : "sessions",
                           is_comm ? "MPI_Comm_create_errhandler" : "MPI_Session_create_errhandler"));
  }
  errhandler_of_new_ = &found;
  raised_.kind = kind;
  raised_.handle = null_handle;
  return found;
}

objects::Errhandler& Call::errhandler_of_new_comm(MPI_Errhandler handle, const char* argument) {
  return errhandler_of_new(objects::Errhandler::Kind::comm, abi::COMM_NULL, handle, argument);
}

objects::Errhandler& Call::errhandler_of_new_session(MPI_Errhandler handle, const char* argument) {
  return errhandler_of_new(objects::Errhandler::Kind::session, abi::SESSION_NULL, handle, argument);
}

void Call::fail() {
  if (process_ && !has_lane_) take_lane();
  base::Error error{abi::ERR_INTERN, {}};
  objects::Ref<objects::ErrorScope> object;
  try {
    throw;
  } catch (const transport::BadPacket& bad) {
    end_job(bad, nullptr);  // it came before this call, which is not to blame
  } catch (OperationError& known) {
    object = std::move(known.object);
    scope_ = object.get();
    error = std::move(known);
  } catch (base::Error& known) {
    error = std::move(known);
  } catch (const std::bad_alloc&) {
    error = {abi::ERR_NO_MEM, "out of memory"};
  } catch (const std::exception& unexpected) {
    error.message = unexpected.what();
  } catch (const ::abi::__forced_unwind&) {
    throw;  // the thread is being cancelled
  } catch (...) {
    error.message = "a function of the user's threw an exception";
  }

  const objects::ErrorScope* const met_on = scope_;
  const objects::Errhandler* errhandler = scope_ ? &scope_->errhandler() : errhandler_of_new_;
  if (!errhandler && process_) {
    scope_ = &scope_of_the_rest(*process_);
    errhandler = &scope_->errhandler();
  }
  objects::Ref<objects::Errhandler> initial;
  if (!errhandler) errhandler = (initial = process::initial_errhandler(anytime())).get();
  if (scope_) {
    raised_.kind = scope_->kind();
    raised_.handle = scope_->handle();
  }
  raised_.function = nullptr;
  switch (errhandler->action()) {
    case objects::Errhandler::Action::call_user:
      raised_.function = errhandler->function();
      [[fallthrough]];
    case objects::Errhandler::Action::return_code:
      raised_.code = code_for_user(error, procedure_, met_on);
      return;
    case objects::Errhandler::Action::fatal:
    case objects::Errhandler::Action::abort:
      end_job(error, met_on);
  }
}

void Call::fail_in_collective() {
  fail();
  const objects::Comm* const comm = comm_of_collective();
  if (!comm) return;
  const progress::NthCollective which{comm->name(), comm->blocking_collectives()};
  const bool has_told = !process_->progress().parking().failure_of(comm->world_rank(comm->rank()), which).empty();
  if (!has_told) tell_failure(*comm, which.nth);
}

void Call::fail_in_later_collective() {
  fail();
  if (const objects::Comm* const comm = comm_of_collective()) tell_failure(*comm, progress::NthCollective::kLater);
}

const objects::Comm* Call::comm_of_collective() const {
  const auto* const comm = dynamic_cast<const objects::Comm*>(scope_);
  return comm && !comm->is_inter() && process_ ? comm : nullptr;
}

void Call::tell_failure(const objects::Comm& comm, std::uint32_t nth) {
  const std::lock_guard lock(anytime().mutex);
  const auto text = anytime().error_codes.string_of(raised_.code).value_or("");
  process_->progress().parking().tell_failure({comm.name(), nth},
                                              fmt::format("rank {} has failed: {}", comm.rank(), text));
}

int Call::raise() {
  const int code = raised_.code;
  if (!raised_.function) return code;
  if (has_lane_) process_->lane().unlock();
  has_lane_ = false;
  raised_();
  return code;
}

void Call::end_job(const base::Error& error, const objects::ErrorScope* object) {
  const std::string text = sentence(error, procedure_, object);
  if (!process_) {
    tell_user(text);
    _exit(1);
  }
  process_->abort(error.error_class, text);  // the job prints the text and adds the rank
}

}  // namespace antiphon::api
