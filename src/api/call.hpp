// One call of an MPI procedure, on the stack of its entry point: resolves handles, naming the argument when one is
// bad, and is the single place where an error on its way to the user is caught and given to an error handler
// (MPI 5.0, 9.3). Resolve first the object whose error handler applies.
#pragma once

#include "api/address.hpp"
#include "api/bodies.hpp"
#include "api/current.hpp"
#include "api/user_errhandler.hpp"
#include "base/error.hpp"
#include "base/memory_reserve.hpp"

namespace antiphon::api {

// The failure of something on `object`, met by a call that does not name it, or names it by the address of its
// handle, or would have made it.
struct OperationError : base::Error {
  objects::Ref<objects::ErrorScope> object;
};

// For a call in a child that the process has forked.
[[noreturn, gnu::cold]] void fail_in_child();

// What the user gets for `error` in `procedure`: a code that stands for the whole sentence. `object`: where it
// happened, or null.
[[nodiscard, gnu::cold]] int code_for_user(const base::Error& error, const char* procedure,
                                           const objects::ErrorScope* object) noexcept;

class Call {
 public:
  // Of a procedure whose body takes the lane itself, once it needs it (api/short.cpp).
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

  // Fails with ERR_OTHER while neither MPI_Init nor a session keeps MPI up. Not for procedures that any thread may
  // call at any time, whatever the thread level, such as those of infos (MPI 5.0, 11.6): they must leave the process
  // alone.
  Process& process() {
    if (!process_) [[unlikely]]
      fail_outside_mpi();
    if (has_lane_) process_->call().procedure = procedure_;
    return *process_;
  }
  // For a procedure that begins something: fails with ERR_NO_MEM, before it has any effect, while there is no memory
  // to end that with.
  static void needs_memory() {
    if (base::memory_reserve.lacks_pieces()) [[unlikely]]
      fill_reserve();
  }
  // For a call that came from outside MPI and has brought it up.
  void enter(Process& process) {
    if (process_) return;
    process_ = &process;
    take_lane();
    process_->call().procedure = procedure_;
  }

  // Where one status or several go, if anywhere: known before anything happens.
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
  // A second communicator leaves errors to the first.
  objects::Comm* comm_or_null(MPI_Comm handle, const char* argument) {
    if (reinterpret_cast<std::uintptr_t>(handle) == abi::COMM_NULL) return nullptr;
    objects::ErrorScope* const first = scope_;
    objects::Comm* found = &comm(handle, argument);
    if (first) scope_ = first;
    return found;
  }
  // Sessions can be named by calls that are valid outside MPI, when there is none.
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
  // There are no files yet: what is not MPI_FILE_NULL fails, on that one's error handler.
  objects::File* file_or_null(MPI_File handle, const char* argument) {
    scope_ = &process_->no_file();
    if (reinterpret_cast<std::uintptr_t>(handle) != abi::FILE_NULL) [[unlikely]]
      fail_handle(abi::ERR_FILE, "file", "MPI_FILE_NULL", abi::FILE_NULL, handle, argument);
    return nullptr;
  }
  objects::Datatype& datatype(MPI_Datatype handle, const char* argument) {
    objects::Datatype* found = process_->datatypes.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, handle, argument);
    return *found;
  }
  // For a message to or from `peer`: with MPI_PROC_NULL nothing is transferred, and MPI_DATATYPE_NULL will do.
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
  // That of an object which the call is about to make: errors of the call go there, too (MPI 5.0, 7.4.2, 11.3.1).
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
  // In a catch clause: finds what the error handler is and what it has to be told. Ends the job if it is fatal.
  [[gnu::cold]] void fail();
  // The same of a collective that blocks, or does not, in which others may wait for this rank: tells who asks why.
  [[gnu::cold]] void fail_in_collective();
  [[gnu::cold]] void fail_in_later_collective();
  // After the catch clause: runs the user's error handler, if it is one, which may leave by longjmp. What the entry
  // point returns.
  [[gnu::cold]] int raise();
  // What is wrong with a handle that its table does not know.
  [[noreturn, gnu::cold]] static void fail_handle(int error_class, const char* kind, const char* null_name,
                                                  std::uintptr_t null_value, const void* handle,
                                                  const char* argument);

 private:
  // Null: not of one whose members are known to wait for each other.
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
  objects::ErrorScope* scope_ = nullptr;                    // whose error handler applies, if the call has one
  const objects::Errhandler* errhandler_of_new_ = nullptr;  // applies if there is no such object
  UserErrhandler raised_;                                   // set by fail(), but for what the object to be made is
};

}  // namespace antiphon::api
