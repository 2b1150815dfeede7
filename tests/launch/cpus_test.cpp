#include "node/cpus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace antiphon::launch {
namespace {

// A file system with just the files that tell the quota.
class FakeRoot {
 public:
  FakeRoot() {
    std::string pattern = ::testing::TempDir() + "antiphon-cpus-XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~FakeRoot() { std::filesystem::remove_all(root_); }

  FakeRoot& file(const std::string& path, const std::string& text) {
    const std::filesystem::path full = root_.string() + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
    return *this;
  }
  [[nodiscard]] double quota() const { return read_cpu_quota(root_.string()); }

 private:
  std::filesystem::path root_;
};

constexpr const char* kV2Mount = "30 1 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
constexpr const char* kV1Mount = "33 30 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";

TEST(CpuQuota, IsInfiniteWhereNothingLimitsIt) {
  EXPECT_TRUE(std::isinf(FakeRoot{}.quota()));
  EXPECT_TRUE(std::isinf(FakeRoot{}
                             .file("/proc/self/mountinfo", kV2Mount)
                             .file("/proc/self/cgroup", "0::/a\n")
                             .file("/sys/fs/cgroup/a/cpu.max", "max 100000\n")
                             .quota()));
}

TEST(CpuQuota, OfVersion2IsTheLeastOfAllAncestors) {
  FakeRoot root;
  root.file("/proc/self/mountinfo", kV2Mount)
      .file("/proc/self/cgroup", "0::/outer/inner\n")
      .file("/sys/fs/cgroup/outer/cpu.max", "150000 100000\n")
      .file("/sys/fs/cgroup/outer/inner/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(root.quota(), 1.5);
}

TEST(CpuQuota, OfVersion1IsReadFromItsTwoFiles) {
  FakeRoot root;
  root.file("/proc/self/mountinfo", kV1Mount)
      .file("/proc/self/cgroup", "5:memory:/m\n3:cpu,cpuacct:/job\n")
      .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
      .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
      .file("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "250000\n")
      .file("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(root.quota(), 2.5);
}

TEST(CpuQuota, InAContainerCountsFromTheGroupThatIsMounted) {
  FakeRoot root;
  root.file("/proc/self/mountinfo", "30 1 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
      .file("/proc/self/cgroup", "0::/docker/abc\n")
      .file("/sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_DOUBLE_EQ(root.quota(), 3.0);
}

TEST(CpuLimits, AreTheCpusetOrTheQuotaRoundedUpWhicheverIsLess) {
  EXPECT_EQ((CpuLimits{.allowed = {0, 1, 2, 3}}.usable()), 4);
  EXPECT_EQ((CpuLimits{.allowed = {0, 1, 2, 3}, .quota = 1.5}.usable()), 2);
  EXPECT_EQ((CpuLimits{.allowed = {0, 1}, .quota = 8}.usable()), 2);
  EXPECT_EQ((CpuLimits{.allowed = {}, .quota = 0.1}.usable()), 1);
}

TEST(CpuLimits, OfThisProcessAreAtLeastOneCpu) { EXPECT_GE(read_cpu_limits().usable(), 1); }

}  // namespace
}  // namespace antiphon::launch
