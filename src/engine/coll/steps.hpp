// How the steps of a plan are carried out: messages over point-to-point communication, copies, and reductions, the
// user's with no lock held. Shared by those who do so at once (Executor) and later (Replay).
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "engine/coll/meeting.hpp"
#include "engine/data/move.hpp"
#include "engine/data/place.hpp"
#include "engine/pt2pt/messages.hpp"

namespace antiphon::coll {

// What errors say after who sent or called what.
inline constexpr const char* kAdvice =
    "do all ranks call the same collective procedures, in the same order, with the same root, and counts and types "
    "that "
    "match?";

// A message that was begun. Empty if it was over at once.
struct Begun {
  objects::Ref<objects::Request> request;
  std::size_t expected = 0;  // bytes that a receive waits for
};

inline Begun begin_send(pt2pt::Messages& pt2pt, const Meeting& meeting, const Region& from, Peer to) {
  const Side& side = meeting.side(to);
  return {pt2pt.start_send({.buffer = from.at,
                            .bytes = from.bytes,
                            .destination = side.rank_of(to.rank),
                            .tag = side.tag,
                            .comm = *side.comm,
                            .space = side.space,
                            .scattered = from.scattered})};
}

inline Begun begin_receive(pt2pt::Messages& pt2pt, const Meeting& meeting, const Region& to, Peer from) {
  const Side& side = meeting.side(from);
  return {pt2pt.start_receive({.buffer = to.at,
                               .capacity = to.bytes,
                               .source = side.rank_of(from.rank),
                               .tag = side.tag,
                               .comm = *side.comm,
                               .space = side.space,
                               .scattered = to.scattered}),
          to.bytes};
}

// What went wrong with one that is done: that it failed, or brought less than all ranks have to agree on.
[[nodiscard, gnu::cold]] base::Error failure_of(const Begun& message, progress::Progress& progress);

// A rank that fails in a blocking collective says why, before others notice that it does not do its part, and they
// say the same. So the cause is known wherever the failure gets to.
[[gnu::cold]] void tell_cause(const objects::Comm& comm, std::string_view cause, progress::Progress& progress);
// What this rank says of its own mistake.
[[nodiscard, gnu::cold]] std::string said_of_itself(const objects::Comm& comm, const base::Error& failure);
// "rank 2 of MPI_COMM_WORLD `did`: ", and why, if it has said so; else what may be the matter.
[[nodiscard, gnu::cold]] std::string explained(int rank, const objects::Comm& comm, std::string_view did,
                                               progress::Progress& progress);

inline bool went_well(const Begun& message) {
  const objects::Request& request = *message.request;
  return request.outcome.error == 0 && (request.kind() != objects::Request::Kind::receive ||
                                        request.outcome.bytes == static_cast<std::int64_t>(message.expected));
}

// The bytes from `offset` on.
inline void copy(const Region& from, const Region& to, std::size_t offset, std::size_t bytes) {
  if (from.at == to.at) return;
  if (to.in_one_piece()) [[likely]]
    return data::pack_part(from.at, from.scattered, offset, to.at + offset, bytes);
  data::copy({from.at, from.scattered}, {to.at, to.scattered}, offset, bytes);
}
inline void copy(const Region& from, const Region& to) { copy(from, to, 0, from.bytes); }

// Whether the program goes on after an error. The library's own communicators have no error handler: an error there
// is one of the call that uses them.
inline bool survives_errors(const objects::Comm& comm) {
  using Action = objects::Errhandler::Action;
  const objects::Errhandler* const handler = comm.errhandler_ref().get();
  return handler && (handler->action() == Action::return_code || handler->action() == Action::call_user);
}

// What it means that the user's function of a reduction has thrown.
[[nodiscard, gnu::cold]] base::Error failure_of(const Reduction& reduction, const std::exception_ptr& thrown);

// A reduction that is carried out now: the user's code runs outside of the lane. Fails if that throws.
void reduce_unlocked(progress::Progress& progress, const Vector& left, const Vector& right, Reduction::Into into);
inline void reduce_now(progress::Progress& progress, const Vector& left, const Vector& right, Reduction::Into into) {
  if (left.reduction().runs_user_code()) [[unlikely]]
    return reduce_unlocked(progress, left, right, into);
  left.reduction()(left.first(), right.first(), left.elements(), into);
}
// The same in a blocking collective, whose other ranks are told if that fails.
inline void reduce_now(const objects::Comm& comm, progress::Progress& progress, const Vector& left,
                       const Vector& right, Reduction::Into into) {
  try {
    reduce_now(progress, left, right, into);
  } catch (const base::Error& failure) {
    tell_cause(comm, said_of_itself(comm, failure), progress);
    throw;
  }
}

}  // namespace antiphon::coll
