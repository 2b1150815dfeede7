// Handles for objects that a call has made.
#pragma once

#include "api/call.hpp"

namespace antiphon::api {

// Of a communicator that its members have agreed on, so this must not fail. MPI_COMM_NULL for none.
inline MPI_Comm comm_handle(Process& process, objects::Ref<objects::Comm> comm) {
  if (!comm) return MPI_COMM_NULL;
  process.progress().insist([&] { process.comms.make_room(); });
  return reinterpret_cast<MPI_Comm>(process.comms.insert(process.known_to_user(std::move(comm))));
}

// MPI_GROUP_EMPTY for whatever is.
inline MPI_Group group_handle(Process& process, objects::Ref<objects::Group> group) {
  return group->size() == 0 ? MPI_GROUP_EMPTY : reinterpret_cast<MPI_Group>(process.groups.insert(std::move(group)));
}

}  // namespace antiphon::api
