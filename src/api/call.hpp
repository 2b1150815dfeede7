// One call of an MPI procedure, on the stack of its entry point: resolves handles, naming the argument when one is
// bad, and is the single place where an error on its way to the user is caught and given to an error handler
// (MPI 5.0, 9.3). Resolve first the object whose error handler applies.
#pragma once

#include "api/bodies.hpp"
#include "api/current.hpp"
#include "base/error.hpp"

namespace antiphon::api {

// The failure of an operation that was started on `comm`, met by a call that names no communicator.
struct OperationError : base::Error {
  objects::Comm* comm;
};

class Call {
 public:
  explicit Call(const char* procedure) : procedure_(procedure), process_(current.process) {
    if (process_) [[likely]] {
      process_->lane().lock();
      process_->call().procedure = procedure;
    }
  }
  ~Call() {
    if (process_) [[likely]]
      process_->lane().unlock();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Fails with ERR_OTHER before MPI_Init and after MPI_Finalize.
  Process& process() {
    if (current.phase != Phase::running) [[unlikely]]
      fail_outside_mpi();
    return *process_;
  }
  [[nodiscard]] const char* procedure() const { return procedure_; }

  objects::Comm& comm(MPI_Comm handle, const char* argument) {
    objects::Comm* found = process_->comms.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_COMM, "communicator", "MPI_COMM_NULL", abi::COMM_NULL, handle, argument);
    comm_ = found;
    return *found;
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
  objects::Errhandler& errhandler(MPI_Errhandler handle, const char* argument) {
    objects::Errhandler* found = process_->errhandlers.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found) [[unlikely]]
      fail_handle(abi::ERR_ERRHANDLER, "error handler", "MPI_ERRHANDLER_NULL", abi::ERRHANDLER_NULL, handle,
                  argument);
    return *found;
  }

  static int succeed() { return MPI_SUCCESS; }
  // To be called in a catch clause: what the entry point returns, if the error handler lets it return.
  [[gnu::cold]] int fail();
  // What is wrong with a handle that its table does not know.
  [[noreturn, gnu::cold]] static void fail_handle(int error_class, const char* kind, const char* null_name,
                                                  std::uintptr_t null_value, const void* handle,
                                                  const char* argument);

 private:
  [[noreturn, gnu::cold]] void fail_outside_mpi();
  [[noreturn, gnu::cold]] void end_job(const base::Error& error);

  const char* procedure_;
  process::Process* process_;
  objects::Comm* comm_ = nullptr;  // whose error handler applies, if the call has one
};

}  // namespace antiphon::api
