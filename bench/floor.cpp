// How long this machine takes to move bytes from one process to another without MPI: a lower bound for any MPI. Two
// processes run, each on its own CPU: the first two that this program may run on (taskset chooses others).
//
//   floor latency|stream SECONDS BYTES...
//   floor line
//
// latency is half of a ping-pong, in microseconds; stream is the rate of messages without answers, in GB/s. Prints a
// line for each size, with a column for each method: the best of several rounds, which take SECONDS together. Before
// and after them it measures how long one cache line takes from core to core, in ns: in a virtual machine, the
// distance of two cores may change from one second to the next, so figures can be compared only if these times agree.
// line prints only that time.
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

constexpr int kRounds = 10;
constexpr double kLineSeconds = 0.005;
constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;

// Memory that a process and its child share.
template <class T>
T* shared(std::size_t count) {
  void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return new (memory) T[count]();
}

// A number that one process increments and for which the other waits. It has two cache lines for itself, because some
// processors fetch lines in pairs.
class alignas(128) Counter {
 public:
  void set(std::uint64_t count) { count_.store(count, std::memory_order_release); }
  void await(std::uint64_t count) const {
    while (count_.load(std::memory_order_acquire) < count) {
    }
  }

 private:
  std::atomic<std::uint64_t> count_;
};

// The two processes, from the view of one of them. Both run the same program after the fork, so objects that were
// made before it have the same addresses in both.
class Pair {
 public:
  explicit Pair(std::size_t longest) : out_(longest), in_(longest) {}

  void part() {
    const pid_t parent = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // on some systems a child may otherwise not copy from its parent
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot start a second process");
    side_ = child == 0 ? 1 : 0;
    peer_ = child == 0 ? parent : child;
    if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::ranges::fill(out_, std::byte{1});
    std::ranges::fill(in_, std::byte{2});
  }

  [[nodiscard]] std::size_t side() const { return side_; }
  [[nodiscard]] std::size_t other() const { return 1 - side_; }
  [[nodiscard]] pid_t peer() const { return peer_; }
  std::byte* out() { return out_.data(); }
  std::byte* in() { return in_.data(); }

  void meet() {
    met_[side()].set(++meetings_);
    met_[other()].await(meetings_);
  }

  // The greater of the two processes' values.
  double greater(double mine) {
    said_[side()] = mine;
    meet();
    const double both = std::max(said_[0], said_[1]);
    meet();  // both have read the values before either writes again
    return both;
  }

 private:
  std::size_t side_ = 0;
  pid_t peer_ = 0;
  std::vector<std::byte> out_, in_;
  Counter* const met_ = shared<Counter>(2);
  double* const said_ = shared<double>(2);
  std::uint64_t meetings_ = 0;
};

// A method to move messages from either process's `out` to the other's `in`.
class Way {
 public:
  explicit Way(Pair& pair) : pair_(pair) {}
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  virtual bool works() { return true; }
  virtual void send(std::size_t bytes) = 0;
  virtual void receive(std::size_t bytes) = 0;

 protected:
  Pair& pair_;
};

// One cache line that both processes write in turn. For ping-pongs only, because it counts the messages of both.
class OneLine final : public Way {
 public:
  using Way::Way;
  void send(std::size_t) override { line_->set(++count_); }
  void receive(std::size_t) override { line_->await(++count_); }

 private:
  Counter* const line_ = shared<Counter>(1);
  std::uint64_t count_ = 0;
};

// memcpy within the sender, for comparison. For streams only, because the receiver gets nothing.
class OneProcess final : public Way {
 public:
  using Way::Way;
  void send(std::size_t bytes) override {
    std::memcpy(pair_.in(), pair_.out(), bytes);
    asm volatile("" ::"r"(pair_.in()) : "memory");  // otherwise the compiler may omit all copies but the last
  }
  void receive(std::size_t) override {}
};

using Copy = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);

void copy_plainly(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

#ifdef __SSE2__
__m128i* vector(std::byte* at) { return reinterpret_cast<__m128i*>(at); }
const __m128i* vector(const std::byte* at) { return reinterpret_cast<const __m128i*>(at); }

// `to` is the start of a cache line.
void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
  for (; done + sizeof(__m128i) <= bytes; done += sizeof(__m128i))
    _mm_stream_si128(vector(to + done), _mm_loadu_si128(vector(from + done)));
  _mm_sfence();  // orders these stores before that of a counter
  std::memcpy(to + done, from + done, bytes - done);
}

// For data that comes from memory: there, memcpy of glibc 2.36 took twice as long on Zen 4.
void copy_from_memory(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
  for (; done + sizeof(__m128i) <= bytes; done += sizeof(__m128i))
    _mm_storeu_si128(vector(to + done), _mm_loadu_si128(vector(from + done)));
  std::memcpy(to + done, from + done, bytes - done);
}
#else
constexpr Copy copy_past_caches = copy_plainly, copy_from_memory = copy_plainly;
#endif

// How a pipe is written and read, and in pieces of how many bytes. The values below were the fastest of those tried.
struct Copies {
  Copy in, out;
  std::size_t piece;
};

constexpr Copies kPlain{copy_plainly, copy_plainly, 16 * kKiB};
constexpr Copies kStreamed{copy_past_caches, copy_from_memory, 8 * kKiB};

// The sender copies a message into shared memory piece by piece, while the receiver copies it out.
class Pipe final : public Way {
 public:
  Pipe(Pair& pair, std::size_t capacity, Copies copies)
      : Way(pair),
        slots_(capacity / copies.piece),
        copies_(copies),
        memory_{shared<std::byte>(capacity), shared<std::byte>(capacity)} {}

  void send(std::size_t bytes) override {
    const std::size_t mine = pair_.side();
    for (std::size_t done = 0; done < bytes; done += copies_.piece) {
      if (written_ >= slots_) read_out_[mine].await(written_ - slots_ + 1);
      copies_.in(slot(mine, written_), pair_.out() + done, std::min(copies_.piece, bytes - done));
      written_in_[mine].set(++written_);
    }
  }

  void receive(std::size_t bytes) override {
    const std::size_t theirs = pair_.other();
    for (std::size_t done = 0; done < bytes; done += copies_.piece) {
      written_in_[theirs].await(read_ + 1);
      copies_.out(pair_.in() + done, slot(theirs, read_), std::min(copies_.piece, bytes - done));
      read_out_[theirs].set(++read_);
    }
  }

 private:
  std::byte* slot(std::size_t sender, std::uint64_t piece) {
    return memory_[sender] + piece % slots_ * copies_.piece;
  }

  const std::size_t slots_;
  const Copies copies_;
  const std::array<std::byte*, 2> memory_;  // by sender; the counters of pieces, too
  Counter* const written_in_ = shared<Counter>(2);
  Counter* const read_out_ = shared<Counter>(2);
  std::uint64_t written_ = 0, read_ = 0;  // by this process
};

// The system copies from one process's memory to the other's, in a call of the receiver, or in one call of each
// process for half of the message. Both know in advance where the message is and that the receiver is ready, while an
// MPI has to communicate that.
class System final : public Way {
 public:
  enum class Called { by_receiver, by_both };

  System(Pair& pair, Called called) : Way(pair), called_(called) {}

  bool works() override {
    pair_.meet();
    return pair_.greater(copy(process_vm_readv, pair_.in(), pair_.out(), 1) ? 0 : 1) == 0;
  }

  void send(std::size_t bytes) override {
    const std::size_t theirs = receivers(bytes);
    begun_[pair_.side()].set(++sent_);
    if (theirs < bytes) copy(process_vm_writev, pair_.out() + theirs, pair_.in() + theirs, bytes - theirs);
    done_[pair_.side()].set(sent_);
  }

  void receive(std::size_t bytes) override {
    begun_[pair_.other()].await(++received_);
    copy(process_vm_readv, pair_.in(), pair_.out(), receivers(bytes));
    done_[pair_.other()].await(received_);
  }

 private:
  [[nodiscard]] std::size_t receivers(std::size_t bytes) const {
    return called_ == Called::by_both ? bytes - bytes / 2 : bytes;
  }

  bool copy(decltype(process_vm_readv) call, std::byte* mine, std::byte* theirs, std::size_t bytes) {
    const iovec here{mine, bytes}, there{theirs, bytes};
    return call(pair_.peer(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
  }

  const Called called_;
  Counter* const begun_ = shared<Counter>(2);  // by sender
  Counter* const done_ = shared<Counter>(2);   // the sender has copied its part
  std::uint64_t sent_ = 0, received_ = 0;
};

void ping_pong(const Pair& pair, Way& way, std::size_t bytes, std::uint64_t repetitions) {
  for (std::uint64_t i = 0; i < repetitions; ++i) {
    if (pair.side() == 0) way.send(bytes);
    way.receive(bytes);
    if (pair.side() == 1) way.send(bytes);
  }
}

void stream(const Pair& pair, Way& way, std::size_t bytes, std::uint64_t repetitions) {
  for (std::uint64_t i = 0; i < repetitions; ++i)
    if (pair.side() == 0)
      way.send(bytes);
    else
      way.receive(bytes);
}

using Pattern = decltype(stream);

double seconds_of(Pair& pair, Pattern pattern, Way& way, std::size_t bytes, std::uint64_t repetitions) {
  using Clock = std::chrono::steady_clock;
  pair.meet();
  const Clock::time_point start = Clock::now();
  pattern(pair, way, bytes, repetitions);
  pair.meet();
  return pair.greater(std::chrono::duration<double>(Clock::now() - start).count());
}

// The time of one repetition in the best round.
double best_seconds(Pair& pair, Pattern pattern, Way& way, std::size_t bytes, double seconds) {
  std::uint64_t repetitions = 1;
  while (seconds_of(pair, pattern, way, bytes, repetitions) < seconds / kRounds) repetitions *= 2;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round)
    best = std::min(best, seconds_of(pair, pattern, way, bytes, repetitions));
  return best / static_cast<double>(repetitions);
}

// Seconds for one message.
double in_ping_pong(Pair& pair, Way& way, std::size_t bytes, double seconds) {
  return best_seconds(pair, ping_pong, way, bytes, seconds) / 2;
}

double in_stream(Pair& pair, Way& way, std::size_t bytes, double seconds) {
  return best_seconds(pair, stream, way, bytes, seconds);
}

double line_ns(Pair& pair, OneLine& line) { return in_ping_pong(pair, line, 0, kLineSeconds) * 1e9; }

struct Case {
  std::string_view name;
  const char* title;
  decltype(in_ping_pong)* seconds_of_message;
  double (*figure)(std::size_t bytes, double seconds);
};

constexpr Case kCases[] = {
    {"latency", "latency_us", in_ping_pong, [](std::size_t, double seconds) { return seconds * 1e6; }},
    {"stream", "stream_GB/s", in_stream,
     [](std::size_t bytes, double seconds) { return static_cast<double>(bytes) / seconds * 1e-9; }},
};

struct Column {
  const char* name;
  std::unique_ptr<Way> way;
};

std::vector<Column> ways_between(Pair& pair) {
  std::vector<Column> all;
  all.push_back({"pipe_128K", std::make_unique<Pipe>(pair, 128 * kKiB, kPlain)});
  all.push_back({"pipe_1M", std::make_unique<Pipe>(pair, kMiB, kPlain)});
  all.push_back({"streamed_128K", std::make_unique<Pipe>(pair, 128 * kKiB, kStreamed)});
  all.push_back({"streamed_1M", std::make_unique<Pipe>(pair, kMiB, kStreamed)});
  all.push_back({"readv", std::make_unique<System>(pair, System::Called::by_receiver)});
  all.push_back({"both_copy", std::make_unique<System>(pair, System::Called::by_both)});
  return all;
}

// The first two CPUs that this process may run on.
std::array<int, 2> two_cpus() {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) < 2)
    throw std::runtime_error("needs two cpus that it may run on");
  std::array<int, 2> found{};
  for (std::size_t cpu = 0, count = 0; count < found.size(); ++cpu)
    if (CPU_ISSET(cpu, &mine)) found[count++] = static_cast<int>(cpu);
  return found;
}

void run_on(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cpu), &one);
  sched_setaffinity(0, sizeof one, &one);
}

// Both processes call `body`, each on its own CPU. The second one prints to /dev/null and exits afterwards.
template <class Body>
void in_two_processes(Pair& pair, Body body) {
  const std::array<int, 2> cpus = two_cpus();
  pair.part();
  run_on(cpus[pair.side()]);
  std::FILE* const to = pair.side() == 0 ? stdout : std::fopen("/dev/null", "w");
  body(to);
  if (pair.side() == 1) _exit(0);
  wait(nullptr);
}

void print_line() {
  Pair pair(0);
  OneLine line(pair);
  in_two_processes(pair, [&](std::FILE* to) { std::fprintf(to, "%.0f\n", line_ns(pair, line)); });
}

void print_table(const Case& that, double seconds, const std::vector<std::size_t>& sizes) {
  Pair pair(*std::ranges::max_element(sizes));
  OneLine line(pair);
  OneProcess copy(pair);
  const std::vector<Column> ways = ways_between(pair);
  in_two_processes(pair, [&](std::FILE* to) {
    std::fprintf(to, "%12s%13s%14s", that.title, "line_before", "memcpy");
    for (const Column& column : ways) std::fprintf(to, "%14s", column.name);
    std::fprintf(to, "%13s\n", "line_after");
    for (const std::size_t bytes : sizes) {
      std::fprintf(to, "%12zu%13.0f", bytes, line_ns(pair, line));
      std::fprintf(to, "%14.3f", that.figure(bytes, in_stream(pair, copy, bytes, seconds)));
      for (const auto& [name, way] : ways)
        if (way->works())
          std::fprintf(to, "%14.3f", that.figure(bytes, that.seconds_of_message(pair, *way, bytes, seconds)));
        else
          std::fprintf(to, "%14s", "-");
      std::fprintf(to, "%13.0f\n", line_ns(pair, line));
      std::fflush(to);
    }
  });
}

int run(const std::vector<std::string_view>& words) {
  if (words.size() == 1 && words[0] == "line") {
    print_line();
    return 0;
  }
  const auto* const that = std::ranges::find(kCases, words.size() < 3 ? "" : words[0], &Case::name);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 2; i < words.size(); ++i) sizes.push_back(std::strtoull(words[i].data(), nullptr, 10));
  if (that == std::end(kCases) || std::ranges::count(sizes, 0U) != 0) {
    std::fputs("usage: floor latency|stream SECONDS BYTES..., or floor line\n", stderr);
    return 2;
  }
  print_table(*that, std::atof(words[1].data()), sizes);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "floor: %s\n", error.what());
    return 1;
  }
}
