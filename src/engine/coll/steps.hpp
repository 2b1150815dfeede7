// How the steps of a plan are carried out: messages by point-to-point communication, copies, and reductions; a user's
// function runs with no lock held. Used by Executor, at once, and by Replay, later.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "engine/coll/meeting.hpp"
#include "engine/data/move.hpp"
#include "engine/data/place.hpp"
#include "engine/pt2pt/messages.hpp"

namespace antiphon::coll {

// Errors end with this, after they have said which rank sent or called what.
inline constexpr const char* kAdvice =
    "do all ranks call the same collective procedures, in the same order, with the same root, and counts and types "
    "that "
    "match?";

// A message that has begun. The request is empty if the message was over at once.
struct Begun {
  objects::Ref<objects::Request> request;
  std::size_t expected = 0;  // bytes that a receive expects
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

// Why a message has failed: it has an error, or it brought another number of bytes than the receive expected.
[[nodiscard, gnu::cold]] base::Error failure_of(const Begun& message, progress::Progress& progress);

// A rank that fails in a blocking collective publishes why, before others notice that it does not do its part. They
// put the same cause into their own errors, and publish it in turn, so every rank that fails learns the original
// cause.
[[gnu::cold]] void tell_cause(const objects::Comm& comm, std::string_view cause, progress::Progress& progress);
// The cause that this rank publishes of its own failure.
[[nodiscard, gnu::cold]] std::string said_of_itself(const objects::Comm& comm, const base::Error& failure);
// "rank 2 of MPI_COMM_WORLD `did`: ", and the cause, if that rank has published it; otherwise advice.
[[nodiscard, gnu::cold]] std::string explained(int rank, const objects::Comm& comm, std::string_view did,
                                               progress::Progress& progress);

inline bool went_well(const Begun& message) {
  const objects::Request& request = *message.request;
  return request.outcome.error == 0 && (request.kind() != objects::Request::Kind::receive ||
                                        request.outcome.bytes == static_cast<std::int64_t>(message.expected));
}

// Copies `bytes` packed bytes, from `offset` on.
inline void copy(const Region& from, const Region& to, std::size_t offset, std::size_t bytes) {
  if (from.at == to.at) return;
  if (to.in_one_piece()) [[likely]]
    return data::pack_part(from.at, from.scattered, offset, to.at + offset, bytes);
  data::copy({from.at, from.scattered}, {to.at, to.scattered}, offset, bytes);
}
inline void copy(const Region& from, const Region& to) { copy(from, to, 0, from.bytes); }

// Whether the program continues after an error on this communicator. The library's own communicators have no error
// handler: an error there is reported by the call that uses them.
inline bool survives_errors(const objects::Comm& comm) {
  using Action = objects::Errhandler::Action;
  const objects::Errhandler* const handler = comm.errhandler_ref().get();
  return handler && (handler->action() == Action::return_code || handler->action() == Action::call_user);
}

// The error when the user's function of a reduction has thrown.
[[nodiscard, gnu::cold]] base::Error failure_of(const Reduction& reduction, const std::exception_ptr& thrown);

// Carries out a reduction at once; a user's function runs outside of the lane. Throws if that function throws.
void reduce_unlocked(progress::Progress& progress, const Vector& left, const Vector& right, Reduction::Into into);
inline void reduce_now(progress::Progress& progress, const Vector& left, const Vector& right, Reduction::Into into) {
  if (left.reduction().runs_user_code()) [[unlikely]]
    return reduce_unlocked(progress, left, right, into);
  left.reduction()(left.first(), right.first(), left.elements(), into);
}
// The same in a blocking collective: if it fails, publishes the cause for other ranks.
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
