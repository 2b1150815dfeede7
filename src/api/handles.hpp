// Inserts objects that a call has created into the handle tables.
#pragma once

#include "api/call.hpp"

namespace antiphon::api {

// MPI_COMM_NULL for a null reference.
inline MPI_Comm comm_handle(Process& process, objects::Ref<objects::Comm> comm) {
  if (!comm) return MPI_COMM_NULL;
  return reinterpret_cast<MPI_Comm>(process.comms.insert(process.known_to_user(std::move(comm))));
}

// MPI_GROUP_EMPTY for every empty group.
inline MPI_Group group_handle(Process& process, objects::Ref<objects::Group> group) {
  return group->size() == 0 ? MPI_GROUP_EMPTY : reinterpret_cast<MPI_Group>(process.groups.insert(std::move(group)));
}

inline MPI_Request request_handle(Process& process, objects::Ref<objects::Request> request) {
  return reinterpret_cast<MPI_Request>(process.requests.insert(std::move(request)));
}

}  // namespace antiphon::api
