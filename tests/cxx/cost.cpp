// The same calls in C and through antiphon/mpi.hpp, for cost_test.py, which counts their instructions with callgrind.
// One rank that talks to itself will do, since what the interface adds is added in the calling process. C calls the
// procedures with large counts, as the interface does; cost_test.py would otherwise compare those, too.
#include <valgrind/callgrind.h>

#include <antiphon/mpi.hpp>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

struct point {
  double x, y, z;
};

// What is sent and received, of lengths that the compiler does not know.
struct material {
  MPI_Comm c = MPI_COMM_WORLD;
  antiphon::communicator cpp = antiphon::world();
  std::vector<double> in = std::vector<double>(8), out = std::vector<double>(8);
  point from{1, 2, 3}, to{};
  MPI_Datatype point_type = antiphon::datatype_of<point>();
  MPI_Count count() const { return static_cast<MPI_Count>(in.size()); }
  MPI_Count room() const { return static_cast<MPI_Count>(out.size()); }
};

constexpr int kTimes = 1000;

// Calls of a function that is inlined here, as in a program's loop; what happens once in a program is over before.
template <class F>
[[gnu::flatten, gnu::noinline]] void measure(material& data, F function, const std::string& name) {
  for (int i = 0; i < kTimes; ++i) function(data);
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < kTimes; ++i) function(data);
  CALLGRIND_DUMP_STATS_AT(name.c_str());
}

// So many calls of MPI, in C and in C++.
template <class C, class Cpp>
void compare(material& data, const char* name, int calls, C c, Cpp cpp) {
  const std::string key = std::to_string(calls) + ", " + name;
  measure(data, c, "C, " + key);
  measure(data, cpp, "C++, " + key);
}

}  // namespace

int main() {
  antiphon::environment mpi;
  material data;
  compare(
      data, "rank", 1,
      [](material& d) {
        int rank;
        MPI_Comm_rank(d.c, &rank);
        d.in[0] = rank;
      },
      [](material& d) { d.in[0] = d.cpp.rank(); });
  compare(
      data, "send and recv of a vector", 2,
      [](material& d) {
        MPI_Status status;
        MPI_Send_c(d.in.data(), d.count(), MPI_DOUBLE, 0, 1, d.c);
        MPI_Recv_c(d.out.data(), d.room(), MPI_DOUBLE, 0, 1, d.c, &status);
      },
      [](material& d) {
        d.cpp.send(d.in, {.to = 0, .tag = 1});
        d.cpp.recv(d.out, {.from = 0, .tag = 1});
      });
  compare(
      data, "send and recv of a struct", 2,
      [](material& d) {
        MPI_Status status;
        MPI_Send_c(&d.from, 1, d.point_type, 0, 1, d.c);
        MPI_Recv_c(&d.to, 1, d.point_type, 0, 1, d.c, &status);
      },
      [](material& d) {
        d.cpp.send(d.from, {.to = 0, .tag = 1});
        d.cpp.recv(d.to, {.from = 0, .tag = 1});
      });
  compare(
      data, "isend of a span, recv, get", 3,
      [](material& d) {
        MPI_Request request;
        MPI_Status status;
        MPI_Isend_c(d.in.data(), d.count(), MPI_DOUBLE, 0, 1, d.c, &request);
        MPI_Recv_c(d.out.data(), d.room(), MPI_DOUBLE, 0, 1, d.c, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      },
      [](material& d) {
        auto sent = d.cpp.isend(std::span(d.in), {.to = 0, .tag = 1});
        d.cpp.recv(d.out, {.from = 0, .tag = 1});
        sent.get();
      });
  compare(
      data, "isend of a moved vector, recv, get", 3,
      [](material& d) {
        MPI_Request request;
        MPI_Status status;
        std::vector<double> kept = std::move(d.in);
        MPI_Isend_c(kept.data(), static_cast<MPI_Count>(kept.size()), MPI_DOUBLE, 0, 1, d.c, &request);
        MPI_Recv_c(d.out.data(), d.room(), MPI_DOUBLE, 0, 1, d.c, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        d.in = std::move(kept);
      },
      [](material& d) {
        auto sent = d.cpp.isend(std::move(d.in), {.to = 0, .tag = 1});
        d.cpp.recv(d.out, {.from = 0, .tag = 1});
        d.in = sent.get();
      });
  compare(
      data, "irecv of a span, send, get", 4,
      [](material& d) {
        MPI_Request request;
        MPI_Status status;
        MPI_Count count = 0;
        MPI_Irecv_c(d.out.data(), d.room(), MPI_DOUBLE, 0, 1, d.c, &request);
        MPI_Send_c(d.in.data(), d.count(), MPI_DOUBLE, 0, 1, d.c);
        MPI_Wait(&request, &status);
        MPI_Get_count_c(&status, MPI_DOUBLE, &count);
        d.in[0] = static_cast<double>(count);
      },
      [](material& d) {
        auto received = d.cpp.irecv(std::span(d.out), {.from = 0, .tag = 1});
        d.cpp.send(d.in, {.to = 0, .tag = 1});
        d.in[0] = static_cast<double>(std::ssize(received.get()));
      });
  compare(
      data, "sendrecv", 1,
      [](material& d) {
        MPI_Status status;
        MPI_Sendrecv_c(d.in.data(), d.count(), MPI_DOUBLE, 0, 1, d.out.data(), d.room(), MPI_DOUBLE, 0, 1, d.c,
                       &status);
      },
      [](material& d) { d.cpp.sendrecv(d.in, d.out, {.to = 0, .from = 0, .tag = 1}); });
  compare(
      data, "bcast", 1, [](material& d) { MPI_Bcast_c(d.in.data(), d.count(), MPI_DOUBLE, 0, d.c); },
      [](material& d) { d.cpp.bcast(d.in); });
  compare(
      data, "allreduce of a value", 1,
      [](material& d) {
        double sum;
        MPI_Allreduce_c(&d.in[0], &sum, 1, MPI_DOUBLE, MPI_SUM, d.c);
        d.out[0] = sum;
      },
      [](material& d) { d.out[0] = d.cpp.allreduce(d.in[0], std::plus{}); });
  compare(
      data, "allreduce into a vector, if it fits", 1,
      [](material& d) {
        if (d.in.size() != d.out.size()) std::abort();
        MPI_Allreduce_c(d.in.data(), d.out.data(), d.count(), MPI_DOUBLE, MPI_SUM, d.c);
      },
      [](material& d) { d.cpp.allreduce(d.in, d.out, std::plus{}); });
  compare(
      data, "rank, size, gather into a vector, if it fits", 3,
      [](material& d) {
        int rank, size;
        MPI_Comm_rank(d.c, &rank);
        if (rank == 0) {
          MPI_Comm_size(d.c, &size);
          if (d.room() != d.count() * size) std::abort();
        }
        MPI_Gather_c(d.in.data(), d.count(), MPI_DOUBLE, d.out.data(), d.count(), MPI_DOUBLE, 0, d.c);
      },
      [](material& d) { d.cpp.gather(d.in, d.out); });
  compare(
      data, "barrier", 1, [](material& d) { MPI_Barrier(d.c); }, [](material& d) { d.cpp.barrier(); });
}
