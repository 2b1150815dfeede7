// Which hosts the environment names.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "common/failure.hpp"
#include "hosts/allocation.hpp"

namespace antiphon::launch {
namespace {

using Hosts = std::vector<HostSlots>;
using Variables = std::map<std::string, std::string>;

std::optional<Allocation> allocation(const Variables& variables) {
  return find_allocation([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string complaint(const Variables& variables) {
  try {
    (void)allocation(variables);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_status, kExitUsage);
    return failure.message;
  }
  return "";
}

// A file with this text, as long as it lives.
class File {
 public:
  explicit File(const std::string& text) : path_(testing::TempDir() + "allocation_test_hosts") {
    std::ofstream(path_) << text;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Allocation, IsNoneIfNothingNamesHosts) {
  EXPECT_FALSE(allocation({}));
  EXPECT_FALSE(allocation({{"SLURM_JOB_ID", "7"}, {"PBS_NODEFILE", ""}}));
}

TEST(Allocation, OfSlurmHasItsHostsAndTheirTasks) {
  const auto found = allocation({{"SLURM_JOB_NODELIST", "n[08-10],gpu1"},
                                 {"SLURM_TASKS_PER_NODE", "4(x2),3,1"},
                                 {"SLURM_JOB_CPUS_PER_NODE", "64(x4)"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->variable, "SLURM_JOB_NODELIST");
  EXPECT_EQ(found->hosts, (Hosts{{"n08", 4}, {"n09", 4}, {"n10", 3}, {"gpu1", 1}}));
}

TEST(Allocation, OfSlurmWithoutTasksHasAsManyAsCpus) {
  const auto found = allocation({{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_JOB_CPUS_PER_NODE", "8(x2)"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hosts, (Hosts{{"n1", 8}, {"n2", 8}}));
}

TEST(Allocation, OfPbsHasASlotForEachLineThatNamesTheHost) {
  const File file("n1\nn1\nn2\nn1\n");
  const auto found = allocation({{"PBS_NODEFILE", file.path()}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hosts, (Hosts{{"n1", 3}, {"n2", 0}}));
}

TEST(Allocation, OfLsfIsInAFileOrInAVariable) {
  const File file("n1\nn1\nn2\n");
  EXPECT_EQ(allocation({{"LSB_DJOB_HOSTFILE", file.path()}, {"LSB_MCPU_HOSTS", "x 9"}})->hosts,
            (Hosts{{"n1", 2}, {"n2", 0}}));
  EXPECT_EQ(allocation({{"LSB_MCPU_HOSTS", "n1 4 n2 2"}})->hosts, (Hosts{{"n1", 4}, {"n2", 2}}));
}

TEST(Allocation, OfGridEngineHasTheSlotsOfItsFile) {
  const File file("n1.site 4 all.q@n1 UNDEFINED\nn2.site 2 all.q@n2 UNDEFINED\n");
  EXPECT_EQ(allocation({{"PE_HOSTFILE", file.path()}})->hosts, (Hosts{{"n1.site", 4}, {"n2.site", 2}}));
}

TEST(Allocation, NamedForAnotherMpiexecComesFirst) {
  const File file("worker-0.job slots=2\nworker-1.job slots=2\n");
  const Hosts workers{{"worker-0.job", 2}, {"worker-1.job", 2}};
  for (const char* variable : {"HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile"})
    EXPECT_EQ(allocation({{variable, file.path()}, {"SLURM_JOB_NODELIST", "n1"}})->hosts, workers) << variable;
}

TEST(Allocation, MistakesNameTheVariable) {
  const File empty("# none\n");
  EXPECT_EQ(complaint({{"SLURM_JOB_NODELIST", "n[1-"}}).find("SLURM_JOB_NODELIST: 'n[1-' has a [ without its ]"), 0U);
  EXPECT_EQ(complaint({{"SLURM_JOB_NODELIST", "n1"}, {"SLURM_TASKS_PER_NODE", "many"}}),
            "SLURM_TASKS_PER_NODE: 'many' has 'many' where a number should be (valid: as in 4(x2),3)");
  EXPECT_EQ(complaint({{"SLURM_JOB_NODELIST", "n1"}, {"SLURM_JOB_CPUS_PER_NODE", "4(x"}}),
            "SLURM_JOB_CPUS_PER_NODE: '4(x' has '4(x' where a number should be (valid: as in 4(x2),3)");
  EXPECT_EQ(complaint({{"PBS_NODEFILE", "/no/such/file"}}).find("PBS_NODEFILE: '/no/such/file' cannot be read"), 0U);
  EXPECT_EQ(complaint({{"PBS_NODEFILE", empty.path()}}).find("PBS_NODEFILE: '" + empty.path() + "' names no host"),
            0U);
  EXPECT_EQ(complaint({{"LSB_MCPU_HOSTS", "n1 x"}}).find("LSB_MCPU_HOSTS: 'n1 x' has 'x' where a number should be"),
            0U);
}

}  // namespace
}  // namespace antiphon::launch
