// The processes that take part in one collective, and the communicators and tags of their messages. A value;
// communicators and groups must outlive it.
#pragma once

#include "engine/coll/sink.hpp"
#include "objects/comm.hpp"

namespace antiphon::coll {

// The tag of all blocking collectives. Their messages need no other, because messages between two processes keep
// their order.
inline constexpr std::int32_t kBlockingTag = 0;

// How one of the groups is reached.
struct Side {
  objects::Comm* comm = nullptr;
  objects::MessageSpace space;
  std::int32_t tag = kBlockingTag;
  const objects::Group* members = nullptr;  // some of the communicator's peers, in this order; null: all peers,
  int first = 0;                            // from this rank on

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

  // The communicator that the collective is on.
  [[nodiscard]] const objects::Comm& comm() const { return other.comm ? *other.comm : *own.comm; }
  [[nodiscard]] const Side& side(Peer peer) const { return peer.group == Group::own ? own : other; }
};

// All processes of a communicator.
inline Meeting everybody(objects::Comm& comm, std::int32_t tag = kBlockingTag) {
  if (!comm.is_inter()) [[likely]]
    return {{{comm.rank(), comm.size()}}, {&comm, comm.collective_space(), tag}};
  objects::Comm& local = comm.local();
  return {{{comm.rank(), comm.size()}, comm.peers()},
          {&local, local.collective_space(), tag},
          {&comm, comm.collective_space(), tag}};
}

}  // namespace antiphon::coll
