// Partitioned communication: MPI 5.0, chapter 4.
#include <numeric>
#include <thread>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 5, kRounds = 3;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

int number(int sender, int round, int index) { return sender * 1'000'003 + round * 7919 + index; }

// A send to the next rank and a receive from the previous one of `ints` numbers each.
class Ring {
 public:
  Ring(int ints, int send_parts, int receive_parts, int tag = kTag)
      : out_(static_cast<std::size_t>(ints)),
        in_(out_.size()),
        send_parts_(send_parts),
        receive_parts_(receive_parts) {
    expect_error(MPI_Psend_init(out_.data(), send_parts, ints / send_parts, MPI_INT, next(), tag, MPI_COMM_WORLD,
                                MPI_INFO_NULL, &requests_[0]),
                 MPI_SUCCESS, "MPI_Psend_init");
    expect_error(MPI_Precv_init(in_.data(), receive_parts, ints / receive_parts, MPI_INT, previous(), tag,
                                MPI_COMM_WORLD, MPI_INFO_NULL, &requests_[1]),
                 MPI_SUCCESS, "MPI_Precv_init");
  }
  ~Ring() {
    for (MPI_Request& request : requests_) expect_error(MPI_Request_free(&request), MPI_SUCCESS, "MPI_Request_free");
  }

  void start(int round) {
    round_ = round;
    std::fill(in_.begin(), in_.end(), -1);
    expect_error(MPI_Startall(2, requests_), MPI_SUCCESS, "MPI_Startall");
  }
  // Writes a partition, which until then has nothing to be sent.
  void fill(int partition) {
    const int each = static_cast<int>(out_.size()) / send_parts_;
    for (int i = partition * each; i < (partition + 1) * each; ++i)
      out_[static_cast<std::size_t>(i)] = number(rank(), round_, i);
  }
  void wait() {
    MPI_Status statuses[2];
    expect_error(MPI_Waitall(2, requests_, statuses), MPI_SUCCESS, "MPI_Waitall");
    expect_empty(statuses[0]);
    expect_status(statuses[1], previous(), kTag, static_cast<int>(in_.size() * sizeof(int)));
    check(0, receive_parts_);
  }
  void check(int first_partition, int end_partition) const {
    const int each = static_cast<int>(in_.size()) / receive_parts_;
    int wrong = 0;
    for (int i = first_partition * each; i < end_partition * each; ++i)
      wrong += in_[static_cast<std::size_t>(i)] != number(previous(), round_, i);
    expect_equal(wrong, 0, "wrong numbers");
  }
  [[nodiscard]] MPI_Request sending() const { return requests_[0]; }
  [[nodiscard]] MPI_Request receiving() const { return requests_[1]; }
  [[nodiscard]] bool arrived(int partition) const {
    int flag = -1;
    expect_error(MPI_Parrived(receiving(), partition, &flag), MPI_SUCCESS, "MPI_Parrived");
    return flag != 0;
  }

 private:
  std::vector<int> out_, in_;
  int send_parts_, receive_parts_, round_ = 0;
  MPI_Request requests_[2] = {};
};

struct Counts {
  int ints, send, receive;
};
constexpr Counts kCounts[] = {{64, 1, 1},    {64, 8, 8},     {64, 1, 16},     {64, 16, 1},     {561, 33, 17},
                              {561, 17, 33}, {4096, 16, 32}, {300'000, 3, 4}, {300'000, 10, 5}};

void whatever_the_numbers_of_partitions() {
  for (const Counts& counts : kCounts) {
    Ring ring(counts.ints, counts.send, counts.receive);
    for (int round = 0; round < kRounds; ++round) {
      ring.start(round);
      for (int i = 0; i < counts.send; ++i) {
        const int partition = round == 1 ? counts.send - 1 - i : i;  // once from the end
        ring.fill(partition);
        expect_error(MPI_Pready(partition, ring.sending()), MPI_SUCCESS, "MPI_Pready");
      }
      ring.wait();
    }
  }
}

// The receive buffer may be longer than what is sent, which fills it from its start, whatever the partitions; with
// gaps behind each element, too. What is too long for it is truncated.
void buffers_of_different_length() {
  struct Case {
    int sent, send_parts, room, receive_parts;
  };
  for (const Case& c : {Case{64, 4, 128, 4}, Case{64, 4, 96, 3}, Case{63, 7, 128, 2}, Case{30, 3, 70, 7},
                        Case{65536, 4, 131072, 4}, Case{128, 4, 64, 4}})
    for (const int ints_each : {1, 2}) {  // of an element at the receiver: an int, or two of three
      const int kStride = ints_each == 1 ? 1 : 3;
      MPI_Datatype element = MPI_INT;
      if (ints_each == 2) {
        MPI_Type_vector(1, 2, 3, MPI_INT, &element);
        MPI_Type_create_resized(element, 0, 3 * static_cast<MPI_Aint>(sizeof(int)), &element);
        MPI_Type_commit(&element);
      }
      const int elements = c.room / ints_each / c.receive_parts;
      std::vector<int> out(static_cast<std::size_t>(c.sent)),
          in(static_cast<std::size_t>(elements * c.receive_parts * kStride), -1);
      for (int i = 0; i < c.sent; ++i) out[static_cast<std::size_t>(i)] = number(rank(), 0, i);
      MPI_Request requests[2];
      MPI_Psend_init(out.data(), c.send_parts, c.sent / c.send_parts, MPI_INT, next(), kTag, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &requests[0]);
      MPI_Precv_init(in.data(), c.receive_parts, elements, element, previous(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &requests[1]);
      MPI_Startall(2, requests);
      MPI_Pready_range(0, c.send_parts - 1, requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      MPI_Status status;
      const int ended = MPI_Wait(&requests[1], &status);
      const std::string what = std::to_string(c.sent) + " into " + std::to_string(c.room) + " ints";
      expect_error(ended, c.sent > c.room ? MPI_ERR_TRUNCATE : MPI_SUCCESS, what);
      int wrong = 0;
      for (int i = 0; i < static_cast<int>(in.size()); ++i) {
        const int packed = i / kStride * ints_each + i % kStride;
        const bool filled = i % kStride < ints_each && packed < c.sent;
        wrong += in[static_cast<std::size_t>(i)] != (filled ? number(previous(), 0, packed) : -1);
      }
      expect_equal(wrong, 0, "wrong numbers, " + what);
      MPI_Request_free(&requests[0]);
      MPI_Request_free(&requests[1]);
      if (ints_each == 2) MPI_Type_free(&element);
    }
}

// Partitions of which there are none, or that are empty, on either side.
void sides_without_partitions_or_numbers() {
  struct Side {
    int partitions, count;
  };
  for (const Side& sent : {Side{0, 5}, Side{1, 0}, Side{4, 0}})
    for (const Side& room : {Side{0, 5}, Side{1, 0}, Side{4, 0}, Side{3, 2}}) {
      int out = 0, in[6] = {};
      MPI_Request requests[2];
      expect_error(MPI_Psend_init(&out, sent.partitions, sent.count, MPI_INT, next(), kTag, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, &requests[0]),
                   MPI_SUCCESS, "MPI_Psend_init");
      expect_error(MPI_Precv_init(in, room.partitions, room.count, MPI_INT, previous(), kTag, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, &requests[1]),
                   MPI_SUCCESS, "MPI_Precv_init");
      for (int round = 0; round < kRounds; ++round) {
        expect_error(MPI_Startall(2, requests), MPI_SUCCESS, "MPI_Startall");
        for (int i = 0; i < sent.partitions; ++i) expect_error(MPI_Pready(i, requests[0]), MPI_SUCCESS, "MPI_Pready");
        for (int i = 0; i < room.partitions; ++i)
          for (int flag = 0; flag == 0;)
            expect_error(MPI_Parrived(requests[1], i, &flag), MPI_SUCCESS, "MPI_Parrived");
        MPI_Status statuses[2];
        expect_error(MPI_Waitall(2, requests, statuses), MPI_SUCCESS, "MPI_Waitall");
        expect_status(statuses[1], previous(), kTag, 0);
      }
      for (MPI_Request& request : requests) MPI_Request_free(&request);
    }
}

void by_ranges_and_by_lists() {
  constexpr int kParts = 12;
  Ring ring(kParts * 100, kParts, 4);
  for (int round = 0; round < kRounds; ++round) {
    ring.start(round);
    for (int i = 0; i < kParts; ++i) ring.fill(i);
    const int list[] = {11, 0, 7, 8};
    expect_error(MPI_Pready_list(4, list, ring.sending()), MPI_SUCCESS, "MPI_Pready_list");
    expect_error(MPI_Pready_range(1, 6, ring.sending()), MPI_SUCCESS, "MPI_Pready_range");
    expect_error(MPI_Pready_range(9, 10, ring.sending()), MPI_SUCCESS, "MPI_Pready_range");
    ring.wait();
  }
}

// A partition arrives when the partitions that it lies in are ready, and no sooner.
void partitions_arrive_one_by_one() {
  for (const Counts& counts : {Counts{800, 8, 8}, Counts{800, 8, 4}, Counts{800, 4, 8}}) {
    Ring ring(counts.ints, counts.send, counts.receive);
    expect(ring.arrived(0), "something is missing before the start");
    for (int round = 0; round < kRounds; ++round) {
      ring.start(round);
      MPI_Barrier(MPI_COMM_WORLD);
      expect(!ring.arrived(counts.receive - 1), "a partition has arrived that nobody has sent");
      MPI_Barrier(MPI_COMM_WORLD);
      for (int i = 0; i < counts.send; ++i) {
        ring.fill(i);
        MPI_Pready(i, ring.sending());
        const int end = (i + 1) * counts.receive / counts.send;  // so many are complete now
        for (int part = i * counts.receive / counts.send; part < end; ++part) {
          while (!ring.arrived(part)) {
          }
          ring.check(part, part + 1);
        }
      }
      ring.wait();
    }
  }
}

void many_threads_at_once() {
  constexpr int kThreads = 4, kEach = 16, kParts = kThreads * kEach;
  Ring ring(kParts * 50, kParts, 8);
  for (int round = 0; round < 10; ++round) {
    ring.start(round);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kEach; ++i) {
          ring.fill(i * kThreads + thread);
          MPI_Pready(i * kThreads + thread, ring.sending());
        }
      });
    if (round % 2 == 0) ring.wait();  // while they are at work
    for (std::thread& thread : threads) thread.join();
    if (round % 2 == 1) ring.wait();
  }
}

// Requests meet in the order of the calls that made them, whatever the order of starts.
void made_in_one_order_and_started_in_another() {
  constexpr int kCount = 3;
  int out[kCount], in[kCount];
  MPI_Request sends[kCount], receives[kCount];
  for (int i = 0; i < kCount; ++i) {
    MPI_Psend_init(&out[i], 1, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]);
    MPI_Precv_init(&in[i], 1, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]);
  }
  for (int i = kCount - 1; i >= 0; --i) {
    out[i] = 10 * rank() + i;
    MPI_Start(&sends[i]);
    MPI_Pready(0, sends[i]);
  }
  for (const int i : {1, 0, 2}) MPI_Start(&receives[i]);
  MPI_Waitall(kCount, sends, MPI_STATUSES_IGNORE);
  MPI_Waitall(kCount, receives, MPI_STATUSES_IGNORE);
  for (int i = 0; i < kCount; ++i) {
    expect_equal(in[i], 10 * previous() + i, "number " + std::to_string(i));
    MPI_Request_free(&sends[i]);
    MPI_Request_free(&receives[i]);
  }
}

void gaps_are_left_alone() {
  constexpr int kParts = 6, kInts = 300;
  MPI_Datatype type;  // one number and a gap of one
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  MPI_Type_commit(&type);
  for (const bool at_sender : {true, false})
    for (const int receive_parts : {6, 4, 3}) {
      std::vector<int> out(2 * kInts), in(2 * kInts, -1);
      std::iota(out.begin(), out.end(), 100 * rank());
      MPI_Request requests[2];
      MPI_Psend_init(out.data(), kParts, kInts / kParts, at_sender ? type : MPI_INT, next(), kTag, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &requests[0]);
      MPI_Precv_init(in.data(), receive_parts, kInts / receive_parts, at_sender ? MPI_INT : type, previous(), kTag,
                     MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
      MPI_Startall(2, requests);
      MPI_Pready_range(0, kParts - 1, requests[0]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      int wrong = 0;
      for (int i = 0; i < kInts; ++i) {
        const auto at = static_cast<std::size_t>(at_sender ? i : 2 * i);
        wrong += in[at] != 100 * previous() + (at_sender ? 2 * i : i);
        if (!at_sender) wrong += in[at + 1] != -1;
      }
      expect_equal(wrong, 0, "wrong numbers");
      for (MPI_Request& request : requests) MPI_Request_free(&request);
    }
  MPI_Type_free(&type);
}

void freed_before_and_while_it_is_active() {
  static int out = rank();  // sent when the answer has come, which may be after the end of this test
  int in = -1;
  MPI_Request unused[2], used[2];
  MPI_Psend_init(&out, 1, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &unused[0]);
  MPI_Precv_init(&in, 1, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &unused[1]);
  for (MPI_Request& request : unused) MPI_Request_free(&request);
  MPI_Psend_init(&out, 1, 1, MPI_INT, next(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &used[0]);
  MPI_Precv_init(&in, 1, 1, MPI_INT, previous(), kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &used[1]);
  MPI_Startall(2, used);
  MPI_Pready(0, used[0]);
  MPI_Request_free(&used[0]);
  MPI_Wait(&used[1], MPI_STATUS_IGNORE);
  MPI_Request_free(&used[1]);
  expect_equal(in, previous(), "what came");
}

void with_nobody() {
  int both = 42;
  MPI_Request requests[2];
  MPI_Psend_init(&both, 1, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(&both, 1, 1, MPI_INT, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int round = 0; round < kRounds; ++round) {
    MPI_Startall(2, requests);
    expect_error(MPI_Pready(0, requests[0]), MPI_SUCCESS, "MPI_Pready");
    MPI_Status statuses[2];
    MPI_Waitall(2, requests, statuses);
    expect_from_nobody(statuses[1]);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

void misuse_is_told() {
  Ring ring(64, 8, 8);
  int flag = 0;
  expect_error(MPI_Pready(0, ring.sending()), MPI_ERR_REQUEST, "MPI_Pready before MPI_Start");
  ring.start(0);
  expect_error(MPI_Pready(8, ring.sending()), MPI_ERR_ARG, "MPI_Pready of a partition beyond the last");
  expect_error(MPI_Pready(-1, ring.sending()), MPI_ERR_ARG, "MPI_Pready of partition -1");
  expect_error(MPI_Pready_range(3, 2, ring.sending()), MPI_ERR_ARG, "MPI_Pready_range upside down");
  expect_error(MPI_Pready(0, ring.receiving()), MPI_ERR_REQUEST, "MPI_Pready of a receive");
  expect_error(MPI_Parrived(ring.sending(), 0, &flag), MPI_ERR_REQUEST, "MPI_Parrived of a send");
  expect_error(MPI_Parrived(ring.receiving(), 8, &flag), MPI_ERR_ARG, "MPI_Parrived of a partition beyond the last");
  MPI_Request request = ring.receiving();
  expect_error(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel");
  for (int i = 0; i < 8; ++i) ring.fill(i);
  MPI_Pready(0, ring.sending());
  expect_error(MPI_Pready(0, ring.sending()), MPI_ERR_ARG, "a second MPI_Pready");
  MPI_Pready_range(1, 7, ring.sending());
  ring.wait();
}

void nothing_is_missing_of_what_is_not_under_way() {
  int flag = -1;
  expect_error(MPI_Parrived(MPI_REQUEST_NULL, 3, &flag), MPI_SUCCESS, "MPI_Parrived of MPI_REQUEST_NULL");
  expect_equal(flag, 1, "the flag of MPI_REQUEST_NULL");
  const Ring ring(64, 8, 8);
  for (int i = 0; i < 8; ++i) expect(ring.arrived(i), "a partition of an inactive receive has not arrived");
}

}  // namespace

int main() {
  return run({{"whatever the numbers of partitions", whatever_the_numbers_of_partitions},
              {"buffers of different length", buffers_of_different_length},
              {"sides without partitions or numbers", sides_without_partitions_or_numbers},
              {"by ranges and by lists", by_ranges_and_by_lists},
              {"partitions arrive one by one", partitions_arrive_one_by_one},
              {"many threads at once", many_threads_at_once},
              {"made in one order and started in another", made_in_one_order_and_started_in_another},
              {"gaps are left alone", gaps_are_left_alone},
              {"freed before and while it is active", freed_before_and_while_it_is_active},
              {"with nobody", with_nobody},
              {"misuse is told", misuse_is_told},
              {"nothing is missing of what is not under way", nothing_is_missing_of_what_is_not_under_way}},
             MPI_THREAD_MULTIPLE);
}
