// Copies between this process's memory and another's, one system call a copy: process_vm_readv(2) and its twin.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/piece.hpp"
#include "settings/values.hpp"

namespace antiphon::platform {

// Where the security module Yama is in its mode 1, a process may copy from and to its descendants, and to those that
// name it, or an ancestor of its, as their tracer (PR_SET_PTRACER(2const)). A process has one tracer, so the ranks of
// a job name the launcher, which all of them descend from: who may copy may also attach as a debugger does.

// The mode: 0 where there is no such module. proc(5) is below `root` ("" on a real system).
[[nodiscard]] int ptrace_scope(const std::string& root = "");

inline constexpr unsigned long kNoTracer = 0;
// Whom to name. `launcher`: 0 if this process does not know it, or does not descend from it.
[[nodiscard]] unsigned long tracer_to_name(settings::CopyPermission wish, int ptrace_scope, pid_t launcher) noexcept;

// As long as this lives, `tracer` is named; kNoTracer: nothing is changed.
class NamedTracer {
 public:
  explicit NamedTracer(unsigned long tracer) noexcept;
  ~NamedTracer();
  NamedTracer(const NamedTracer&) = delete;
  NamedTracer& operator=(const NamedTracer&) = delete;

 private:
  unsigned long tracer_;
};

// Whether what other processes write into this one's memory counts for it. Not under valgrind, which follows a
// program's own writes and takes the bytes of others for never written.
[[nodiscard]] bool sees_writes_of_others() noexcept;

using Pieces = std::span<const base::Piece>;  // in their order; at most kMostPieces
inline constexpr std::size_t kMostPieces = 64;

// True if `bytes` were copied, which is what the shorter list has, at most 1 GiB; false where the kernel refuses, or
// an address is not mapped.
[[nodiscard]] bool read_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept;
[[nodiscard]] bool write_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept;

}  // namespace antiphon::platform
