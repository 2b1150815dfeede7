// Buffered sends and the buffers attached to a communicator, a session or the process: MPI 5.0, 3.4 and 3.6.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 2, kCount = 5;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// Room for exactly `messages` of `bytes` each, as the standard tells programs to compute it.
std::vector<char> room_for(int messages, int bytes) {
  int packed = 0;
  MPI_Pack_size(bytes, MPI_BYTE, MPI_COMM_WORLD, &packed);
  return std::vector<char>(static_cast<std::size_t>(messages * (packed + MPI_BSEND_OVERHEAD)));
}

void send_all(int bytes, MPI_Comm comm) {
  for (int i = 0; i < kCount; ++i) {
    Message out = message(bytes, rank(), i);
    if (i % 2 == 0) {
      expect_error(MPI_Bsend(out.data(), bytes, MPI_BYTE, next(), kTag, comm), MPI_SUCCESS, "MPI_Bsend");
    } else {
      MPI_Request request;
      expect_error(MPI_Ibsend(out.data(), bytes, MPI_BYTE, next(), kTag, comm, &request), MPI_SUCCESS, "MPI_Ibsend");
      expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "MPI_Wait");
    }
    std::fill(out.begin(), out.end(), 0xdd);  // the buffer is mine again
  }
}

void receive_all(int bytes, MPI_Comm comm) {
  for (int i = 0; i < kCount; ++i) {
    Message in(static_cast<std::size_t>(bytes));
    MPI_Recv(in.data(), bytes, MPI_BYTE, previous(), kTag, comm, MPI_STATUS_IGNORE);
    expect(in == message(bytes, previous(), i), "wrong content of " + std::to_string(bytes) + " bytes");
  }
}

// Nobody receives before everybody has sent, so only the buffer can hold what is long.
void the_buffer_holds_what_cannot_go() {
  for (const int bytes : kSizes) {
    std::vector<char> room = room_for(kCount, bytes);
    const int size_bytes = static_cast<int>(room.size());
    expect_error(MPI_Buffer_attach(room.data(), size_bytes), MPI_SUCCESS, "MPI_Buffer_attach");
    for (int round = 0; round < 3; ++round) {  // the same room again
      send_all(bytes, MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
      receive_all(bytes, MPI_COMM_WORLD);
      expect_error(MPI_Buffer_flush(), MPI_SUCCESS, "MPI_Buffer_flush");
    }
    send_all(bytes, MPI_COMM_WORLD);
    receive_all(bytes, MPI_COMM_WORLD);
    void* detached = nullptr;
    int detached_bytes = -1;
    expect_error(MPI_Buffer_detach(&detached, &detached_bytes), MPI_SUCCESS, "MPI_Buffer_detach");
    expect(detached == room.data(), "another buffer is detached");
    expect_equal(detached_bytes, size_bytes, "the size of what is detached");
    std::fill(room.begin(), room.end(), '\x77');  // what was sent has gone
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void detaching_waits_for_what_is_pending() {
  constexpr int kBytes = 300'000;
  std::vector<char> room = room_for(kCount, kBytes);
  MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
  send_all(kBytes, MPI_COMM_WORLD);
  std::vector<Message> in(kCount, Message(kBytes));
  std::vector<MPI_Request> requests(kCount);
  for (std::size_t i = 0; i < kCount; ++i)
    MPI_Irecv(in[i].data(), kBytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &requests[i]);
  void* detached = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(&detached, &bytes);
  std::fill(room.begin(), room.end(), '\x77');
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < kCount; ++i)
    expect(in[static_cast<std::size_t>(i)] == message(kBytes, previous(), i), "wrong content");
}

void flushing_later() {
  constexpr int kBytes = 300'000;
  std::vector<char> room = room_for(kCount, kBytes);
  MPI_Comm_attach_buffer(MPI_COMM_WORLD, room.data(), static_cast<int>(room.size()));
  MPI_Request request;
  expect_error(MPI_Comm_iflush_buffer(MPI_COMM_WORLD, &request), MPI_SUCCESS, "MPI_Comm_iflush_buffer");
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "a flush of nothing");
  send_all(kBytes, MPI_COMM_WORLD);
  MPI_Comm_iflush_buffer(MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (size() > 1) {
    int flag = -1;
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect_equal(flag, 0, "whether the flush is over before anybody has received");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  receive_all(kBytes, MPI_COMM_WORLD);
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "MPI_Wait for the flush");
  void* detached = nullptr;
  int bytes = 0;
  MPI_Comm_detach_buffer(MPI_COMM_WORLD, &detached, &bytes);
}

void as_much_as_is_needed() {
  expect_error(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0), MPI_SUCCESS, "MPI_Buffer_attach of MPI_BUFFER_AUTOMATIC");
  for (const int bytes : kSizes) {
    send_all(bytes, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    receive_all(bytes, MPI_COMM_WORLD);
  }
  void* detached = nullptr;
  int bytes = -1;
  MPI_Buffer_detach(&detached, &bytes);
  expect(detached == MPI_BUFFER_AUTOMATIC, "MPI_BUFFER_AUTOMATIC is not what is detached");
  expect_equal(bytes, 0, "its size");
}

// The communicator's own comes first; without any, the process's serves.
void each_communicator_its_own() {
  constexpr int kBytes = 100'000;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<char> small(64), large = room_for(kCount, kBytes);
  MPI_Buffer_attach(small.data(), static_cast<int>(small.size()));
  MPI_Comm_attach_buffer(comm, large.data(), static_cast<int>(large.size()));
  send_all(kBytes, comm);
  const Message out = message(kBytes, rank(), 0);
  expect_error(MPI_Bsend(out.data(), kBytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD), MPI_ERR_BUFFER,
               "MPI_Bsend of more than the process's buffer holds");
  receive_all(kBytes, comm);
  expect_error(MPI_Comm_flush_buffer(comm), MPI_SUCCESS, "MPI_Comm_flush_buffer");
  MPI_Comm_free(&comm);  // detaches
  void* detached = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(&detached, &bytes);
  expect(detached == small.data(), "another buffer is detached");
}

void a_session_its_own() {
  constexpr int kBytes = 100'000;
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group all, turned;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  int ranges[1][3] = {{size() - 1, 0, -1}};
  MPI_Group_range_incl(all, 1, ranges, &turned);
  MPI_Comm comm;
  MPI_Comm_create_from_group(turned, "buffered", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  std::vector<char> room = room_for(1, kBytes);
  expect_error(MPI_Session_attach_buffer(session, room.data(), static_cast<int>(room.size())), MPI_SUCCESS,
               "MPI_Session_attach_buffer");
  const Message out = message(kBytes, rank(), 0);
  const int next_here = (size() - 1 - rank() + 1) % size(),
            previous_here = (size() - 1 - rank() + size() - 1) % size();
  expect_error(MPI_Bsend(out.data(), kBytes, MPI_BYTE, next_here, kTag, comm), MPI_SUCCESS, "MPI_Bsend");
  expect_error(MPI_Bsend(out.data(), kBytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD), MPI_ERR_BUFFER,
               "MPI_Bsend outside the session");
  Message in(out.size());
  MPI_Recv(in.data(), kBytes, MPI_BYTE, previous_here, kTag, comm, MPI_STATUS_IGNORE);
  expect(in == message(kBytes, size() - 1 - previous_here, 0), "wrong content");
  MPI_Request request;
  MPI_Session_iflush_buffer(session, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Session_flush_buffer(session);
  void* detached = nullptr;
  int bytes = 0;
  MPI_Session_detach_buffer(session, &detached, &bytes);
  expect(detached == room.data(), "another buffer is detached");
  MPI_Comm_free(&comm);
  MPI_Group_free(&all);
  MPI_Group_free(&turned);
  MPI_Session_finalize(&session);
}

void what_is_not_in_one_piece() {
  constexpr int kInts = 50'000;
  MPI_Datatype type;
  MPI_Type_vector(kInts, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  std::vector<char> room = room_for(1, kInts * static_cast<int>(sizeof(int)));
  MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
  std::vector<int> out(2 * kInts), in(2 * kInts, -1);
  std::iota(out.begin(), out.end(), rank());
  expect_error(MPI_Bsend(out.data(), 1, type, next(), kTag, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Bsend");
  std::fill(out.begin(), out.end(), -5);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Recv(in.data(), 1, type, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int wrong = 0;
  for (int i = 0; i < 2 * kInts; ++i) wrong += in[static_cast<std::size_t>(i)] != (i % 2 == 0 ? previous() + i : -1);
  expect_equal(wrong, 0, "wrong numbers");
  void* detached = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(&detached, &bytes);
  MPI_Type_free(&type);
}

void persistent_ones() {
  for (const int bytes : kSizes) {
    std::vector<char> room = room_for(2, bytes);
    MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
    Message out(static_cast<std::size_t>(bytes)), in(out.size());
    MPI_Request request;
    MPI_Bsend_init(out.data(), bytes, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &request);
    for (int round = 0; round < 3; ++round) {
      for (const int number : {2 * round, 2 * round + 1}) {
        std::ranges::copy(message(bytes, rank(), number), out.begin());
        expect_error(MPI_Start(&request), MPI_SUCCESS, "MPI_Start");
        expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS, "MPI_Wait");
      }
      MPI_Barrier(MPI_COMM_WORLD);
      for (const int number : {2 * round, 2 * round + 1}) {
        MPI_Recv(in.data(), bytes, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(in == message(bytes, previous(), number), "wrong content");
      }
      MPI_Buffer_flush();
    }
    MPI_Request_free(&request);
    void* detached = nullptr;
    int detached_bytes = 0;
    MPI_Buffer_detach(&detached, &detached_bytes);
  }
}

void misuse_is_told() {
  const int out = 1;
  void* detached = &detached;
  int bytes = -1;
  expect_error(MPI_Bsend(&out, 1, MPI_INT, rank(), kTag, MPI_COMM_WORLD), MPI_ERR_BUFFER,
               "MPI_Bsend without a buffer");
  expect_error(MPI_Buffer_detach(&detached, &bytes), MPI_SUCCESS, "MPI_Buffer_detach of no buffer");
  expect(detached == nullptr && bytes == 0, "something is detached");
  expect_error(MPI_Buffer_attach(detached, bytes), MPI_SUCCESS, "putting back what was detached");
  char room[1000];
  MPI_Buffer_attach(room, sizeof room);
  expect_error(MPI_Buffer_attach(room, sizeof room), MPI_ERR_BUFFER, "a second MPI_Buffer_attach");
  const std::vector<int> long_out(1000);
  expect_error(MPI_Bsend(long_out.data(), 1000, MPI_INT, rank(), kTag, MPI_COMM_WORLD), MPI_ERR_BUFFER,
               "MPI_Bsend of more than there is room for");
  MPI_Buffer_detach(&detached, &bytes);
  expect_error(MPI_Buffer_attach(nullptr, 100), MPI_ERR_BUFFER, "MPI_Buffer_attach of null");
  expect_error(MPI_Buffer_attach(room, -1), MPI_ERR_ARG, "MPI_Buffer_attach of a negative size");
}

// Left to MPI_Finalize.
void what_is_pending_at_the_end_is_delivered() {
  static std::vector<char> room = room_for(kCount, 100'000);
  MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
  static std::vector<Message> in(kCount, Message(100'000));
  MPI_Request request;
  for (Message& each : in) {
    MPI_Irecv(each.data(), 100'000, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  send_all(100'000, MPI_COMM_WORLD);
}

}  // namespace

int main() {
  return run({{"the buffer holds what cannot go", the_buffer_holds_what_cannot_go},
              {"detaching waits for what is pending", detaching_waits_for_what_is_pending},
              {"flushing later", flushing_later},
              {"as much as is needed", as_much_as_is_needed},
              {"each communicator its own", each_communicator_its_own},
              {"a session its own", a_session_its_own},
              {"what is not in one piece", what_is_not_in_one_piece},
              {"persistent ones", persistent_ones},
              {"misuse is told", misuse_is_told},
              {"what is pending at the end is delivered", what_is_pending_at_the_end_is_delivered}});
}
