// Communicators: MPI 5.0, chapter 7, and their error handlers, 9.3.
#include <algorithm>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/handles.hpp"
#include "objects/group_operations.hpp"

namespace antiphon::api {

using objects::Comm;

void comm_rank(Process&, Comm& comm, int* rank) {
  check::not_null(rank, "rank");
  *rank = comm.rank();
}

void comm_size(Process&, Comm& comm, int* size) {
  check::not_null(size, "size");
  *size = comm.size();
}

void comm_test_inter(Process&, Comm& comm, int* flag) {
  check::not_null(flag, "flag");
  *flag = comm.is_inter() ? 1 : 0;
}

void comm_remote_size(Process&, Comm& comm, int* size) {
  check::not_null(size, "size");
  check::intercommunicator("comm", comm);
  *size = comm.peers();
}

void comm_group(Process& process, Comm& comm, MPI_Group* group) {
  check::not_null(group, "group");
  *group = group_handle(process, comm.group_ref());
}

void comm_remote_group(Process& process, Comm& comm, MPI_Group* group) {
  check::not_null(group, "group");
  check::intercommunicator("comm", comm);
  *group = group_handle(process, comm.remote_group_ref());
}

void comm_compare(Process&, Comm& comm1, Comm& comm2, int* result) {
  check::not_null(result, "result");
  *result = abi::UNEQUAL;
  if (&comm1 == &comm2) {
    *result = abi::IDENT;
  } else if (comm1.is_inter() == comm2.is_inter()) {
    const auto local = objects::group_compare(comm1.group(), comm2.group());
    const auto remote = objects::group_compare(comm1.peer_group(), comm2.peer_group());
    if (const auto least = std::max(local, remote); least == objects::Likeness::identical)
      *result = abi::CONGRUENT;
    else if (least == objects::Likeness::similar)
      *result = abi::SIMILAR;
  }
}

void comm_free(Process& process, MPI_Comm* comm) {
  check::not_null(comm, "comm");
  const auto value = reinterpret_cast<std::uintptr_t>(*comm);
  if (!process.comms.find(value))
    Call::fail_handle(abi::ERR_COMM, "communicator", "MPI_COMM_NULL", abi::COMM_NULL, *comm, "comm");
  if (value < objects::kPredefinedHandles)
    base::fail(abi::ERR_COMM, fmt::format("{} cannot be freed", process.comms.find(value)->name()));
  process.end_comms();
  const auto alive = objects::Ref<objects::Comm>::share(*process.comms.find(value));
  try {
    alive->attributes().clear(value);
  } catch (base::Error& error) {
    throw OperationError{std::move(error), alive};
  }
  (void)process.buffered().detach(alive.get());
  // Operations under way hold the object; only the handle ends here.
  (void)process.comms.erase(value);
  *comm = MPI_COMM_NULL;
}

}  // namespace antiphon::api
