// What a process concludes from its environment, and what it checks before it believes it.
#include "bootstrap/bootstrap.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/foreign.hpp"

namespace antiphon::bootstrap {
namespace {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::string complaint(const Environment& variables) {
  try {
    discover(variables);
  } catch (const base::Error& error) {
    return error.message;
  }
  return "none";
}

// A job as mpiexec would have made it, with the descriptor a rank takes over.
struct Launched {
  NodeSegment segment = NodeSegment::create({.size = 3, .usable_cpus = 2}, MapExtent::header_and_slots);
  [[nodiscard]] Environment seen_by(int rank) const {
    return environment({{kJobFdVariable, std::to_string(dup(segment.fd()))}, {kRankVariable, std::to_string(rank)}});
  }
};

TEST(Discover, WithoutAnyLauncherIsAJobOfOne) {
  const Bootstrap found = discover(environment({}));
  EXPECT_EQ(found.job->rank(), 0);
  EXPECT_EQ(found.job->size(), 1);
  EXPECT_EQ(found.my_slot().pid.load(), getpid());
  *found.node->inboxes() = std::byte{1};
}

TEST(Discover, FindsTheJobOfMpiexecAndClaimsTheRank) {
  const Launched launched;
  const Bootstrap found = discover(launched.seen_by(2));
  EXPECT_EQ(found.job->rank(), 2);
  EXPECT_EQ(found.job->size(), 3);
  EXPECT_EQ(found.node->header().oversubscribed, 1U);
  EXPECT_EQ(launched.segment.slot(2).pid.load(), getpid());
}

TEST(Discover, SharesMemoryBetweenRanks) {
  const Launched launched;
  const Bootstrap sender = discover(launched.seen_by(0));
  const Bootstrap receiver = discover(launched.seen_by(2));
  const JobLayout& layout = sender.node->layout();
  const std::size_t last_of_inboxes = 3 * layout.inbox_bytes() - 1;
  sender.node->inboxes()[last_of_inboxes] = std::byte{42};
  EXPECT_EQ(receiver.node->inboxes()[last_of_inboxes], std::byte{42});
  EXPECT_EQ(*receiver.node->rings(), std::byte{0});
  const std::size_t last_of_rings = 3 * layout.rings_each() * layout.ring_bytes() - 1;
  sender.node->rings()[last_of_rings] = std::byte{43};
  EXPECT_EQ(receiver.node->rings()[last_of_rings], std::byte{43});
}

// Node 1 of two, which has ranks 1 and 3 of four.
struct LaunchedOnTwoNodes {
  const std::vector<Place> places{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const std::vector<std::string> names{"first", "second"};
  NodeSegment segment = NodeSegment::create(
      {.size = 2, .usable_cpus = 2, .node = 1, .places = places, .node_names = names}, MapExtent::header_and_slots);
  [[nodiscard]] Environment seen_by(int rank) const {
    return environment({{kJobFdVariable, std::to_string(dup(segment.fd()))}, {kRankVariable, std::to_string(rank)}});
  }
};

TEST(Discover, FindsAJobOfTwoNodes) {
  const LaunchedOnTwoNodes launched;
  const Bootstrap found = discover(launched.seen_by(3));
  EXPECT_EQ(found.job->rank(), 3);
  EXPECT_EQ(found.job->size(), 4);
  EXPECT_EQ(found.job->identity().universe_size, 4);
  EXPECT_EQ(found.rank_on_node(), 1U);
  EXPECT_EQ(launched.segment.slot(1).pid.load(), getpid());
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_EQ(found.job->place_of(rank), launched.places[static_cast<std::size_t>(rank)]);
  EXPECT_EQ(found.node->node_name(0), "first");
  EXPECT_EQ(found.node->node_name(1), "second");
  found.job->put("key", "value");
  EXPECT_EQ(found.job->find(3, "key"), "value");
  EXPECT_EQ(found.job->find(0, "key"), std::nullopt);  // of another node
}

TEST(Discover, RefusesARankOfAnotherNode) {
  const LaunchedOnTwoNodes launched;
  EXPECT_EQ(complaint(launched.seen_by(0)), "ANTIPHON_RANK=0 runs on node 0 of this job, and this is node 1");
}

TEST(Discover, RefusesARankThatIsTaken) {
  const Launched launched;
  const Bootstrap first = discover(launched.seen_by(1));
  EXPECT_NE(complaint(launched.seen_by(1)).find("rank 1 of this job is process"), std::string::npos);
}

TEST(Discover, RefusesARankOutsideTheJob) {
  const Launched launched;
  EXPECT_NE(complaint(launched.seen_by(3)).find("not a rank of this job of 3 (valid: 0 to 2)"), std::string::npos);
  EXPECT_NE(complaint(launched.seen_by(-1)).find("(valid: 0 to 2)"), std::string::npos);
}

TEST(Discover, RefusesADescriptorThatIsNoJobSegment) {
  const auto seen = [](int fd) { return environment({{kJobFdVariable, std::to_string(fd)}, {kRankVariable, "0"}}); };
  EXPECT_NE(complaint(seen(open("/dev/null", O_RDONLY))).find("is too short"), std::string::npos);
  const int other = memfd_create("other", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(other, 1 << 20), 0);
  EXPECT_NE(complaint(seen(other)).find("holds something else"), std::string::npos);
  close(other);
  EXPECT_NE(complaint(seen(999)).find("neither here nor in any parent"), std::string::npos);
}

TEST(Discover, RefusesASegmentOfAnotherVersion) {
  const Launched launched;
  launched.segment.header().layout_version += 1;
  EXPECT_NE(complaint(launched.seen_by(0)).find("different versions of Antiphon"), std::string::npos);
}

TEST(Discover, RefusesHalfAnEnvironment) {
  EXPECT_NE(complaint(environment({{kRankVariable, "1"}})).find("ANTIPHON_JOB_FD"), std::string::npos);
  EXPECT_NE(complaint(environment({{kJobFdVariable, "x"}, {kRankVariable, "1"}})).find("'x' is not a number"),
            std::string::npos);
}

TEST(Discover, ObeysTheWishToBeASingleton) {
  const Launched launched;
  EXPECT_EQ(discover(environment({{kSingletonVariable, "1"}, {"PMI_SIZE", "4"}})).job->size(), 1);
}

TEST(ForeignLauncher, IsRecognizedByItsMarksWhenThereIsMoreThanOneProcess) {
  const std::map<std::string, std::string> jobs[] = {
      {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}},
      {{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "job.1"}},
      {{"OMPI_COMM_WORLD_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "1"}},
      {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}},
      {{"FLUX_TASK_RANK", "0"}, {"FLUX_JOB_SIZE", "2"}},
  };
  for (const auto& job : jobs) {
    const auto text = foreign_launcher(environment(job));
    ASSERT_TRUE(text) << job.begin()->first;
    EXPECT_NE(text->find("ANTIPHON_SINGLETON=1"), std::string::npos);
    EXPECT_NE(text->find("Antiphon's mpiexec"), std::string::npos);
  }
}

TEST(ForeignLauncher, IsToldWhatItLacks) {
  EXPECT_NE(
      complaint(environment({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}})).find("but not with a PMI socket (PMI_FD or"),
      std::string::npos);
  EXPECT_NE(
      complaint(environment({{"OMPI_COMM_WORLD_RANK", "0"}})).find("but not with a PMIx server (PMIX_NAMESPACE"),
      std::string::npos);
  EXPECT_NE(complaint(environment({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}}))
                .find("start the program by srun --mpi=pmix, srun --mpi=pmi2 or Antiphon's mpiexec"),
            std::string::npos);
  EXPECT_NE(
      complaint(environment({{"ALPS_APP_PE", "0"}})).find("whose protocol this version of Antiphon does not speak"),
      std::string::npos);
}

// Each of these processes cannot reach the launcher that it names, and says of which it thinks that it started it.
TEST(ForeignLauncher, IsTheInnerOneWhereOneStartsAnother) {
  using Variables = std::map<std::string, std::string>;
  const Variables hydra{{"PMI_FD", "9999"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "4"}};
  const Variables slurm{{"PMIX_NAMESPACE", "slurm.pmix.1.0"}, {"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}};
  const Variables prterun{{"PMIX_NAMESPACE", "prterun-1@1"}, {"PMIX_RANK", "0"}, {"PRTE_LAUNCHED", "1"}};
  const Variables open_mpi{{"PMIX_NAMESPACE", "123"}, {"PMIX_RANK", "0"}, {"OMPI_COMM_WORLD_RANK", "0"}};
  const auto inside = [](Variables inner, const Variables& outer) {
    inner.insert(outer.begin(), outer.end());
    return complaint(environment(inner));
  };
  EXPECT_NE(inside(hydra, {}).find("PMI_FD=9999"), std::string::npos);
  EXPECT_NE(inside(hydra, slurm).find("PMI_FD=9999"), std::string::npos);
  EXPECT_NE(inside(prterun, hydra).find("PMIX_NAMESPACE=prterun-1@1"), std::string::npos);
  EXPECT_NE(inside(open_mpi, hydra).find("PMIX_NAMESPACE=123"), std::string::npos);
  // Not one of its one daemon a node.
  EXPECT_NE(inside(prterun, slurm).find("PMIX_NAMESPACE=prterun-1@1"), std::string::npos);
  EXPECT_EQ(inside(slurm, {}), "none");  // a step of one task
}

TEST(ForeignLauncher, OfOneProcessAndTheShellOfABatchJobAreHarmless) {
  const std::map<std::string, std::string> jobs[] = {
      {},
      {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}, {"PMI_FD", "5"}},
      {{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "a"}},
      {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "64"}, {"SLURM_JOB_ID", "1"}},
      {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"PMIX_RANK", "0"}},
  };
  for (const auto& job : jobs) EXPECT_EQ(foreign_launcher(environment(job)), std::nullopt);
}

TEST(Segment, CannotBeResizedByARank) {
  const Launched launched;
  EXPECT_NE(ftruncate(launched.segment.fd(), 0), 0);
  EXPECT_NE(ftruncate(launched.segment.fd(), 1L << 40), 0);
}

TEST(AbortStatus, NeverLooksLikeSuccess) {
  EXPECT_EQ(exit_status_of_abort(0), 1);
  EXPECT_EQ(exit_status_of_abort(7), 7);
  EXPECT_EQ(exit_status_of_abort(256), 1);
  EXPECT_EQ(exit_status_of_abort(-1), 255);
}

}  // namespace
}  // namespace antiphon::bootstrap
