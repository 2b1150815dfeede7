#include "api/call.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>

#include "abi/error_strings.hpp"

namespace antiphon::api {

namespace {

std::string_view class_name(int error_class) {
  const auto* found = abi::find_error_class(error_class);
  return found ? std::string_view(found->name) : "MPI_ERR_UNKNOWN";
}

// One write, so that the lines of several ranks do not mix.
void tell_user(const std::string& line) {
  const std::string whole = line + "\n";
  if (write(STDERR_FILENO, whole.data(), whole.size()) < 0) return;
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
  if (value == null_value)
    base::fail(error_class, fmt::format("{} is {}; a {} is needed here", argument, null_name, kind));
  base::fail(error_class, fmt::format("{}={:#x} is no {}: it was freed, never made, or is another kind of handle",
                                      argument, value, kind));
}

int Call::fail() {
  base::Error error{abi::ERR_INTERN, {}};
  try {
    throw;
  } catch (OperationError& known) {
    comm_ = known.comm;
    error = std::move(known);
  } catch (base::Error& known) {
    error = std::move(known);
  } catch (const std::bad_alloc&) {
    error = {abi::ERR_NO_MEM, "out of memory"};
  } catch (const std::exception& unexpected) {
    error.message = unexpected.what();
  }

  if (current.phase != Phase::running) {
    tell_user(fmt::format("{}: {}: {}", procedure_, class_name(error.error_class), error.message));
    _exit(1);
  }
  // An error that belongs to no communicator goes to MPI_COMM_SELF's handler, or to that of MPI_COMM_WORLD, which
  // programs from before MPI 4.0 set.
  const auto returns = [](const objects::Comm& on) {
    return on.errhandler().action() == objects::Errhandler::Action::return_code;
  };
  const bool may_return =
      comm_ ? returns(*comm_) : returns(*process_->comms.find(abi::COMM_SELF)) || returns(process_->world());
  if (!may_return) end_job(error);
  return error.error_class;
}

void Call::end_job(const base::Error& error) {
  const std::string where = comm_ ? fmt::format(" on {}", comm_->name()) : "";
  // Whoever ends the job prints this, and says which rank it was.
  process_->job().abort(error.error_class,
                        fmt::format("{}{}: {}: {}", procedure_, where, class_name(error.error_class), error.message));
  __builtin_unreachable();  // GCC 12 does not believe [[noreturn]] of a virtual function
}

}  // namespace antiphon::api
