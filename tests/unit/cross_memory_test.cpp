#include "platform/linux/cross_memory.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace antiphon::platform {
namespace {

using settings::CopyPermission;

constexpr pid_t kLauncher = 4711;

TEST(Tracer, IsTheLauncherWhereTracersMayBeNamed) {
  EXPECT_EQ(tracer_to_name(CopyPermission::job, 1, kLauncher), 4711u);
  EXPECT_EQ(tracer_to_name(CopyPermission::job, 1, 0), kNoTracer);
  EXPECT_EQ(tracer_to_name(CopyPermission::any, 1, 0), PR_SET_PTRACER_ANY);
  EXPECT_EQ(tracer_to_name(CopyPermission::none, 1, kLauncher), kNoTracer);
}

TEST(Tracer, IsNobodyWhereThatWouldChangeNothing) {
  for (const CopyPermission wish : {CopyPermission::job, CopyPermission::any, CopyPermission::none})
    for (const int scope : {0, 2, 3}) EXPECT_EQ(tracer_to_name(wish, scope, kLauncher), kNoTracer);
}

TEST(PtraceScope, IsReadWhereThereIsOne) {
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("ptrace_scope." + std::to_string(getpid()));
  EXPECT_EQ(ptrace_scope(root), 0);
  std::filesystem::create_directories(root / "proc/sys/kernel/yama");
  std::ofstream(root / "proc/sys/kernel/yama/ptrace_scope") << "1\n";
  EXPECT_EQ(ptrace_scope(root), 1);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace antiphon::platform
