// Generalized requests: operations that the program itself carries out (MPI 5.0, 13.2). The user's callbacks run
// without a lock, so they may call MPI. The handle holds one reference, and the pending MPI_Grequest_complete
// another; the request ends when both are gone.
#pragma once

#include "mpi.h"
#include "objects/request.hpp"
#include "process/process.hpp"

namespace antiphon::api {

class Generalized final : public objects::Request {
 public:
  struct Callbacks {
    MPI_Grequest_query_function* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* extra_state;
  };
  explicit Generalized(const Callbacks& callbacks) : Request(Kind::generalized, {}), callbacks_(callbacks) {}

  struct Answer {
    MPI_Status status;
    int error = MPI_SUCCESS;
    const char* failed = "";  // which of the functions
  };
  // The status of the operation, which is complete; with `ends`, what its state was is freed.
  [[nodiscard]] Answer ask(process::Process& process, bool ends);
  // What the functions return.
  [[nodiscard]] int free(process::Process& process);
  [[nodiscard]] int cancel(process::Process& process);

  // MPI_Request_free while the operation is under way: the handle lives on until MPI_Grequest_complete, which the
  // program calls with a copy of it.
  [[nodiscard]] bool is_freed() const { return is_freed_; }
  void set_freed() { is_freed_ = true; }

 private:
  Callbacks callbacks_;
  bool is_freed_ = false;
};

// MPI_Request_free of a generalized request.
void free_generalized(process::Process& process, MPI_Request* request);

}  // namespace antiphon::api
