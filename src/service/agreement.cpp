#include "service/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abi/constants.hpp"
#include "base/error.hpp"

namespace antiphon::service {

namespace {

void check(const pt2pt::ReceiveRequest& message, std::size_t bytes) {
  if (message.outcome.error == 0 && message.outcome.bytes == static_cast<std::int64_t>(bytes)) return;
  base::fail(abi::ERR_OTHER,
             fmt::format("got a message from rank {} of {} that does not belong to this call: do all its processes "
                         "call the same collective procedures in the same order?",
                         message.outcome.source, message.comm().name()));
}

}  // namespace

Agreement::Agreement(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn) : tools_(tools) {
  find_neighbors(circle);
  if (up_)
    await_offer();
  else
    propose(drawn ? std::move(*drawn) : tools_.contexts.draw());
}

void Agreement::find_neighbors(const Circle& circle) {
  Comm& comm = circle.comm;
  const int size = circle.members ? circle.members->size() : comm.size();
  const coll::CommView tree = coll::CommView{circle.my_place, size}.rooted_at(circle.leader);
  const auto link = [&](int place) {
    const int member = tree.absolute(place, circle.leader);
    const int rank = circle.members ? comm.group().rank_of(circle.members->world_rank(member)) : member;
    return Link{&comm, circle.context, circle.tag, rank};
  };
  int reach = 1;  // the lowest set bit of my place: those below me are nearer than that
  while (reach < size && (tree.rank & reach) == 0) reach *= 2;
  if (tree.rank != 0)
    up_ = link(tree.rank - reach);
  else if (circle.bridge && !circle.draws)
    up_ = circle.bridge;
  else if (circle.bridge)
    down_.push_back(*circle.bridge);
  for (int child = reach / 2; child > 0; child /= 2)
    if (tree.rank + child < size) down_.push_back(link(tree.rank + child));
}

bool Agreement::advance() {
  for (;;) {
    if (awaited_offer_) {
      if (!awaited_offer_->done()) return false;
      check(*awaited_offer_, sizeof offer_);
      awaited_offer_.reset();
      pass_on_offer();
    } else if (!votes_.empty() || !offer_.final) {
      if (!votes_are_in()) return false;
      conclude_vote();
    } else {
      return std::ranges::all_of(leaving_, [](const auto& request) { return request->done(); });
    }
  }
}

objects::ContextLease Agreement::take() {
  if (offer_.context == Contexts::kNone)
    base::fail(
        abi::ERR_OTHER,
        "the process that leads the new communicator leads as many already as there are numbers for: free some");
  return lease_.context() == offer_.context ? std::move(lease_) : tools_.contexts.take(offer_.context);
}

void Agreement::propose(Contexts::Drawn drawn) {
  lease_ = std::move(drawn.lease);
  offer_ = {lease_.context(), drawn.fresh ? 1u : 0u};
  pass_on_offer();
}

// Whoever got the last offer's answer has the last offer, so `offer_` is free to be written again by now.
void Agreement::pass_on_offer() {
  for (const Link& below : down_) send(&offer_, below);
  if (offer_.final) return;
  votes_.resize(down_.size());
  for (std::size_t i = 0; i < down_.size(); ++i) awaited_votes_.push_back(receive(&votes_[i], down_[i]));
}

void Agreement::await_offer() { awaited_offer_ = receive(&offer_, *up_); }

bool Agreement::votes_are_in() const {
  return std::ranges::all_of(awaited_votes_, [](const auto& request) { return request->done(); });
}

void Agreement::conclude_vote() {
  for (const auto& request : awaited_votes_) check(*request, sizeof(Offer));
  const bool free_below = std::ranges::all_of(votes_, [](const Offer& vote) { return vote.final != 0; });
  awaited_votes_.clear();
  votes_.clear();
  leaving_.clear();
  if (up_) {
    my_vote_ = {offer_.context, free_below && !tools_.contexts.in_use(offer_.context) ? 1u : 0u};
    send(&my_vote_, *up_);
    await_offer();
  } else if (free_below) {
    offer_.final = 1;
    pass_on_offer();
  } else {
    propose(tools_.contexts.draw());
  }
}

void Agreement::send(const void* what, const Link& to) {
  if (auto request = tools_.pt2pt.start_send({what, sizeof(Offer), to.rank, to.tag, *to.comm, to.context}))
    leaving_.push_back(std::move(request));
}

Ref<pt2pt::ReceiveRequest> Agreement::receive(void* where, const Link& from) {
  return tools_.pt2pt.start_receive({where, sizeof(Offer), from.rank, from.tag, *from.comm, from.context});
}

progress::WaitReason Agreement::reason() const {
  if (awaited_offer_) return pt2pt::PointToPoint::reason(*awaited_offer_);
  for (const auto& vote : awaited_votes_)
    if (!vote->done()) return pt2pt::PointToPoint::reason(*vote);
  for (const auto& message : leaving_)
    if (!message->done()) return pt2pt::PointToPoint::reason(*message);
  return {};
}

objects::ContextLease agree(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn) {
  Agreement agreement(tools, circle, std::move(drawn));
  tools.progress.wait([&] { return agreement.advance(); }, [&] { return agreement.reason(); });
  return agreement.take();
}

}  // namespace antiphon::service
