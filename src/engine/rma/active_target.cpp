#include "engine/rma/active_target.hpp"

#include <algorithm>

namespace antiphon::rma {

using objects::Ref;

namespace {

// Tags in the window's communicator.
constexpr std::int32_t kPosted = 1, kCompleted = 2;

}  // namespace

// Whoever leaves the barrier knows that all were in it, and thus had finished what they had begun before.
void ActiveTarget::fence(WindowState& state, int assertion) {
  state.may_fence();
  const bool all_done = one_sided_.finish_there(state);
  coll_.barrier(state.comm());
  state.fenced((assertion & abi::MODE_NOSUCCEED) == 0);
  if (!all_done) state.not_attached();
}

void ActiveTarget::tell_all(const WindowState& state, const std::vector<int>& ranks, std::int32_t what) {
  objects::Comm& comm = state.comm();
  std::vector<Ref<pt2pt::SendRequest>> leaving;
  for (const int rank : ranks)
    if (auto request = pt2pt_.start_send({nullptr, 0, rank, what, comm, comm.user_space()}))
      leaving.push_back(std::move(request));
  for (const Ref<pt2pt::SendRequest>& request : leaving) progress_.wait(*request);
}

void ActiveTarget::expect_from_all(const WindowState& state, const std::vector<int>& ranks, std::int32_t what,
                                   WindowState::Expected* expected) {
  objects::Comm& comm = state.comm();
  expected->clear();
  for (const int rank : ranks)
    expected->emplace_back(pt2pt_.start_receive({nullptr, 0, rank, what, comm, comm.user_space()}));
}

void ActiveTarget::post(WindowState& state, const objects::Group& group, int assertion) {
  state.post(group);
  expect_from_all(state, state.origins(), kCompleted, &state.completions());
  if ((assertion & abi::MODE_NOCHECK) == 0) tell_all(state, state.origins(), kPosted);
}

void ActiveTarget::start(WindowState& state, const objects::Group& group, int assertion) {
  state.start(group);
  if ((assertion & abi::MODE_NOCHECK) != 0) return;
  expect_from_all(state, state.targets(), kPosted, &state.permissions());
  for (const Ref<objects::Request>& posted : state.permissions()) progress_.wait(*posted);
  state.permissions().clear();
}

void ActiveTarget::complete(WindowState& state) {
  state.may_complete();
  bool all_done = true;
  if (state.is_dynamic())
    all_done = one_sided_.finish_there(state);
  else
    one_sided_.finish_here(state);
  state.forget_unconfirmed();  // the message says it
  state.completed();
  tell_all(state, state.targets(), kCompleted);
  if (!all_done) state.not_attached();
}

void ActiveTarget::wait(WindowState& state) {
  state.may_wait();
  for (const Ref<objects::Request>& completed : state.completions()) progress_.wait(*completed);
  state.waited();
}

bool ActiveTarget::test(WindowState& state) {
  state.may_wait();
  const bool over = progress_.look(
      [&] { return std::ranges::all_of(state.completions(), [](const auto& each) { return each->done(); }); });
  if (over) state.waited();
  return over;
}

}  // namespace antiphon::rma
