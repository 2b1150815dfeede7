#include "api/lifetime.hpp"

#include <pthread.h>

namespace antiphon::api {

using process::Threads;

namespace {

void know_forked_children() {
  const auto in_child = [] {
    current.forked = true;
    current.running = nullptr;
    current.alone = nullptr;
    current.open = nullptr;
  };
  if (const int error = pthread_atfork(nullptr, nullptr, in_child); error != 0) throw std::bad_alloc();
}

// Initializes the process, or counts one more user of it. Afterwards `call` holds the lane.
Process& hold_up(Call& call, Threads threads) {
  if (current.forked) fail_in_child();
  Call::needs_memory();
  {
    const std::lock_guard starting(anytime().lifetime);
    if (!current.process) know_forked_children();
    if (!current.process)
      current.process = new Process(current.find_host(), anytime(), threads);
    else if (anytime().holders == 0)
      current.process.load()->take_up(threads);
    ++anytime().holders;
    current.running = current.process.load();
    const bool shared = current.running.load()->lane().shared();
    current.alone = shared ? nullptr : current.running.load();
    current.open = !shared || current.running.load()->serves_threads() ? current.running.load() : nullptr;
  }
  call.enter(*current.process);
  return *current.process;
}

void let_go() {
  Process& process = *current.process.load();
  std::unique_lock ending(anytime().lifetime, std::defer_lock);
  do {  // another thread that is not the last user either may start the progress thread again
    if (ending) ending.unlock();
    process.end_progress_thread();
    ending.lock();
  } while (process.has_progress_thread());
  if (--anytime().holders != 0) return process.begin_progress_thread();
  process.let_down();
  current.running = nullptr;
  current.alone = nullptr;
  current.open = nullptr;
}

}  // namespace

void begin_world(Call& call, int thread_level) {
  Phase before = Phase::before_init;
  if (!current.phase.compare_exchange_strong(before, Phase::running))
    base::fail(abi::ERR_OTHER, before == Phase::running
                                   ? "MPI is initialized already: a program may call MPI_Init or MPI_Init_thread once"
                                   : "MPI was finalized: it cannot be initialized a second time");
  try {
    hold_up(call, thread_level == abi::THREAD_MULTIPLE ? Threads::many : Threads::one_at_a_time)
        .begin_world(thread_level);
  } catch (...) {
    current.phase = Phase::before_init;
    throw;
  }
}

void end_world(Call& call) {
  Process& process = call.process();
  if (current.phase != Phase::running)
    base::fail(abi::ERR_OTHER,
               current.phase == Phase::finalized
                   ? "MPI was finalized already"
                   : "only sessions are in use: MPI_Session_finalize ends them, and MPI_Finalize what "
                     "MPI_Init began");
  try {
    process.end_world();
  } catch (...) {
    process.job().failed_to_leave();
    throw;
  }
  current.phase = Phase::finalized;
  let_go();
}

// A session always initializes the process for several threads, because a session of another thread may overlap with
// it.
int begin_session(Call& call, int thread_level) {
  Process& process = hold_up(call, Threads::many);
  return process.lane().shared() ? thread_level : process.thread_level();
}

void end_session(Call& call, const objects::Session& session) {
  call.process().end_session(session);
  let_go();
}

}  // namespace antiphon::api
