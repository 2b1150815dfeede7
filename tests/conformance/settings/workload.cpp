// A little of everything that settings change, to be counted: what it does, how often and with how many bytes is said
// by its arguments.
//   workload late MS              rank 0 waits for a message that rank 1 sends after so long
//   workload stream BYTES COUNT   rank 0 sends messages to rank 1, which has posted a receive before each
//   workload exchange BYTES COUNT KIB   two ranks, each to the other; if that takes more shared memory, it fails
//   workload together BYTES COUNT KIB LATER   all to all others at once; if the pipes of a rank take more, it fails,
//   or
//                                 if they take more later, when each has sent to one other alone for a while
//   workload flood BYTES COUNT    rank 0 sends messages to rank 1, which does not look for a while
//   workload puts BYTES COUNT     into a window over rank 1's own memory, and back, by rank 0: each between fences
//   workload locked BYTES COUNT   the same, each while rank 1 is locked
//   workload runs COUNT           the same with a put and a get of so many ints that lie apart at rank 1
//   workload computing MS         rank 0 adds to rank 1's own memory, which computes for so long, or until then
//   workload allocate BYTES       by MPI_Alloc_mem, in each rank
//   workload allreduce COUNT [A]  of so many ints; on a communicator that asks for algorithm A
//   workload users OPERATION COUNT TIMES   of so many ints, with a function that calls MPI and does not commute
//   workload allgather BYTES COUNT   from each; so many times, or once
//   workload barriers COUNT       so many of them
//   workload COLLECTIVE BYTES     any other, with so many bytes for each rank
// Before all that, "threads" asks for MPI_THREAD_MULTIPLE, and "session" has a session open meanwhile.
#include <mpi.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

void pass(int ms) {
  const timespec time{.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1'000'000L};
  nanosleep(&time, nullptr);
}

int expect(bool holds, const char* what) {
  if (!holds) std::fprintf(stderr, "workload: %s\n", what);
  return holds ? 0 : 1;
}

int late(int rank, int ms) {
  int word = 42;
  if (rank == 1) {
    pass(ms);
    MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    word = 0;
    MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return expect(word == 42, "the late message is wrong");
}

int stream(int rank, int bytes, int count) {
  std::vector<char> buffer(static_cast<std::size_t>(bytes));
  for (int i = 0; i < count; ++i) {
    const char fill = static_cast<char>(i + 1);
    if (rank == 0) {
      std::memset(buffer.data(), fill, buffer.size());
      MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Request request;
      MPI_Irecv(buffer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
      MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (buffer != std::vector<char>(buffer.size(), fill)) return expect(false, "a message of the stream is wrong");
    }
  }
  return 0;
}

// Of this process, as far as it has touched it.
long shared_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long kib = 0;
  while (status >> word)
    if (word == "RssShmem:") status >> kib;
  return kib;
}

int exchange(int rank, int bytes, int count, int most_kib) {
  const auto send_each_other = [&](int size) {
    const std::vector<char> mine(static_cast<std::size_t>(size), static_cast<char>(rank));
    std::vector<char> theirs(mine.size());
    MPI_Sendrecv(mine.data(), size, MPI_BYTE, 1 - rank, 0, theirs.data(), size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return expect(theirs == std::vector<char>(mine.size(), static_cast<char>(1 - rank)),
                  "an exchanged message is wrong");
  };
  int failed = send_each_other(1);
  const long before = shared_kib();
  for (int i = 0; i < count; ++i) failed |= send_each_other(bytes);
  const long more = shared_kib() - before;
  if (more > most_kib) std::fprintf(stderr, "workload: %ld KiB of shared memory, not %d\n", more, most_kib);
  return failed | (more > most_kib);
}

// Of all ranks, for what they share.
long job_kib() {
  struct stat file {};
  return fstat(std::atoi(std::getenv("ANTIPHON_JOB_FD")), &file) == 0 ? static_cast<long>(file.st_blocks / 2) : 0;
}

int together(int rank, int size, int bytes, int count, int most_kib, int later_kib) {
  const auto many = static_cast<std::size_t>(size);
  const std::vector<char> mine(static_cast<std::size_t>(bytes), static_cast<char>(rank));
  std::vector<std::vector<char>> theirs(many, mine);
  int failed = 0;
  const auto exchange = [&](int length, int first, int last) {  // with those so far behind and ahead
    std::vector<MPI_Request> requests;
    for (int distance = first; distance <= last; ++distance) {
      const int from = (rank + size - distance) % size, to = (rank + distance) % size;
      std::vector<char>& in = theirs[static_cast<std::size_t>(from)];
      MPI_Irecv(in.data(), length, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests.emplace_back());
      MPI_Isend(mine.data(), length, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int distance = first; distance <= last; ++distance) {
      const int from = (rank + size - distance) % size;
      const auto wrong = static_cast<std::size_t>(length) -
                         static_cast<std::size_t>(std::count(theirs[static_cast<std::size_t>(from)].begin(),
                                                             theirs[static_cast<std::size_t>(from)].begin() + length,
                                                             static_cast<char>(from)));
      failed |= expect(wrong == 0, "what came from all at once is wrong");
    }
  };
  const auto grown_by = [&](long before) {
    MPI_Barrier(MPI_COMM_WORLD);
    const long kib = (job_kib() - before) / size;
    MPI_Barrier(MPI_COMM_WORLD);
    return kib;
  };
  for (int i = 0; i < 10; ++i) exchange(1, 1, size - 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const long before = job_kib();
  for (int i = 0; i < count; ++i) exchange(bytes, 1, size - 1);
  const long all = grown_by(before);
  for (int i = 0; i < 2200; ++i) exchange(bytes, 1, 1);
  const long later = grown_by(before);
  if (all > most_kib || later > later_kib)
    std::fprintf(stderr, "workload: %ld KiB of shared memory a rank, later %ld\n", all, later);
  return failed | (all > most_kib) | (later > later_kib);
}

int flood(int rank, int bytes, int count) {
  std::vector<char> buffer(static_cast<std::size_t>(bytes), 'f');
  if (rank == 0)
    for (int i = 0; i < count; ++i) MPI_Send(buffer.data(), bytes, MPI_BYTE, 1, i, MPI_COMM_WORLD);
  if (rank == 1) {
    pass(100);
    for (int i = count - 1; i >= 0; --i)
      MPI_Recv(buffer.data(), bytes, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return 0;
}

int puts(int rank, int bytes, int count, bool locks) {
  std::vector<char> memory(static_cast<std::size_t>(bytes)), mine(memory.size()), back(memory.size());
  MPI_Win win;
  MPI_Win_create(memory.data(), bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  const auto begin = [&] { return locks ? MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win) : MPI_Win_fence(0, win); };
  const auto end = [&] { return locks ? MPI_Win_unlock(1, win) : MPI_Win_fence(0, win); };
  for (int i = 0; i < count && (rank == 0 || !locks); ++i) {
    std::memset(mine.data(), i + 1, mine.size());
    begin();
    if (rank == 0) MPI_Put(mine.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
    end();
    if (rank == 1 && memory != mine) return expect(false, "what was put is wrong");
    begin();
    if (rank == 0) MPI_Get(back.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
    end();
    if (rank == 0 && back != mine) return expect(false, "what was got is wrong");
  }
  return MPI_Win_free(&win);
}

int runs(int rank, int count) {
  const auto ints = static_cast<std::size_t>(count);
  std::vector<int> memory(2 * ints, 7), mine(ints, 42), back(ints);
  MPI_Win win;
  MPI_Win_create(memory.data(), static_cast<MPI_Aint>(2 * ints * sizeof(int)), sizeof(int), MPI_INFO_NULL,
                 MPI_COMM_WORLD, &win);
  MPI_Datatype apart;
  MPI_Type_vector(count, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(mine.data(), count, MPI_INT, 1, 0, 1, apart, win);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Get(back.data(), count, MPI_INT, 1, 0, 1, apart, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Type_free(&apart);
  MPI_Win_free(&win);
  return expect(rank != 0 || back == mine, "what was got is wrong");
}

int computing(int rank, int ms) {
  std::vector<int> memory(1);
  MPI_Win win, shared;
  MPI_Win_create(memory.data(), sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  // Rank 1 says in shared memory that it computes: in a call it might already serve the other.
  int* computes = nullptr;
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &computes, &shared);
  MPI_Aint bytes;
  int unit;
  MPI_Win_shared_query(shared, 1, &bytes, &unit, &computes);
  if (rank == 1) *computes = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto there = [&] { return std::atomic_ref(memory[0]).load() == 42; };
  bool came = true;
  if (rank == 0) {
    while (std::atomic_ref(*computes).load() == 0) pass(1);
    const int more = 42;
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Accumulate(&more, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(1, win);
  } else if (rank == 1) {
    std::atomic_ref(*computes).store(1);
    for (int passed = 0; passed < ms && !there(); ++passed) pass(1);
    came = there();
  }
  MPI_Win_free(&shared);
  MPI_Win_free(&win);
  return expect(came, "nothing came while it computed");
}

int allocate(int bytes) {
  void* start = nullptr;
  MPI_Alloc_mem(bytes, MPI_INFO_NULL, &start);
  std::memset(start, 1, static_cast<std::size_t>(bytes));
  return MPI_Free_mem(start);
}

int allreduce(int size, int count, const char* algorithm) {
  const std::vector<int> mine(static_cast<std::size_t>(count), 3);
  std::vector<int> all(mine.size());
  if (algorithm) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "antiphon_allreduce_algorithm", algorithm);
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
  }
  MPI_Allreduce(mine.data(), all.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return expect(all == std::vector<int>(mine.size(), 3 * size), "a sum is wrong");
}

int allgather(int rank, int size, int bytes) {
  const std::vector<char> mine(static_cast<std::size_t>(bytes), static_cast<char>(rank));
  std::vector<char> all(mine.size() * static_cast<std::size_t>(size));
  MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != static_cast<char>(i / mine.size())) return expect(false, "a gathered block is wrong");
  return 0;
}

int barriers(int count) {
  for (int i = 0; i < count; ++i) MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}

// left * 3 + right, which is neither the other way around.
void not_commuting(void* in, void* inout, int* length, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const int* const left = static_cast<const int*>(in);
  int* const right = static_cast<int*>(inout);
  for (int i = 0; i < *length * bytes / static_cast<int>(sizeof(int)); ++i) right[i] += 3 * left[i];
}

int users(int rank, int size, const std::string& operation, int count, int times) {
  MPI_Op op;
  MPI_Op_create(not_commuting, 0, &op);
  std::vector<int> mine(static_cast<std::size_t>(count)), result(mine.size());
  int failed = 0;
  for (int turn = 0; turn < times; ++turn) {
    const int root = turn % size;
    for (int i = 0; i < count; ++i) mine[static_cast<std::size_t>(i)] = rank * 1000 + i % 100 + turn;
    if (operation == "reduce")
      MPI_Reduce(mine.data(), result.data(), count, MPI_INT, op, root, MPI_COMM_WORLD);
    else
      MPI_Allreduce(mine.data(), result.data(), count, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < count && (operation == "allreduce" || rank == root); ++i) {
      int expected = 0;
      for (int other = 0; other < size; ++other) expected = 3 * expected + other * 1000 + i % 100 + turn;
      failed |= expect(result[static_cast<std::size_t>(i)] == expected, "what the user's function combined is wrong");
    }
  }
  MPI_Op_free(&op);
  return failed;
}

// Of what it moves nobody looks at the bytes here; others do.
int any_other(const std::string& what, int size, int bytes) {
  const auto n = static_cast<std::size_t>(size);
  const std::vector<char> given(n * static_cast<std::size_t>(bytes) + 1, 1);
  std::vector<char> got(given.size());
  const std::vector<int> counts(n, bytes);
  std::vector<int> starts;
  for (int i = 0; i < size; ++i) starts.push_back(i * bytes);
  const MPI_Comm all = MPI_COMM_WORLD;
  if (what == "barrier") return MPI_Barrier(all);
  if (what == "bcast") return MPI_Bcast(got.data(), bytes, MPI_BYTE, 0, all);
  if (what == "reduce") return MPI_Reduce(given.data(), got.data(), bytes, MPI_SIGNED_CHAR, MPI_SUM, 0, all);
  if (what == "gather") return MPI_Gather(given.data(), bytes, MPI_BYTE, got.data(), bytes, MPI_BYTE, 0, all);
  if (what == "scatter") return MPI_Scatter(given.data(), bytes, MPI_BYTE, got.data(), bytes, MPI_BYTE, 0, all);
  if (what == "alltoall") return MPI_Alltoall(given.data(), bytes, MPI_BYTE, got.data(), bytes, MPI_BYTE, all);
  if (what == "allgatherv")
    return MPI_Allgatherv(given.data(), bytes, MPI_BYTE, got.data(), counts.data(), starts.data(), MPI_BYTE, all);
  if (what == "alltoallv")
    return MPI_Alltoallv(given.data(), counts.data(), starts.data(), MPI_BYTE, got.data(), counts.data(),
                         starts.data(), MPI_BYTE, all);
  if (what == "reduce_scatter")
    return MPI_Reduce_scatter_block(given.data(), got.data(), bytes, MPI_SIGNED_CHAR, MPI_SUM, all);
  if (what == "scan") return MPI_Scan(given.data(), got.data(), bytes, MPI_SIGNED_CHAR, MPI_SUM, all);
  return expect(false, "there is no such workload");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string allowed = argc > 1 ? argv[1] : "";
  if (allowed == "threads" || allowed == "session") --argc, ++argv;
  const auto number = [&](int i) { return i < argc ? std::atoi(argv[i]) : 0; };
  const std::string what = argc > 1 ? argv[1] : "";
  int rank = 0, size = 0;
  MPI_Session session = MPI_SESSION_NULL;
  if (allowed == "session") MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, allowed == "threads" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int failed = 1;
  if (what == "late")
    failed = late(rank, number(2));
  else if (what == "stream")
    failed = stream(rank, number(2), number(3));
  else if (what == "exchange")
    failed = exchange(rank, number(2), number(3), number(4));
  else if (what == "together")
    failed = together(rank, size, number(2), number(3), number(4), number(5));
  else if (what == "flood")
    failed = flood(rank, number(2), number(3));
  else if (what == "puts" || what == "locked")
    failed = puts(rank, number(2), number(3), what == "locked");
  else if (what == "runs")
    failed = runs(rank, number(2));
  else if (what == "computing")
    failed = computing(rank, number(2));
  else if (what == "allocate")
    failed = allocate(number(2));
  else if (what == "allreduce")
    failed = allreduce(size, number(2), argc > 3 ? argv[3] : nullptr);
  else if (what == "users")
    failed = users(rank, size, argc > 2 ? argv[2] : "", number(3), number(4));
  else if (what == "allgather")
    for (int i = failed = 0; i < std::max(number(3), 1); ++i) failed |= allgather(rank, size, number(2));
  else if (what == "barriers")
    failed = barriers(number(2));
  else
    failed = any_other(what, size, number(2));
  MPI_Finalize();
  if (session != MPI_SESSION_NULL) MPI_Session_finalize(&session);
  return failed;
}
