#include "service/agreement.hpp"

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "engine/coll/algorithms/bcast/knomial.hpp"
#include "engine/coll/algorithms/reduce/knomial.hpp"

namespace antiphon::service {

namespace {

using coll::across;
using coll::Region;

// The leader of two knows nobody but the other one there.
coll::Meeting meeting_of(const Circle& circle) {
  coll::Meeting meeting{.view = {{circle.my_place, circle.members ? circle.members->size() : circle.comm.size()}},
                        .own = {&circle.comm, circle.space, circle.tag, circle.members}};
  if (!circle.bridge) return meeting;
  meeting.view.others = 1;
  meeting.other = {circle.bridge->comm, circle.bridge->space, circle.bridge->tag, nullptr, circle.bridge->rank};
  return meeting;
}

// From the one who draws to everybody.
template <coll::Sink S>
void plan_offer(S& sink, const Region& offer, int leader, bool draws) {
  const coll::View view = sink.view();
  if (view.rank == leader && view.is_inter()) {
    if (draws)
      sink.send(offer, across(0));
    else
      sink.receive(offer, across(0));
    sink.fence();
  }
  coll::bcast::binomial(sink, view, offer, leader);
}

// From everybody to the one who draws.
template <coll::Sink S>
void plan_vote(S& sink, const coll::Vector& vote, int leader, bool draws) {
  const coll::View view = sink.view();
  coll::reduce::binomial(sink, view, {vote, vote}, leader);
  if (view.rank != leader || !view.is_inter()) return;
  if (!draws) {
    sink.send(vote.region(), across(0));
    return sink.fence();
  }
  const coll::Vector theirs = scratch_like(sink, vote, vote.elements());
  sink.receive(theirs.region(), across(0));
  sink.fence();
  sink.reduce(vote, theirs, coll::Reduction::Into::left);
}

}  // namespace

Negotiation::Negotiation(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn)
    : contexts_(tools.contexts),
      meeting_(meeting_of(circle)),
      leader_(circle.leader),
      draws_(circle.draws || !circle.bridge) {
  if (draws()) propose(drawn ? std::move(*drawn) : contexts_.draw());
}

template <coll::Sink S>
void Negotiation::plan(S& sink) {
  if (!voting_) return plan_offer(sink, {&offer_, sizeof offer_}, leader_, draws_);
  const auto unanimous = coll::Reduction::of(objects::Op::Kind::band, objects::Element::uint32, sizeof vote_);
  plan_vote(sink, {&vote_, 1, unanimous}, leader_, draws_);
}

bool Negotiation::conclude() {
  if (!voting_ && offer_.final) return true;
  voting_ = !voting_;
  if (voting_)
    vote_ = draws() || !contexts_.in_use(offer_.context) ? 1 : 0;
  else if (draws() && vote_ == 0)
    propose(contexts_.draw());
  else if (draws())
    offer_.final = 1;
  return false;
}

void Negotiation::propose(Contexts::Drawn drawn) {
  lease_ = std::move(drawn.lease);
  offer_ = {lease_.context(), drawn.fresh ? 1u : 0u};
}

objects::ContextLease Negotiation::take() {
  if (offer_.context == Contexts::kNone)
    base::fail(abi::ERR_OTHER,
               "the first process of the new communicator leads as many communicators as it has context ids: free "
               "some of them");
  return lease_.context() == offer_.context ? std::move(lease_) : contexts_.take(offer_.context);
}

Agreement::Agreement(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn)
    : tools_(tools), negotiation_(tools, circle, std::move(drawn)) {
  start();
}

bool Agreement::advance() {
  while (replay_->advance()) {
    if (negotiation_.conclude()) return true;
    start();
  }
  return false;
}

void Agreement::start() {
  coll::Recorder recorder(negotiation_.meeting().view);
  negotiation_.plan(recorder);
  replay_.reset();
  plan_ = recorder.take();
  replay_.emplace(tools_.pt2pt, tools_.progress, plan_, negotiation_.meeting());
}

objects::ContextLease agree(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn) {
  Negotiation negotiation(tools, circle, std::move(drawn));
  do {
    coll::Executor executor(tools.pt2pt, tools.progress, negotiation.meeting());
    negotiation.plan(executor);
  } while (!negotiation.conclude());
  return negotiation.take();
}

}  // namespace antiphon::service
