// Communicators: MPI 5.0, chapter 7, and their error handlers, 9.3.
#include "api/attributes.hpp"
#include "api/call.hpp"
#include "api/check.hpp"
#include "service/comm_create.hpp"

namespace antiphon::api {

namespace {

MPI_Comm new_handle(Process& process, objects::Ref<objects::Comm> comm) {
  return reinterpret_cast<MPI_Comm>(process.comms.insert(std::move(comm)));
}

}  // namespace

void comm_rank(Process&, objects::Comm& comm, int* rank) {
  check::not_null(rank, "rank");
  *rank = comm.rank();
}

void comm_size(Process&, objects::Comm& comm, int* size) {
  check::not_null(size, "size");
  *size = comm.size();
}

void comm_dup(Process& process, objects::Comm& comm, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  auto made = service::comm_dup(process.coll(), process.contexts(), comm);
  const MPI_Comm handle = new_handle(process, made);
  copy_attributes(process.comms, comm, *made);
  *newcomm = handle;
}

void comm_split(Process& process, objects::Comm& comm, int color, int key, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  if (color < 0 && color != abi::UNDEFINED)
    base::fail(abi::ERR_ARG, fmt::format("color={} is not valid: 0 or more, or MPI_UNDEFINED", color));
  auto made = service::comm_split(process.coll(), process.contexts(), comm, color, key);
  *newcomm = made ? new_handle(process, std::move(made)) : MPI_COMM_NULL;
}

void comm_free(Process& process, MPI_Comm* comm) {
  check::not_null(comm, "comm");
  const auto value = reinterpret_cast<std::uintptr_t>(*comm);
  if (!process.comms.find(value))
    Call::fail_handle(abi::ERR_COMM, "communicator", "MPI_COMM_NULL", abi::COMM_NULL, *comm, "comm");
  if (value < objects::kPredefinedHandles)
    base::fail(abi::ERR_COMM, fmt::format("{} cannot be freed", process.comms.find(value)->name()));
  const auto alive = objects::Ref<objects::Comm>::share(*process.comms.find(value));
  try {
    alive->attributes().clear(value);
  } catch (base::Error& error) {
    throw OperationError{std::move(error), alive};
  }
  // Operations under way hold the object; only the handle ends here.
  (void)process.comms.erase(value);
  *comm = MPI_COMM_NULL;
}

}  // namespace antiphon::api
