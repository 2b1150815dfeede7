// Copies between this process's memory and another's, one system call for each copy: process_vm_readv(2) and
// process_vm_writev(2).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/piece.hpp"
#include "settings/values.hpp"

namespace antiphon::platform {

// In mode 1 of the security module Yama, a process may copy from and to its descendants, and processes that have
// named it or one of its ancestors as their tracer (PR_SET_PTRACER(2const)). A process has one tracer, so the ranks
// of a job name the launcher, from which all of them descend. This also lets any rank attach to another as a debugger
// does.

// Yama's mode; 0 if the system lacks that module. proc(5) is below `root` ("" on a real system).
[[nodiscard]] int ptrace_scope(const std::string& root = "");

inline constexpr unsigned long kNoTracer = 0;
// The process to name as tracer. `launcher` is 0 if this process does not know it or does not descend from it.
[[nodiscard]] unsigned long tracer_to_name(settings::CopyPermission wish, int ptrace_scope, pid_t launcher) noexcept;

// Names `tracer` while it lives; with kNoTracer it does nothing.
class NamedTracer {
 public:
  explicit NamedTracer(unsigned long tracer) noexcept;
  ~NamedTracer();
  NamedTracer(const NamedTracer&) = delete;
  NamedTracer& operator=(const NamedTracer&) = delete;

 private:
  unsigned long tracer_;
};

// Whether writes of other processes into this one's memory may be used. Not under valgrind, which follows only the
// program's own writes and would report the bytes as uninitialized.
[[nodiscard]] bool sees_writes_of_others() noexcept;

using Pieces = std::span<const base::Piece>;  // at most kMostPieces, in order
inline constexpr std::size_t kMostPieces = 64;

// True if `bytes` bytes were copied. `bytes` is the length of the shorter list, at most 1 GiB. False if the kernel
// refuses or an address is not mapped.
[[nodiscard]] bool read_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept;
[[nodiscard]] bool write_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept;

}  // namespace antiphon::platform
