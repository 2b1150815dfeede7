#include "platform/linux/cross_memory.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>

#include <array>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace antiphon::platform {

namespace {

using Transfer = decltype(process_vm_readv);

struct Vector {
  explicit Vector(Pieces pieces) : length(pieces.size()) {
    assert(length <= kMostPieces);
    for (std::size_t i = 0; i < length; ++i) entries[i] = {pieces[i].begin, pieces[i].bytes};
  }
  std::array<iovec, kMostPieces> entries;
  std::size_t length;
};

bool transfer(Transfer* move, int process, Pieces here, Pieces there, std::size_t bytes) noexcept {
  const Vector local(here), remote(there);
  return move(process, local.entries.data(), local.length, remote.entries.data(), remote.length, 0) ==
         static_cast<ssize_t>(bytes);
}

}  // namespace

int ptrace_scope(const std::string& root) {
  int scope = 0;
  std::ifstream(root + "/proc/sys/kernel/yama/ptrace_scope") >> scope;
  return scope;
}

// In modes 2 and 3 only administrators may copy, whatever tracer a process names.
unsigned long tracer_to_name(settings::CopyPermission wish, int ptrace_scope, pid_t launcher) noexcept {
  constexpr int kForTracers = 1;
  if (ptrace_scope != kForTracers || wish == settings::CopyPermission::none) return kNoTracer;
  return wish == settings::CopyPermission::any ? PR_SET_PTRACER_ANY : static_cast<unsigned long>(launcher);
}

NamedTracer::NamedTracer(unsigned long tracer) noexcept : tracer_(tracer) {
  if (tracer_ != kNoTracer) prctl(PR_SET_PTRACER, tracer_, 0, 0, 0);
}

NamedTracer::~NamedTracer() {
  if (tracer_ != kNoTracer) prctl(PR_SET_PTRACER, kNoTracer, 0, 0, 0);
}

// Valgrind preloads its own library into each program that it runs.
bool sees_writes_of_others() noexcept {
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded == nullptr || std::strstr(preloaded, "/vgpreload_") == nullptr;
}

bool read_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept {
  return transfer(process_vm_readv, process, here, there, bytes);
}

bool write_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept {
  return transfer(process_vm_writev, process, here, there, bytes);
}

}  // namespace antiphon::platform
