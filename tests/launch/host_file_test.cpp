// Files of hosts in the styles of other launchers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "common/failure.hpp"
#include "hosts/host_file.hpp"

namespace antiphon::launch {
namespace {

using Hosts = std::vector<HostSlots>;

const std::string& path() {
  static const std::string name = testing::TempDir() + "host_file_test." + std::to_string(getpid());
  return name;
}

Hosts read(const std::string& text) {
  std::ofstream(path()) << text;
  Hosts hosts;
  try {
    hosts = read_host_file("--hostfile", path());
  } catch (...) {
    std::remove(path().c_str());
    throw;
  }
  std::remove(path().c_str());
  return hosts;
}

std::string complaint(const std::string& text) {
  try {
    (void)read(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_status, kExitUsage);
    return failure.message;
  }
  return "";
}

TEST(HostFile, OfOpenMpiHasSlotsAndMaxSlots) {
  EXPECT_EQ(read("a slots=4\nb slots=2 max_slots=8\nc max-slots=3\nd\n"),
            (Hosts{{"a", 4}, {"b", 2, 8}, {"c", 0, 3}, {"d", 0}}));
}

TEST(HostFile, OfMpichHasSlotsAfterAColon) { EXPECT_EQ(read("a:4\nb\n"), (Hosts{{"a", 4}, {"b", 0}})); }

TEST(HostFile, OfMvapichAndLamHasCpuOrCount) { EXPECT_EQ(read("a cpu=4\nb count=2\n"), (Hosts{{"a", 4}, {"b", 2}})); }

TEST(HostFile, OfSlurmHasRangesAndSeveralHostsALine) {
  EXPECT_EQ(read("n[1-2],m:3\nk[08-09] slots=2"), (Hosts{{"n1"}, {"n2"}, {"m", 3}, {"k08", 2}, {"k09", 2}}));
}

TEST(HostFile, MayHaveCommentsBlankLinesAndLinesOfWindows) {
  EXPECT_EQ(read("# all of them\n\n  a slots=2   # the first\n\t\nb\r\nfd00::1 slots=2\n"),
            (Hosts{{"a", 2}, {"b"}, {"fd00::1", 2}}));
}

TEST(HostFile, MistakesNameTheLine) {
  const std::string in = " of " + path() + ": ";
  EXPECT_EQ(complaint("a\nb slots=x\n"),
            "--hostfile: line 2" + in + "'x' is not a number of slots (valid: slots=1 and more)");
  EXPECT_EQ(complaint("a max-slots=0\n"),
            "--hostfile: line 1" + in + "'0' is not a number of slots (valid: max_slots=1 and more)");
  EXPECT_EQ(complaint("\na b\n"),
            "--hostfile: line 2" + in + "'b' is unknown after a host (valid: slots=N, max_slots=N)");
  EXPECT_EQ(complaint("a slots\n"),
            "--hostfile: line 1" + in + "'' is not a number of slots (valid: slots=1 and more)");
  EXPECT_EQ(complaint("n[1-\n").find("--hostfile: line 1" + in + "'n[1-' has a [ without its ]"), 0U);
  EXPECT_EQ(complaint("# nothing\n").find("--hostfile: '" + path() + "' names no host (valid: "), 0U)
      << complaint("# nothing\n");
}

}  // namespace
}  // namespace antiphon::launch
