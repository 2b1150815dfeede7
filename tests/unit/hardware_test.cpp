// Where a thread may run, read from a made-up sysfs: two packages with a cache each, two cores in each, no second
// threads.
#include "platform/linux/hardware.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace antiphon::platform {
namespace {

class Hardware : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "antiphon-sysfs-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    for (int cpu = 0; cpu < 4; ++cpu) {
      const std::string package = cpu < 2 ? "0-1" : "2-3";
      const std::string self = std::to_string(cpu);
      write(cpu, "topology/package_cpus_list", package);
      write(cpu, "topology/core_cpus_list", self);
      write(cpu, "node" + std::to_string(cpu / 2) + "/cpulist", package);
      write(cpu, "cache/index0/level", "1");
      write(cpu, "cache/index0/type", "Instruction");
      write(cpu, "cache/index0/shared_cpu_list", "0-3");
      write(cpu, "cache/index1/level", "1");
      write(cpu, "cache/index1/type", "Data");
      write(cpu, "cache/index1/shared_cpu_list", self);
      write(cpu, "cache/index2/level", "3");
      write(cpu, "cache/index2/type", "Unified");
      write(cpu, "cache/index2/shared_cpu_list", package);
    }
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(int cpu, const std::string& file, const std::string& line) const {
    const std::filesystem::path path = root_ + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << line << '\n';
  }

  std::string root_;
};

constexpr std::nullopt_t kNone = std::nullopt;

TEST_F(Hardware, OfOneCpuIsKnownToTheLastPart) {
  // Machine, Package, NUMANode, L3Cache, L2Cache (there is none), L1Cache, Core, PU
  EXPECT_EQ(whereabouts({3}, root_), (Whereabouts{0, 2, 2, 2, kNone, 3, 3, 3}));
}

TEST_F(Hardware, OfSeveralCpusIsWhatTheyHaveInCommon) {
  EXPECT_EQ(whereabouts({0, 1}, root_), (Whereabouts{0, 0, 0, 0, kNone, kNone, kNone, kNone}));
  EXPECT_EQ(whereabouts({0, 3}, root_), (Whereabouts{0, kNone, kNone, kNone, kNone, kNone, kNone, kNone}));
}

TEST_F(Hardware, IsUnknownWhereTheSystemDoesNotTell) {
  EXPECT_EQ(whereabouts({1}, root_ + "/nowhere"), (Whereabouts{0, kNone, kNone, kNone, kNone, kNone, kNone, 1}));
  EXPECT_EQ(whereabouts({}, root_), Whereabouts{});
}

TEST(HardwareHere, KnowsAtLeastTheMachine) { EXPECT_EQ(whereabouts()[0], 0); }

}  // namespace
}  // namespace antiphon::platform
