// The one global of the library: the process whose calls arrive through the C interface, and what is usable without
// one. `running` is what a call looks at; the rest is changed and read under the lock of api/lifetime.
#pragma once

#include <atomic>

#include "platform/clock.hpp"
#include "process/anytime.hpp"
#include "process/on_node.hpp"
#include "process/process.hpp"

namespace antiphon::api {

enum class Phase { before_init, running, finalized };

struct Current {
  // The process while MPI_Init without MPI_Finalize, or a session, keeps it up; null otherwise.
  std::atomic<process::Process*> running = nullptr;
  // The running process while threads are in MPI one at a time; null otherwise.
  std::atomic<process::Process*> alone = nullptr;
  // The running process while short messages need no lane: threads are in MPI one at a time, or it was brought up for
  // many. Null otherwise.
  std::atomic<process::Process*> open = nullptr;
  // The process once it exists, for it is never taken down: another session may follow.
  std::atomic<process::Process*> process = nullptr;
  std::atomic<process::Anytime*> anytime = nullptr;
  std::atomic<Phase> phase = Phase::before_init;  // of the world model: MPI_Init and MPI_Finalize
  // In a child of the process, a copy made by fork() after MPI was up. It shares the rings with its parent, whose
  // messages it would take or garble, so nothing is running there.
  std::atomic<bool> forked = false;
  // Where a process lives, and MPI_Wtime; a simulation has other ones.
  std::unique_ptr<process::Host> (*find_host)() = process::OnNode::discover;
  std::uint64_t (*now)() = platform::monotonic_ns;
};

extern Current current;

// Made by whoever asks first.
[[nodiscard]] process::Anytime& make_anytime();

inline process::Anytime& anytime() {
  process::Anytime* made = current.anytime.load(std::memory_order_acquire);
  return made ? *made : make_anytime();
}

}  // namespace antiphon::api
