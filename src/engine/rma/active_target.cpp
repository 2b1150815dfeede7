#include "engine/rma/active_target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "objects/group_operations.hpp"

namespace antiphon::rma {

using objects::Epochs;
using objects::Ref;
using objects::Window;
using Access = Epochs::Access;
using Exposure = Epochs::Exposure;

namespace {

// Tags in the window's communicator.
constexpr std::int32_t kPosted = 1, kCompleted = 2;

[[noreturn, gnu::cold]] void out_of_order(const Window& window, const char* what) {
  base::fail(abi::ERR_RMA_SYNC, fmt::format("{}: {}", window.title(), what));
}

// By rank in the window.
std::vector<int> ranks_of(const Window& window, const objects::Group& group) {
  const objects::RankIndex members(window.comm().group());
  std::vector<int> ranks;
  for (int rank = 0; rank < group.size(); ++rank) {
    ranks.push_back(members.rank_of(group.world_rank(rank)));
    if (ranks.back() < 0)
      base::fail(abi::ERR_GROUP, fmt::format("rank {} of group is rank {} of MPI_COMM_WORLD, which is not in {}",
                                             rank, group.world_rank(rank), window.title()));
  }
  return ranks;
}

[[noreturn, gnu::cold]] void not_attached(const Window& window) {
  base::fail(abi::ERR_RMA_RANGE,
             fmt::format("{}: an operation reached for memory that its target has not attached", window.title()));
}

// Post and start may follow a fence that turns out to have begun nothing.
bool fence_in_use(const Epochs& epochs) { return epochs.access == Access::fence && epochs.fence_used; }

void need_no_epoch(const Window& window) {
  const Epochs& epochs = window.epochs();
  if (epochs.access == Access::start) out_of_order(window, "MPI_Win_complete has to end what MPI_Win_start began");
  if (epochs.exposure == Exposure::post) out_of_order(window, "MPI_Win_wait has to end what MPI_Win_post began");
}

}  // namespace

void ActiveTarget::need_access(Window& window, int target) {
  if (window.epochs().try_access(target)) [[likely]]
    return;
  if (window.epochs().access == Access::none)
    out_of_order(window, "there is no access epoch: MPI_Win_fence or MPI_Win_start begins one");
  base::fail(abi::ERR_RMA_SYNC, fmt::format("target_rank={} is not in the group that MPI_Win_start was given for {}",
                                            target, window.title()));
}

void ActiveTarget::need_end(const Window& window) {
  need_no_epoch(window);
  if (fence_in_use(window.epochs())) out_of_order(window, "MPI_Win_fence has to end the epoch that it began");
}

// Whoever leaves the barrier knows that all were in it, and thus had finished what they had begun before.
void ActiveTarget::fence(Window& window, int assertion) {
  need_no_epoch(window);
  Epochs& epochs = window.epochs();
  const bool all_done = one_sided_.finish_there(window);
  coll_.barrier(window.comm());
  const bool more = (assertion & abi::MODE_NOSUCCEED) == 0;
  epochs.access = more ? Access::fence : Access::none;
  epochs.exposure = more ? Exposure::fence : Exposure::none;
  epochs.fence_used = false;
  if (!all_done) not_attached(window);
}

void ActiveTarget::tell_all(Window& window, const std::vector<int>& ranks, std::int32_t what) {
  objects::Comm& comm = window.comm();
  std::vector<Ref<pt2pt::SendRequest>> leaving;
  for (const int rank : ranks)
    if (auto request = pt2pt_.start_send({nullptr, 0, rank, what, comm, comm.context()}))
      leaving.push_back(std::move(request));
  for (const Ref<pt2pt::SendRequest>& request : leaving) pt2pt_.wait(*request);
}

std::vector<Ref<objects::Request>> ActiveTarget::expect_from_all(Window& window, const std::vector<int>& ranks,
                                                                 std::int32_t what) {
  objects::Comm& comm = window.comm();
  std::vector<Ref<objects::Request>> expected;
  for (const int rank : ranks)
    expected.emplace_back(pt2pt_.start_receive({nullptr, 0, rank, what, comm, comm.context()}));
  return expected;
}

void ActiveTarget::post(Window& window, const objects::Group& group, int assertion) {
  Epochs& epochs = window.epochs();
  if (epochs.exposure == Exposure::post) out_of_order(window, "MPI_Win_post was called before, without MPI_Win_wait");
  if (fence_in_use(epochs)) out_of_order(window, "MPI_Win_fence has to end the epoch that it began");
  const std::vector<int> origins = ranks_of(window, group);
  epochs.completions = expect_from_all(window, origins, kCompleted);
  epochs.exposure = Exposure::post;
  if (epochs.access == Access::fence) epochs.access = Access::none;
  if ((assertion & abi::MODE_NOCHECK) == 0) tell_all(window, origins, kPosted);
}

void ActiveTarget::start(Window& window, const objects::Group& group, int assertion) {
  Epochs& epochs = window.epochs();
  if (epochs.access == Access::start)
    out_of_order(window, "MPI_Win_start was called before, without MPI_Win_complete");
  if (fence_in_use(epochs)) out_of_order(window, "MPI_Win_fence has to end the epoch that it began");
  epochs.targets = ranks_of(window, group);
  epochs.access = Access::start;
  if (epochs.exposure == Exposure::fence) epochs.exposure = Exposure::none;
  if ((assertion & abi::MODE_NOCHECK) != 0) return;
  for (const Ref<objects::Request>& posted : expect_from_all(window, epochs.targets, kPosted)) pt2pt_.wait(*posted);
}

void ActiveTarget::complete(Window& window) {
  Epochs& epochs = window.epochs();
  if (epochs.access != Access::start) out_of_order(window, "MPI_Win_start begins what MPI_Win_complete ends");
  bool all_done = true;
  if (window.flavor() == Window::Flavor::dynamic)
    all_done = one_sided_.finish_there(window);
  else
    one_sided_.finish_here(window);
  epochs.unconfirmed.clear();  // the message says it
  epochs.access = Access::none;
  tell_all(window, epochs.targets, kCompleted);
  if (!all_done) not_attached(window);
}

void ActiveTarget::wait(Window& window) {
  Epochs& epochs = window.epochs();
  if (epochs.exposure != Exposure::post) out_of_order(window, "MPI_Win_post begins what MPI_Win_wait ends");
  for (const Ref<objects::Request>& completed : epochs.completions) pt2pt_.wait(*completed);
  epochs.completions.clear();
  epochs.exposure = Exposure::none;
}

bool ActiveTarget::test(Window& window) {
  Epochs& epochs = window.epochs();
  if (epochs.exposure != Exposure::post) out_of_order(window, "MPI_Win_post begins what MPI_Win_test may end");
  const bool over = progress_.look(
      [&] { return std::ranges::all_of(epochs.completions, [](const auto& each) { return each->done(); }); });
  if (!over) return false;
  epochs.completions.clear();
  epochs.exposure = Exposure::none;
  return true;
}

}  // namespace antiphon::rma
