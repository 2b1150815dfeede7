// Constructors of intercommunicators: MPI 5.0, 7.6. The leaders exchange messages, and each sends the results down
// its group. In collectives of an intercommunicator, rank 0 of each group leads.
#pragma once

#include <optional>

#include "service/split.hpp"

namespace antiphon::service {

// The circle of all members of `comm`, for its collectives: both groups of an intercommunicator.
[[nodiscard]] Circle circle_of(Comm& comm, std::int32_t tag = coll::kBlockingTag);
// A communicator like `parent` but for its context.
[[nodiscard]] Ref<Comm> twin(const Comm& parent, objects::ContextLease context);

struct RemoteLeader {
  Comm& peer_comm;
  int rank;  // there
};
// `local` leads to the other group through its rank `local_leader`; only there `remote` is set.
[[nodiscard]] Ref<Comm> intercomm_create(Toolbox tools, Comm& local, int local_leader,
                                         const std::optional<RemoteLeader>& remote, std::int32_t tag);
// The groups one after the other, the one that says `high` last.
[[nodiscard]] Ref<Comm> intercomm_merge(Toolbox tools, Comm& inter, bool high);

// Of `mine`, a part of the local group, and what the other group names. Null outside of it, and where one is empty.
[[nodiscard]] Ref<Comm> intercomm_create_subset(Toolbox tools, Comm& inter, const Ref<Group>& mine);
[[nodiscard]] Ref<Comm> intercomm_split(Toolbox tools, Comm& inter, Color color, int key);

struct RemoteGroup {
  const Group& group;
  int leader;
};
// Without a parent, as comm_create_from_group. `remote` is set on the local leader only.
[[nodiscard]] Ref<Comm> intercomm_create_from_groups(Toolbox tools, Comm& assembly, const Ref<Group>& local,
                                                     int local_leader, const std::optional<RemoteGroup>& remote,
                                                     std::string_view stringtag,
                                                     const Ref<objects::Errhandler>& errhandler);

}  // namespace antiphon::service
