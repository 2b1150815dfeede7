// Collectives that do not wait: MPI 5.0, 6.12 and 6.13. Each of them, begun once or made and started again and again,
// gives what the blocking one gives; many are under way at once, on several communicators, in the midst of messages
// and blocking collectives, and are over in any order. What they were given may be freed before they end.
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "collectives/affine.hpp"

using namespace conformance;

namespace {

using Numbers = std::vector<int>;

constexpr int kUntouched = -7;
constexpr int kCounts[] = {0, 1, 50, 5'000};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Both forms of a call, with all arguments up to the communicator.
struct Forms {
  std::function<int(MPI_Comm, MPI_Request*)> nonblocking, persistent;
};
template <class Nonblocking, class Persistent, class... Arguments>
Forms forms(Nonblocking nonblocking, Persistent persistent, Arguments... arguments) {
  return {
      [=](MPI_Comm comm, MPI_Request* request) { return nonblocking(arguments..., comm, request); },
      [=](MPI_Comm comm, MPI_Request* request) { return persistent(arguments..., comm, MPI_INFO_NULL, request); }};
}

// One collective: what goes in, and what must come of it.
class Operation {
 public:
  // `called`: with the addresses of what goes in and of what comes out.
  template <class Called>
  Operation(std::string name, Numbers out, Numbers wanted, Called called)
      : name_(std::move(name)),
        out_(std::move(out)),
        in_(wanted.size(), kUntouched),
        wanted_(std::move(wanted)),
        forms_(called(out_.data(), in_.data())) {}

  void begin(MPI_Comm comm, MPI_Request* request) {
    expect_error(forms_.nonblocking(comm, request), MPI_SUCCESS, "nonblocking " + name_);
  }
  void make(MPI_Comm comm, MPI_Request* request) {
    expect_error(forms_.persistent(comm, request), MPI_SUCCESS, "persistent " + name_);
  }
  void expect_result(const char* when) {
    expect(in_ == wanted_, std::string(when) + " " + name_ + " is wrong");
    in_.assign(in_.size(), kUntouched);
  }

 private:
  std::string name_;
  Numbers out_, in_, wanted_;
  Forms forms_;
};

// What `from` has for `to`. `number` makes the data of two collectives differ.
int value(int from, int to, int i, int number) { return number * 77 + from * 1000 + to * 13 + i % 997; }

template <class Value>
Numbers numbers(int count, Value value_of) {
  Numbers result(at(count));
  for (int i = 0; i < count; ++i) result[at(i)] = value_of(i);
  return result;
}
// A block of `count` for each rank.
template <class Value>
Numbers blocks(int count, Value value_of) {
  return numbers(count * size(), [&](int i) { return value_of(i / count, i % count); });
}
// Of what the ranks before `end` have for everybody.
int sum(int end, int i, int number) {
  int total = 0;
  for (int from = 0; from < end; ++from) total += value(from, 0, i, number);
  return total;
}

// A block for each rank, one after the other.
struct Even {
  Numbers counts, displacements, bytes;
  std::vector<MPI_Datatype> types;

  explicit Even(int count) : counts(at(size()), count), types(at(size()), MPI_INT) {
    for (int i = 0; i < size(); ++i) {
      displacements.push_back(i * count);
      bytes.push_back(i * count * static_cast<int>(sizeof(int)));
    }
  }
};

// Of each kind one. `even` outlives them.
std::vector<Operation> all_operations(int count, int number, const Even& even) {
  const int me = rank(), root = number % size();
  const Numbers mine = numbers(count, [&](int i) { return value(me, 0, i, number); });
  const Numbers everybodys = blocks(count, [&](int from, int i) { return value(from, 0, i, number); });
  const Numbers same_for_each = blocks(count, [&](int, int i) { return value(me, 0, i, number); });
  const Numbers for_each = blocks(count, [&](int to, int i) { return value(me, to, i, number); });
  const Numbers from_each = blocks(count, [&](int from, int i) { return value(from, me, i, number); });
  const Numbers from_root = numbers(count, [&](int i) { return value(root, me, i, number); });
  const Numbers total = numbers(count, [&](int i) { return sum(size(), i, number); });
  const Numbers until_me = numbers(count, [&](int i) { return sum(me + 1, i, number); });
  const Numbers before_me = numbers(count, [&](int i) { return me == 0 ? kUntouched : sum(me, i, number); });
  const auto at_root = [&](const Numbers& there) { return me == root ? there : Numbers(there.size(), kUntouched); };
  const int *counts = even.counts.data(), *displs = even.displacements.data(), *bytes = even.bytes.data();
  const MPI_Datatype* types = even.types.data();
  const MPI_Datatype type = MPI_INT;
  const MPI_Op op = MPI_SUM;
  using Out = const int*;
  using In = int*;

  std::vector<Operation> all;
  const auto add = [&](const char* name, const Numbers& out, const Numbers& wanted, auto called) {
    all.emplace_back(name, out, wanted, called);
  };
  add("barrier", {}, {}, [&](Out, In) { return forms(MPI_Ibarrier, MPI_Barrier_init); });
  add("gather", mine, at_root(everybodys),
      [&](Out out, In in) { return forms(MPI_Igather, MPI_Gather_init, out, count, type, in, count, type, root); });
  add("gatherv", mine, at_root(everybodys), [&](Out out, In in) {
    return forms(MPI_Igatherv, MPI_Gatherv_init, out, count, type, in, counts, displs, type, root);
  });
  add("scatter", for_each, from_root,
      [&](Out out, In in) { return forms(MPI_Iscatter, MPI_Scatter_init, out, count, type, in, count, type, root); });
  add("scatterv", for_each, from_root, [&](Out out, In in) {
    return forms(MPI_Iscatterv, MPI_Scatterv_init, out, counts, displs, type, in, count, type, root);
  });
  add("allgather", mine, everybodys,
      [&](Out out, In in) { return forms(MPI_Iallgather, MPI_Allgather_init, out, count, type, in, count, type); });
  add("allgatherv", mine, everybodys, [&](Out out, In in) {
    return forms(MPI_Iallgatherv, MPI_Allgatherv_init, out, count, type, in, counts, displs, type);
  });
  add("alltoall", for_each, from_each,
      [&](Out out, In in) { return forms(MPI_Ialltoall, MPI_Alltoall_init, out, count, type, in, count, type); });
  add("alltoallv", for_each, from_each, [&](Out out, In in) {
    return forms(MPI_Ialltoallv, MPI_Alltoallv_init, out, counts, displs, type, in, counts, displs, type);
  });
  add("alltoallw", for_each, from_each, [&](Out out, In in) {
    return forms(MPI_Ialltoallw, MPI_Alltoallw_init, out, counts, bytes, types, in, counts, bytes, types);
  });
  add("reduce", mine, at_root(total),
      [&](Out out, In in) { return forms(MPI_Ireduce, MPI_Reduce_init, out, in, count, type, op, root); });
  add("allreduce", mine, total,
      [&](Out out, In in) { return forms(MPI_Iallreduce, MPI_Allreduce_init, out, in, count, type, op); });
  add("reduce_scatter", same_for_each, total,
      [&](Out out, In in) { return forms(MPI_Ireduce_scatter, MPI_Reduce_scatter_init, out, in, counts, type, op); });
  add("reduce_scatter_block", same_for_each, total, [&](Out out, In in) {
    return forms(MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init, out, in, count, type, op);
  });
  add("scan", mine, until_me,
      [&](Out out, In in) { return forms(MPI_Iscan, MPI_Scan_init, out, in, count, type, op); });
  add("exscan", mine, before_me,
      [&](Out out, In in) { return forms(MPI_Iexscan, MPI_Exscan_init, out, in, count, type, op); });
  return all;
}

void each_that_does_not_wait_gives_what_it_must() {
  int number = 0;
  for (const int count : kCounts) {
    const Even even(count);
    for (Operation& operation : all_operations(count, ++number, even)) {
      MPI_Request request = MPI_REQUEST_NULL;
      operation.begin(MPI_COMM_WORLD, &request);
      MPI_Status status;
      expect_error(MPI_Wait(&request, &status), MPI_SUCCESS, "MPI_Wait");
      expect(request == MPI_REQUEST_NULL, "a nonblocking collective is over, but its handle is not null");
      operation.expect_result("the nonblocking");
    }
  }
}

void broadcasts_leave_their_root() {
  for (const int count : kCounts) {
    for (int root = 0; root < size(); ++root) {
      const Numbers wanted = numbers(count, [&](int i) { return value(root, 0, i, count); });
      Numbers buffer = rank() == root ? wanted : Numbers(wanted.size(), kUntouched);
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ibcast(buffer.data(), count, MPI_INT, root, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      expect(buffer == wanted, "the nonblocking bcast is wrong");

      MPI_Bcast_init(buffer.data(), count, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
      for (int time = 0; time < 3; ++time) {
        if (rank() != root) buffer.assign(wanted.size(), kUntouched);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(buffer == wanted, "the persistent bcast is wrong");
      }
      MPI_Request_free(&request);
    }
  }
}

// On two communicators, which different ranks begin in different orders, with messages and what blocks in between.
void hundreds_are_under_way_at_once() {
  MPI_Comm comms[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int rounds = is_simulated() ? 2 : 10;
  const Even even(50);
  std::vector<Operation> operations[2];
  for (int which : {0, 1})
    for (int round = 0; round < rounds; ++round)
      for (Operation& operation : all_operations(50, 2 * round + which, even))
        operations[which].push_back(std::move(operation));
  std::vector<MPI_Request> requests(2 * operations[0].size(), MPI_REQUEST_NULL);
  for (int turn : {0, 1}) {
    const int which = (turn + rank()) % 2;
    const std::size_t first = at(which) * operations[0].size();
    for (std::size_t i = 0; i < operations[which].size(); ++i)
      operations[which][i].begin(comms[which], &requests[first + i]);
    const int to = (rank() + 1) % size(), from = (rank() + size() - 1) % size();
    int got = -1;
    MPI_Sendrecv(&turn, 1, MPI_INT, to, 3, &got, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_equal(got, turn, "a message among collectives");
    int ranks = 1;
    MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect_equal(ranks, size(), "a blocking sum among nonblocking ones");
  }
  for (std::size_t over = requests.size(); over-- > 0;)
    if (over % 3 == 0) MPI_Wait(&requests[over], MPI_STATUS_IGNORE);
  for (int flag = 0; !flag;)
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
  for (auto& of_one : operations)
    for (Operation& operation : of_one) operation.expect_result("one of hundreds: the nonblocking");
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// Made in one order by all; started in another, which is not the same everywhere.
void each_that_is_persistent_gives_what_it_must_every_time() {
  int number = 0;
  for (const int count : kCounts) {
    const Even even(count);
    std::vector<Operation> operations = all_operations(count, ++number, even);
    std::vector<MPI_Request> requests(operations.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < operations.size(); ++i) operations[i].make(MPI_COMM_WORLD, &requests[i]);
    for (int time = 0; time < 3; ++time) {
      for (std::size_t i = 0; i < requests.size(); ++i)
        expect_error(MPI_Start(&requests[(i + at(rank() + time)) % requests.size()]), MPI_SUCCESS, "MPI_Start");
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      for (Operation& operation : operations) operation.expect_result("the persistent");
    }
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      operations[i].expect_result("the persistent, started with all others,");
      expect_error(MPI_Request_free(&requests[i]), MPI_SUCCESS, "MPI_Request_free");
    }
  }
}

void what_they_use_may_be_freed_before_they_end() {
  const int count = 500;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  auto composing = std::make_unique<Composing>();
  Maps mine(count, rank()), result(count);
  MPI_Request request = MPI_REQUEST_NULL;
  expect_error(MPI_Iallreduce(mine.data(), result.data(), count, composing->type, composing->op, comm, &request),
               MPI_SUCCESS, "MPI_Iallreduce");
  composing.reset();
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i)
    expect(result.at(i) == composed(0, size(), i), "a reduction by what was freed meanwhile is wrong");
  expect(result.gaps_untouched(), "a reduction by what was freed meanwhile wrote where the type has gaps");
}

// A group across from another: everything nonblocking that two groups can do, for all roots.
void two_groups_talk_without_waiting() {
  const int side = rank() % 2;
  MPI_Comm own = MPI_COMM_NULL, both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - side, 5, &both);
  int ours = 0, theirs = 0;
  MPI_Comm_size(both, &ours);
  MPI_Comm_remote_size(both, &theirs);
  MPI_Request requests[3];
  const int one = 1;
  int number = -1, from_root = side == 0 ? 4711 : -1;
  Numbers gathered(at(theirs), -1);
  int own_rank = 0;
  MPI_Comm_rank(both, &own_rank);
  const int root = side == 0 ? (own_rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  MPI_Iallreduce(&one, &number, 1, MPI_INT, MPI_SUM, both, &requests[0]);
  MPI_Ibcast(&from_root, 1, MPI_INT, root, both, &requests[1]);
  MPI_Iallgather(&own_rank, 1, MPI_INT, gathered.data(), 1, MPI_INT, both, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expect_equal(number, theirs, "the sum of the other group");
  expect_equal(from_root, 4711, "what the root of the other group had");
  Numbers wanted(at(theirs));
  std::iota(wanted.begin(), wanted.end(), 0);
  expect(gathered == wanted, "what the other group gathered is wrong");
  MPI_Comm_free(&both);
  MPI_Comm_free(&own);
}

void their_requests_are_freed_when_they_are_over_and_never_cancelled() {
  MPI_Request request = MPI_REQUEST_NULL;
  if (size() > 1 && rank() == 0) MPI_Recv(nullptr, 0, MPI_INT, size() - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  expect_error(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel of a collective");
  if (size() > 1 && rank() == size() - 1) {  // rank 0 has not come yet
    expect_error(MPI_Request_free(&request), MPI_ERR_REQUEST, "MPI_Request_free of a collective under way");
    MPI_Send(nullptr, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
  }
  for (int over = 0; !over;) MPI_Request_get_status(request, &over, MPI_STATUS_IGNORE);
  expect_error(MPI_Request_free(&request), MPI_SUCCESS, "MPI_Request_free of a collective that is over");
}

}  // namespace

int main() {
  return run({
      {"each that does not wait gives what it must", each_that_does_not_wait_gives_what_it_must},
      {"broadcasts leave their root", broadcasts_leave_their_root},
      {"hundreds are under way at once", hundreds_are_under_way_at_once},
      {"each that is persistent gives what it must every time",
       each_that_is_persistent_gives_what_it_must_every_time},
      {"what they use may be freed before they end", what_they_use_may_be_freed_before_they_end},
      {"two groups talk without waiting", two_groups_talk_without_waiting, {.least = 2}},
      {"their requests are freed when they are over and never cancelled",
       their_requests_are_freed_when_they_are_over_and_never_cancelled},
  });
}
