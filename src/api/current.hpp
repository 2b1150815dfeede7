// The library's one global object: the process whose calls arrive through the C interface, and what can be used
// without a process. Calls read `running` without a lock; api/lifetime changes it under its mutex.
#pragma once

#include <atomic>

#include "platform/clock.hpp"
#include "process/anytime.hpp"
#include "process/on_node.hpp"
#include "process/process.hpp"

namespace antiphon::api {

enum class Phase { before_init, running, finalized };

struct Current {
  // The process while the world model or a session keeps it initialized; null otherwise.
  std::atomic<process::Process*> running = nullptr;
  // The running process if only one thread at a time calls MPI; null otherwise.
  std::atomic<process::Process*> alone = nullptr;
  // The running process if short messages may be sent and received without the lane: one thread at a time calls MPI,
  // or the process was first initialized for several threads. Null otherwise.
  std::atomic<process::Process*> open = nullptr;
  // The process, from its first initialization on. It is never destroyed, because another session may initialize it
  // again.
  std::atomic<process::Process*> process = nullptr;
  std::atomic<process::Anytime*> anytime = nullptr;
  std::atomic<Phase> phase = Phase::before_init;  // of the world model: MPI_Init and MPI_Finalize
  // True in a child that fork() made of an MPI process. The child shares the rings with its parent and would take or
  // garble the parent's messages, so `running` is null there.
  std::atomic<bool> forked = false;
  // Find the host of a process, and the time for MPI_Wtime. A simulation replaces both.
  std::unique_ptr<process::Host> (*find_host)() = process::OnNode::discover;
  std::uint64_t (*now)() = platform::monotonic_ns;
};

extern Current current;

// Creates the object unless another thread has just done so.
[[nodiscard]] process::Anytime& make_anytime();

inline process::Anytime& anytime() {
  process::Anytime* made = current.anytime.load(std::memory_order_acquire);
  return made ? *made : make_anytime();
}

}  // namespace antiphon::api
