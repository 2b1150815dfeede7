#include "bootstrap/singleton.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>

namespace antiphon::bootstrap {
namespace {

std::uint32_t cpus_of_this_process() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;  // more than 1024: a job of one fits anyway
  return static_cast<std::uint32_t>(CPU_COUNT(&cpus));
}

}  // namespace

std::unique_ptr<NodeSegment> Singleton::create_node(const settings::Values& settings) {
  auto node = std::make_unique<NodeSegment>(NodeSegment::create(
      {.size = 1, .usable_cpus = cpus_of_this_process(), .settings = settings}, MapExtent::whole));
  node->slot(0).pid.store(getpid());
  return node;
}

void Singleton::abort(int code, std::string_view text) {
  std::fflush(nullptr);
  fmt::print(stderr, "antiphon: process {} aborted with code {}: {}\n", getpid(), code, text);
  _exit(exit_status_of_abort(code));
}

}  // namespace antiphon::bootstrap
