// Constructors of communicators that all members call: MPI 5.0, 7.4.2. Constructors that take any communicator
// make an intercommunicator from an intercommunicator. Arguments have been checked; a null Ref is MPI_COMM_NULL.
#pragma once

#include "service/split.hpp"

namespace antiphon::service {

// Same groups, same topology, new context.
[[nodiscard]] Ref<Comm> comm_dup(Toolbox tools, Comm& parent);

// `group` is a subset of the parent's own group. Members of it meet in the new communicator.
[[nodiscard]] Ref<Comm> comm_create(Toolbox tools, Comm& parent, const Ref<Group>& group);

// A communicator of `group`, each of whose members knows it whole, and nobody else needs to: intracommunicators only.
// `how` says in messages what it is.
[[nodiscard]] Ref<Comm> comm_of_members(Toolbox tools, Comm& parent, const Ref<Group>& group, const char* how,
                                        Ref<objects::Topology> topology = {});

// Called by the members of `group` only, who must all name the same tag.
[[nodiscard]] Ref<Comm> comm_create_group(Toolbox tools, Comm& parent, const Ref<Group>& group, std::int32_t tag);

// One communicator for each color, ranks ordered by key, then by rank in the parent. Null for abi::UNDEFINED.
[[nodiscard]] Ref<Comm> comm_split(Toolbox tools, Comm& parent, Color color, int key);

// Without a parent: `assembly` is a communicator of all processes that the user does not know. Two constructions at
// the same time must differ in group or in string.
[[nodiscard]] Ref<Comm> comm_create_from_group(Toolbox tools, Comm& assembly, const Ref<Group>& group,
                                               std::string_view stringtag, Ref<objects::Errhandler> errhandler);

// A tag for messages in the assembly's group or leader context.
[[nodiscard]] std::int32_t tag_of(std::string_view stringtag);

}  // namespace antiphon::service
