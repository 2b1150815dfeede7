// What a simulated rank must not do to the whole operating-system process, or would be the same for all ranks: end
// it, sleep, start threads, look at the clock. Programs find these functions before those of the C library. Whoever
// is no rank of a simulation gets the real ones.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

#include "programs/simulated_job.hpp"

namespace {

using antiphon::sim::SimulatedJob;

constexpr std::uint64_t kSecond = 1'000'000'000;
// The simulation begins on 1 January 2026.
constexpr std::uint64_t kBegin = 1'767'225'600 * kSecond;

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::uint64_t to_ns(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

[[noreturn]] void end(int status, const char* name) {
  if (SimulatedJob* job = SimulatedJob::of_caller()) job->exit(status);
  real<void(int)>(name)(status);
  __builtin_unreachable();
}

int refuse(const char* what) {
  std::fprintf(stderr, "%s: a simulated rank cannot do that\n", what);
  return EAGAIN;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

void exit(int status) noexcept { end(status, "exit"); }
void _exit(int status) { end(status, "_exit"); }
void _Exit(int status) noexcept { end(status, "_Exit"); }

unsigned sleep(unsigned seconds) {
  SimulatedJob* job = SimulatedJob::of_caller();
  if (!job) return real<unsigned(unsigned)>("sleep")(seconds);
  job->sleep(seconds * kSecond);
  return 0;
}

int usleep(useconds_t microseconds) {
  SimulatedJob* job = SimulatedJob::of_caller();
  if (!job) return real<int(useconds_t)>("usleep")(microseconds);
  job->sleep(microseconds * std::uint64_t{1000});
  return 0;
}

int nanosleep(const timespec* wanted, timespec* left) {
  SimulatedJob* job = SimulatedJob::of_caller();
  if (!job) return real<int(const timespec*, timespec*)>("nanosleep")(wanted, left);
  job->sleep(to_ns(*wanted));
  return 0;
}

int sched_yield() noexcept {
  SimulatedJob* job = SimulatedJob::of_caller();
  if (!job) return real<int()>("sched_yield")();
  job->give_way();
  return 0;
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  SimulatedJob* job = SimulatedJob::of_caller();
  if (!job) return real<int(clockid_t, timespec*)>("clock_gettime")(clock, now);
  const std::uint64_t ns = kBegin + job->look_at_clock();
  *now = {.tv_sec = static_cast<time_t>(ns / kSecond), .tv_nsec = static_cast<long>(ns % kSecond)};
  return 0;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  if (!SimulatedJob::of_caller()) return real<int(timeval*, void*)>("gettimeofday")(now, zone);
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  *now = {.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* now) noexcept {
  if (!SimulatedJob::of_caller()) return real<time_t(time_t*)>("time")(now);
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  using Real = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (!SimulatedJob::of_caller()) return real<Real>("pthread_create")(thread, attributes, body, argument);
  return refuse("pthread_create");
}

pid_t fork() noexcept {
  if (!SimulatedJob::of_caller()) return real<pid_t()>("fork")();
  errno = refuse("fork");
  return -1;
}

#pragma GCC visibility pop
}
