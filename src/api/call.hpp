// One call of an MPI procedure; it lives on the stack of its entry point. It resolves handles, and names the argument
// when a handle is invalid. It is also the single place that catches errors and passes them to an error handler (MPI
// 5.0, 9.3). Resolve the object whose error handler applies before all others.
#pragma once

#include "api/address.hpp"
#include "api/bodies.hpp"
#include "api/current.hpp"
#include "api/user_errhandler.hpp"
#include "base/error.hpp"
#include "base/memory_reserve.hpp"

namespace antiphon::api {

// An error that belongs to `object`, thrown in a call that does not name the object by its handle: for example one
// that completes an operation on it, or one that was to create it.
struct OperationError : base::Error {
  objects::Ref<objects::ErrorScope> object;
};

// Throws the error of a call in a forked child.
[[noreturn, gnu::cold]] void fail_in_child();

// The error code that the user gets for `error` in `procedure`; MPI_Error_string turns it back into the whole
// message. `object` is where the error happened, or null.
[[nodiscard, gnu::cold]] int code_for_user(const base::Error& error, const char* procedure,
                                           const objects::ErrorScope* object) noexcept;

class Call {
 public:
  // For a procedure whose body takes the lane itself, only when it needs it (api/short.cpp).
  struct WithoutLane {};

  explicit Call(const char* procedure) : procedure_(procedure), process_(current.running) {
    if (process_) [[likely]]
      take_lane();
  }
  Call(const char* procedure, WithoutLane) : procedure_(procedure), process_(current.running) {}
  ~Call() {
    if (has_lane_) [[likely]]
      process_->lane().unlock();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Fails with ERR_OTHER while neither the world model nor a session keeps MPI initialized. Procedures that any
  // thread may call at any time, whatever the thread level, such as those of info objects (MPI 5.0, 11.6), must not
  // use it, because they must not touch the process.
  Process& process() {
    if (!process_) [[unlikely]]
      fail_outside_mpi();
    if (has_lane_) process_->call().procedure = procedure_;
    return *process_;
  }
  // For a procedure that starts an operation: refills the memory reserve, so that the operation can be completed even
  // if the system has no memory then. Fails with ERR_NO_MEM, before the call has any effect, if that is impossible.
  static void needs_memory() {
    if (base::memory_reserve.lacks_pieces()) [[unlikely]]
      fill_reserve();
  }
  // For a call that began while MPI was not initialized and has just initialized it.
  void enter(Process& process) {
    if (process_) return;
    process_ = &process;
    take_lane();
    process_->call().procedure = procedure_;
  }

  // Checks the argument for one status or several before the call has any effect.
  static void check_status(const MPI_Status* status, const char* argument) {
    if (status != MPI_STATUS_IGNORE && !is_address(status)) [[unlikely]]
      fail_status(status, argument);
  }

  objects::Comm& comm(MPI_Comm handle, const char* argument) {
    objects::Comm* found = process_->comms.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_comm(handle, argument);
    scope_ = found;
    return *found;
  }
  // If the call has another communicator already, errors still go to that one's error handler.
  objects::Comm* comm_or_null(MPI_Comm handle, const char* argument) {
    if (reinterpret_cast<std::uintptr_t>(handle) == abi::COMM_NULL) return nullptr;
    objects::ErrorScope* const first = scope_;
    objects::Comm* found = &comm(handle, argument);
    if (first) scope_ = first;
    return found;
  }
  // Some calls that take a session are valid while MPI is not initialized; then there is no valid session handle.
  objects::Session& session(MPI_Session handle, const char* argument) {
    objects::Session* found = process_ ? process_->sessions.find(reinterpret_cast<std::uintptr_t>(handle)) : nullptr;
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_SESSION, "session", "MPI_SESSION_NULL", abi::SESSION_NULL, handle, argument);
    scope_ = found;
    return *found;
  }
  objects::Window& win(MPI_Win handle, const char* argument) {
    objects::Window* found = process_->windows.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_WIN, "window", "MPI_WIN_NULL", abi::WIN_NULL, handle, argument);
    scope_ = found;
    return *found;
  }
  objects::Window* win_or_null(MPI_Win handle, const char* argument) {
    return reinterpret_cast<std::uintptr_t>(handle) == abi::WIN_NULL ? nullptr : &win(handle, argument);
  }
  // Errors of a call that has no valid file go to the error handler of MPI_FILE_NULL (MPI 5.0, 14.7).
  objects::File& file(MPI_File handle, const char* argument) {
    objects::File* found = process_->files.find(reinterpret_cast<std::uintptr_t>(handle));
    scope_ = found ? found : &process_->no_file();
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_FILE, "file", "MPI_FILE_NULL", abi::FILE_NULL, handle, argument);
    return *found;
  }
  objects::File* file_or_null(MPI_File handle, const char* argument) {
    if (reinterpret_cast<std::uintptr_t>(handle) != abi::FILE_NULL) return &file(handle, argument);
    scope_ = &process_->no_file();
    return nullptr;
  }
  // Arguments of a call that names a file which is not open.
  objects::Comm& comm_of_new_file(MPI_Comm handle, const char* argument) {
    scope_ = &process_->no_file();
    objects::Comm* found = process_->comms.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_comm(handle, argument);
    return *found;
  }
  objects::Info* info_of_new_file_or_null(MPI_Info handle, const char* argument) {
    scope_ = &process_->no_file();
    return info_or_null(handle, argument);
  }
  objects::Datatype& datatype(MPI_Datatype handle, const char* argument) {
    objects::Datatype* found = process_->datatypes.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, handle, argument);
    return *found;
  }
  // The datatype of a message to or from `peer`. With MPI_PROC_NULL nothing is transferred, so MPI_DATATYPE_NULL is
  // accepted.
  objects::Datatype& datatype(MPI_Datatype handle, const char* argument, int peer) {
    objects::Datatype* found = process_->datatypes.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      return peer == abi::PROC_NULL && handle == MPI_DATATYPE_NULL ? *process_->datatypes.find(abi::BYTE)
                                                                   : datatype(handle, argument);
    return *found;
  }
  objects::Datatype* datatype_or_null(MPI_Datatype handle, const char* argument) {
    return reinterpret_cast<std::uintptr_t>(handle) == abi::DATATYPE_NULL ? nullptr : &datatype(handle, argument);
  }
  objects::Op& op(MPI_Op handle, const char* argument) {
    objects::Op* found = process_->ops.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_OP, "operation", "MPI_OP_NULL", abi::OP_NULL, handle, argument);
    return *found;
  }
  objects::Group& group(MPI_Group handle, const char* argument) {
    objects::Group* found = process_->groups.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_GROUP, "group", "MPI_GROUP_NULL", abi::GROUP_NULL, handle, argument);
    return *found;
  }
  objects::Group* group_or_null(MPI_Group handle, const char* argument) {
    return reinterpret_cast<std::uintptr_t>(handle) == abi::GROUP_NULL ? nullptr : &group(handle, argument);
  }
  objects::Errhandler& errhandler(MPI_Errhandler handle, const char* argument) {
    objects::Errhandler* found = anytime().find_errhandler(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_ERRHANDLER, "error handler", "MPI_ERRHANDLER_NULL", abi::ERRHANDLER_NULL, handle,
                  argument);
    return *found;
  }
  // The error handler of an object that the call is about to create; errors of this call go to it as well (MPI 5.0,
  // 7.4.2 and 11.3.1).
  objects::Errhandler& errhandler_of_new_comm(MPI_Errhandler handle, const char* argument);
  objects::Errhandler& errhandler_of_new_session(MPI_Errhandler handle, const char* argument);
  objects::Info& info(MPI_Info handle, const char* argument) {
    objects::Info* found = anytime().find_info(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_INFO, "info object", "MPI_INFO_NULL", abi::INFO_NULL, handle, argument);
    return *found;
  }
  objects::Info* info_or_null(MPI_Info handle, const char* argument) {
    return reinterpret_cast<std::uintptr_t>(handle) == abi::INFO_NULL ? nullptr : &info(handle, argument);
  }

  static int succeed() { return MPI_SUCCESS; }
  // To be called in a catch clause: finds the error handler that applies, and stores the call of it in raised_. Ends
  // the job if the handler is fatal.
  [[gnu::cold]] void fail();
  // fail() for a blocking collective, and for a nonblocking or persistent one. Other ranks may wait for this rank's
  // part, so these also publish the error for hang reports.
  [[gnu::cold]] void fail_in_collective();
  [[gnu::cold]] void fail_in_later_collective();
  // To be called after the catch clause, because a user's error handler may leave by longjmp: calls that handler, if
  // there is one. Returns what the entry point returns.
  [[gnu::cold]] int raise();
  // Throws an error that says what is wrong with a handle that is not in its table.
  [[noreturn, gnu::cold]] static void fail_handle(int error_class, const char* kind, const char* null_name,
                                                  std::uintptr_t null_value, const void* handle,
                                                  const char* argument);

 private:
  // The intracommunicator of a failed collective; null for other errors.
  [[nodiscard]] const objects::Comm* comm_of_collective() const;
  void tell_failure(const objects::Comm& comm, std::uint32_t nth);
  void take_lane() {
    process_->lane().lock();
    has_lane_ = true;
  }
  [[gnu::cold]] static void fill_reserve();
  [[noreturn, gnu::cold]] void fail_outside_mpi();
  [[noreturn, gnu::cold]] static void fail_comm(MPI_Comm handle, const char* argument);
  [[noreturn, gnu::cold]] static void fail_status(const MPI_Status* status, const char* argument);
  objects::Errhandler& errhandler_of_new(objects::Errhandler::Kind kind, std::uintptr_t null_handle,
                                         MPI_Errhandler handle, const char* argument);
  [[noreturn, gnu::cold]] void end_job(const base::Error& error, const objects::ErrorScope* object);

  const char* procedure_;
  process::Process* process_;
  bool has_lane_ = false;
  objects::ErrorScope* scope_ = nullptr;                    // the object whose error handler applies, if any
  const objects::Errhandler* errhandler_of_new_ = nullptr;  // applies if scope_ is null
  UserErrhandler raised_;  // set by fail(); errhandler_of_new() sets its kind and handle
};

}  // namespace antiphon::api
