// Who takes part in one collective, and where they talk: how the peers of a plan are reached. A value; communicators
// and groups outlive it.
#pragma once

#include "engine/coll/sink.hpp"
#include "objects/comm.hpp"

namespace antiphon::coll {

// Of all blocking collectives: order within the collective messages does the rest.
inline constexpr std::int32_t kBlockingTag = 0;

// One of the groups, as a communicator reaches it.
struct Side {
  objects::Comm* comm = nullptr;
  objects::MessageSpace space;
  std::int32_t tag = kBlockingTag;
  const objects::Group* members = nullptr;  // a part of the communicator's peers, in this order; null: all of them,
  int first = 0;                            // or those from this rank on

  [[nodiscard]] int rank_of(int member) const {
    if (members) [[unlikely]]
      return comm->peer_group().rank_of(members->world_rank(member));
    return first + member;
  }
};

struct Meeting {
  View view;
  Side own;
  Side other{};

  // That it is a meeting of.
  [[nodiscard]] const objects::Comm& comm() const { return other.comm ? *other.comm : *own.comm; }
  [[nodiscard]] const Side& side(Peer peer) const { return peer.group == Group::own ? own : other; }
};

// All of a communicator.
inline Meeting everybody(objects::Comm& comm, std::int32_t tag = kBlockingTag) {
  if (!comm.is_inter()) [[likely]]
    return {{{comm.rank(), comm.size()}}, {&comm, comm.collective_space(), tag}};
  objects::Comm& local = comm.local();
  return {{{comm.rank(), comm.size()}, comm.peers()},
          {&local, local.collective_space(), tag},
          {&comm, comm.collective_space(), tag}};
}

}  // namespace antiphon::coll
