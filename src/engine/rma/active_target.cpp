#include "engine/rma/active_target.hpp"

#include <fmt/format.h>

#include <string>

#include "engine/packets.hpp"

namespace antiphon::rma {

using transport::PacketHeader;
using transport::Payload;

namespace {
constexpr std::uint32_t kNoArgument = 0;
}

ActiveTarget::ActiveTarget(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher,
                           coll::Collectives& coll, progress::Progress& progress)
    : one_sided_(one_sided), links_(links), coll_(coll), progress_(progress) {
  dispatcher.on<&ActiveTarget::on_posted>(packets::kPosted, *this);
  dispatcher.on<&ActiveTarget::on_completed>(packets::kCompleted, *this);
}

// Whoever leaves the barrier knows that all were in it, and thus had finished what they had begun before.
void ActiveTarget::fence(WindowState& state, int assertion) {
  state.may_fence();
  const bool all_done = one_sided_.finish_there(state);
  coll_.barrier(state.comm());
  state.fenced((assertion & abi::MODE_NOSUCCEED) == 0);
  if (!all_done) state.not_attached();
}

void ActiveTarget::post(WindowState& state, objects::Group& group, int assertion) {
  state.post(group);
  for (const int origin : state.origins()) {
    ++state.of(origin).completions;
    if ((assertion & abi::MODE_NOCHECK) == 0) tell(state, origin, Said::posted, Way::any);
  }
}

void ActiveTarget::start(WindowState& state, objects::Group& group, int assertion) {
  state.start(group);
  if ((assertion & abi::MODE_NOCHECK) != 0) return;
  for (const int target : state.targets()) await(state, target, Said::posted, ++state.of(target).posts);
}

void ActiveTarget::complete(WindowState& state) {
  state.may_complete();
  bool all_done = true;
  if (state.is_dynamic())
    all_done = one_sided_.finish_there(state);
  else
    one_sided_.finish_here(state);
  for (const int target : state.targets())
    tell(state, target, Said::completed, state.of(target).unconfirmed ? Way::behind_packets : Way::any);
  state.forget_unconfirmed();  // the packet says it
  state.completed();
  if (!all_done) state.not_attached();
}

void ActiveTarget::wait(WindowState& state) {
  state.may_wait();
  for (const int origin : state.origins()) await(state, origin, Said::completed, state.of(origin).completions);
  state.waited();
}

bool ActiveTarget::test(WindowState& state) {
  state.may_wait();
  const bool over = progress_.look([&] { return all_have_completed(state); });
  if (over) state.waited();
  return over;
}

void ActiveTarget::await(const WindowState& state, int rank, Said what, std::uint32_t count) {
  std::string name;
  progress_.wait([&] { return has_said(state, rank, what, count); },
                 [&] {
                   name = fmt::format("{} of rank {} in {}", what == Said::posted ? "post" : "complete", rank,
                                      state.window().title());
                   return progress::WaitReason{.communicator = name.c_str(), .peer = state.comm().world_rank(rank)};
                 });
}

// ---- both ways to say it

// What was put by packets may be on its way, and a word in memory would overtake it.
void ActiveTarget::tell(WindowState& state, int rank, Said what, Way way) {
  const WindowState::Target& member = one_sided_.find(state, rank);
  if (member.memory && way == Way::any) return tell_directly(state, member, what);
  links_.send_control(links_.to(state.comm().world_rank(rank)),
                      {.handler = what == Said::posted ? packets::kPosted : packets::kCompleted,
                       .context = state.comm().context(),
                       .source = state.rank()},
                      kNoArgument);
}

void ActiveTarget::on_posted(int, const PacketHeader& header, Payload) {
  if (const WindowState* const state = one_sided_.find_window(header.context))
    raise(state->control().count(header.source, Said::posted));
}

void ActiveTarget::on_completed(int, const PacketHeader& header, Payload) {
  if (const WindowState* const state = one_sided_.find_window(header.context))
    raise(state->control().count(header.source, Said::completed));
}

}  // namespace antiphon::rma
