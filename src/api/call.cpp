#include "api/call.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <exception>

#include "abi/error_strings.hpp"

namespace antiphon::api {

namespace {

// "MPI_ERR_RANK", or what the user calls an error code of his own.
std::string code_name(int code) {
  if (const auto* predefined = abi::find_error_class(code)) return std::string(predefined->name);
  const std::lock_guard lock(anytime().mutex);
  const std::string text = anytime().error_codes.string_of(code).value_or("");
  return text.empty() ? fmt::format("error code {}", code) : fmt::format("error code {} ({})", code, text);
}

// One write, so that the lines of several ranks do not mix.
void tell_user(const std::string& line) {
  const std::string whole = line + "\n";
  if (write(STDERR_FILENO, whole.data(), whole.size()) < 0) return;
}

// An error that belongs to no object goes to MPI_COMM_SELF's handler, or to that of MPI_COMM_WORLD, which programs
// from before MPI 4.0 set. While there are only sessions, nobody can have set either.
objects::Comm& scope_of_the_rest(Process& process) {
  const bool is_set = process.self().errhandler().action() != objects::Errhandler::Action::fatal;
  return is_set ? process.self() : process.world();
}

}  // namespace

void Call::fail_outside_mpi() {
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

void Call::fail_comm(MPI_Comm handle, const char* argument) {
  if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF)
    base::fail(abi::ERR_COMM, fmt::format("{} is {}, which exists from MPI_Init to MPI_Finalize; a session makes its "
                                          "communicators with MPI_Comm_create_from_group",
                                          argument, handle == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF"));
  fail_handle(abi::ERR_COMM, "communicator", "MPI_COMM_NULL", abi::COMM_NULL, handle, argument);
}

void Call::fail() {
  if (process_ && !has_lane_) take_lane();
  base::Error error{abi::ERR_INTERN, {}};
  objects::Ref<objects::ErrorScope> object;
  try {
    throw;
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
    throw;  // the thread was cancelled while it waited
  } catch (...) {
    error.message = "a function of the user's threw an exception";
  }

  const std::string where = scope_ ? " on " + scope_->title() : "";
  if (!scope_ && process_) scope_ = &scope_of_the_rest(*process_);
  if (!scope_) end_job(error, where);
  raised_ = {nullptr, scope_->kind(), scope_->handle(), error.error_class};
  switch (scope_->errhandler().action()) {
    case objects::Errhandler::Action::return_code:
      return;
    case objects::Errhandler::Action::call_user:
      raised_.function = scope_->errhandler().function();
      return;
    case objects::Errhandler::Action::fatal:
    case objects::Errhandler::Action::abort:
      end_job(error, where);
  }
}

int Call::raise() {
  const int code = raised_.code;
  if (!raised_.function) return code;
  if (has_lane_) process_->lane().unlock();
  has_lane_ = false;
  raised_();
  return code;
}

void Call::end_job(const base::Error& error, const std::string& where) {
  const std::string text =
      fmt::format("{}{}: {}: {}", procedure_, where, code_name(error.error_class), error.message);
  if (!process_) {
    tell_user(text);
    _exit(1);
  }
  process_->job().abort(error.error_class, text);  // whoever ends the job prints this, and says which rank it was
  __builtin_unreachable();                         // GCC 12 does not believe [[noreturn]] of a virtual function
}

}  // namespace antiphon::api
