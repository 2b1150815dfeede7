// Which command starts the daemons.
#include <gtest/gtest.h>

#include <map>

#include "common/failure.hpp"
#include "mpiexec/launcher.hpp"

namespace antiphon::launch {
namespace {

using Words = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

LaunchCommand command(Launcher launcher, const Variables& variables, const std::string& exec = "") {
  JobOptions options;
  options.launcher = launcher;
  options.launcher_exec = exec;
  return launch_command(options, [&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

const Words kSsh{"ssh", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"};

TEST(Launcher, IsSshWhichGivesTheCommandToAShell) {
  EXPECT_EQ(command(Launcher::automatic, {}).words, kSsh);
  EXPECT_TRUE(command(Launcher::automatic, {}).has_shell);
}

TEST(Launcher, IsSrunInAnAllocationOfSlurmUnlessTheUserWantsSsh) {
  const Variables slurm{{"SLURM_JOB_ID", "7"}};
  for (const Launcher launcher : {Launcher::automatic, Launcher::slurm}) {
    EXPECT_EQ(command(launcher, slurm).words.front(), "srun");
    EXPECT_EQ(command(launcher, slurm).words.back(), "--nodelist");
    EXPECT_FALSE(command(launcher, slurm).has_shell);
  }
  EXPECT_EQ(command(Launcher::ssh, slurm).words, kSsh);
  EXPECT_EQ(command(Launcher::automatic, slurm, "/my/own").words, Words{"/my/own"});
}

TEST(Launcher, OfSlurmIsRefusedOutsideOfAnAllocation) {
  try {
    (void)command(Launcher::slurm, {});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_status, kExitUsage);
    EXPECT_EQ(failure.message.find("--launcher: slurm starts ranks within an allocation, and this is none"), 0U);
  }
}

TEST(Launcher, TakesWhatIsSetForAnotherMpiexec) {
  Words more = kSsh;
  more.insert(more.end(), {"-o", "ConnectionAttempts=10"});
  EXPECT_EQ(command(Launcher::automatic, {{"OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"}}).words, more);
  EXPECT_EQ(command(Launcher::automatic, {{"HYDRA_LAUNCH_EXTRA_ARGS", " -o  ConnectionAttempts=10 "}}).words, more);
  EXPECT_EQ(command(Launcher::automatic, {{"OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh"}}).words,
            Words{"/etc/mpi/kubexec.sh"});
}

}  // namespace
}  // namespace antiphon::launch
