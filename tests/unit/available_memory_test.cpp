// What is left to take, read from a made-up system.
#include "platform/linux/available_memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace antiphon::platform {
namespace {

class AvailableMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "antiphon-memory-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    write("/proc/meminfo", "MemTotal: 2000 kB\nMemFree: 10 kB\nMemAvailable: 1000 kB\n");
    write("/proc/self/cgroup", "12:cpu:/elsewhere\n0::/outer/inner\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + file).parent_path());
    std::ofstream(root_ + file) << text;
  }
  // A control group that has used 300,000 bytes, 100,000 of them for files.
  void limit(const std::string& group, const std::string& limit) const {
    const std::string folder = "/sys/fs/cgroup" + group;
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", "300000\n");
    write(folder + "/memory.stat", "anon 150000\ninactive_file 60000\nactive_file 40000\nshmem 50000\n");
  }
  std::string root_;
};

TEST_F(AvailableMemory, IsWhatTheKernelSaysWhereNothingElseLimitsIt) {
  EXPECT_EQ(available_memory(root_), 1'024'000u);
  limit("/outer/inner", "max");
  EXPECT_EQ(available_memory(root_), 1'024'000u);
}

TEST_F(AvailableMemory, IsWithinTheTightestGroup) {
  limit("/outer/inner", "900000");
  EXPECT_EQ(available_memory(root_), 700'000u);
  limit("/outer", "500000");
  EXPECT_EQ(available_memory(root_), 300'000u);
  limit("/outer", "100000");
  EXPECT_EQ(available_memory(root_), 0u);
}

TEST_F(AvailableMemory, IsWithinAGroupOfTheFirstVersion) {
  write("/proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/job\n");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "900000\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "300000\n");
  EXPECT_EQ(available_memory(root_), 600'000u);
}

TEST_F(AvailableMemory, IsUnlimitedWhereTheSystemDoesNotTell) {
  EXPECT_EQ(available_memory(root_ + "/nowhere"), SIZE_MAX);
}

TEST_F(AvailableMemory, IsKnownToHaveRunOutAsOftenAsTheKernelCounts) {
  EXPECT_EQ(memory_kills(root_), 0u);
  write("/sys/fs/cgroup/outer/inner/memory.events", "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n");
  EXPECT_EQ(memory_kills(root_), 2u);
  write("/proc/self/cgroup", "12:cpu:/elsewhere\n7:memory:/outer\n");
  EXPECT_EQ(memory_kills(root_), 0u);
  write("/sys/fs/cgroup/memory/outer/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  EXPECT_EQ(memory_kills(root_), 5u);
}

}  // namespace
}  // namespace antiphon::platform
