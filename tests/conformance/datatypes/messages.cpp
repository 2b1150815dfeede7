// Messages between buffers that are not in one piece: each shape to each, at lengths from below a cell to far beyond
// what is sent eagerly, found by a posted receive, by a later one or by a probe. Everybody sends to the next rank;
// one rank alone sends to itself.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 3;
constexpr int kUntouched = -1;

// In ints; each a multiple of 4.
std::vector<int> lengths() {
  if (is_simulated()) return {4, 40, 4'000};
  return {4, 40, 4'000, 20'000};
}

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// A buffer of ints, the datatype for what is sent from it, and where those ints lie, in the order in which they are
// packed.
struct Body {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int count = 1;
  std::vector<int> memory;
  std::vector<std::size_t> places;

  explicit Body(std::size_t ints) : memory(ints, kUntouched) {}
  Body(const Body&) = delete;
  Body(Body&& other) noexcept
      : type(std::exchange(other.type, MPI_DATATYPE_NULL)),
        count(other.count),
        memory(std::move(other.memory)),
        places(std::move(other.places)) {}
  ~Body() {
    if (type != MPI_DATATYPE_NULL && type != MPI_INT) MPI_Type_free(&type);
  }
  void fill(int first) {
    for (std::size_t i = 0; i < places.size(); ++i) memory[places[i]] = first + static_cast<int>(i);
  }
  // The first ints hold what fill(first) left at the sender; nothing else was touched.
  void expect_received(int first, std::size_t ints, const std::string& what) {
    for (std::size_t i = 0; i < ints; ++i) {
      int& here = memory[places[i]];
      if (here != first + static_cast<int>(i)) return expect_equal(here, first + static_cast<int>(i), what);
      here = kUntouched;
    }
    for (const int rest : memory)
      if (rest != kUntouched)
        return expect_equal(rest, kUntouched, what + ", an int that is no part of the message,");
  }
  void expect_received(int first, const std::string& what) { expect_received(first, places.size(), what); }
};

Body in_one_piece(int ints) {
  Body body(static_cast<std::size_t>(ints));
  body.type = MPI_INT;
  body.count = ints;
  body.places.resize(static_cast<std::size_t>(ints));
  std::iota(body.places.begin(), body.places.end(), std::size_t{0});
  return body;
}

// One column of a matrix of three.
Body column(int ints) {
  Body body(static_cast<std::size_t>(ints) * 3);
  MPI_Type_vector(ints, 1, 3, MPI_INT, &body.type);
  for (std::size_t i = 0; i < static_cast<std::size_t>(ints); ++i) body.places.push_back(i * 3);
  return body;
}

// The side of a block: planes of 3 rows of 2, of which the middle row is sent.
Body face(int ints) {
  const int planes = ints / 2;
  Body body(static_cast<std::size_t>(planes) * 6);
  const int sizes[] = {planes, 3, 2}, subsizes[] = {planes, 1, 2}, starts[] = {0, 1, 0};
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &body.type);
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(planes); ++plane)
    for (std::size_t i = 0; i < 2; ++i) body.places.push_back(plane * 6 + 2 + i);
  return body;
}

// Structs of five ints of which the fourth and the first two are members, in that order, and one between them is not.
Body structs(int ints) {
  const int elements = ints / 3 + 1;
  Body body(static_cast<std::size_t>(elements) * 5);
  const int lengths[] = {1, 2};
  const MPI_Aint displacements[] = {12, 0};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Datatype packed = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, displacements, types, &packed);
  MPI_Type_create_resized(packed, 0, 20, &body.type);
  MPI_Type_free(&packed);
  body.count = elements;
  for (std::size_t i = 0; i < static_cast<std::size_t>(elements); ++i)
    for (const std::size_t member : {std::size_t{3}, std::size_t{0}, std::size_t{1}})
      body.places.push_back(i * 5 + member);
  return body;
}

// Every second int from the last to the first.
Body backwards(int ints) {
  Body body(static_cast<std::size_t>(ints) * 2);
  std::vector<int> displacements;
  for (int i = ints; i-- != 0;) displacements.push_back(i * 2);
  MPI_Type_create_indexed_block(ints, 1, displacements.data(), MPI_INT, &body.type);
  for (const int displacement : displacements) body.places.push_back(static_cast<std::size_t>(displacement));
  return body;
}

// Rows with a short gap between them: long ones, where that gives as many ints as are wanted.
Body rows(int ints) {
  const int row = ints % 500 == 0 ? 500 : 4, count = ints / row;
  Body body(static_cast<std::size_t>(count) * static_cast<std::size_t>(row + 3));
  MPI_Type_vector(count, row, row + 3, MPI_INT, &body.type);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(row); ++k)
      body.places.push_back(i * static_cast<std::size_t>(row + 3) + k);
  return body;
}

// Rows long enough for the system to copy them from process to process.
template <int kRow>
Body long_rows(int ints) {
  const int count = ints / kRow;
  Body body(static_cast<std::size_t>(count) * (kRow + 100));
  MPI_Type_vector(count, kRow, kRow + 100, MPI_INT, &body.type);
  for (std::size_t i = 0; i < static_cast<std::size_t>(ints); ++i) body.places.push_back(i / kRow * 100 + i);
  return body;
}

using Shape = Body (*)(int ints);
constexpr Shape kShapes[] = {in_one_piece, column, face, structs, backwards, rows};

Body made(Shape shape, int ints) {
  Body body = shape(ints);
  if (body.type != MPI_INT) MPI_Type_commit(&body.type);
  return body;
}

// Calls use(sender's body, receiver's body, name). The receiver's is never the smaller one.
template <class Use>
void each_pair(Use use) {
  for (const int ints : lengths())
    for (std::size_t from = 0; from < std::size(kShapes); ++from)
      for (std::size_t to = 0; to < std::size(kShapes); ++to) {
        Body out = made(kShapes[from], ints);
        Body in = made(kShapes[to], static_cast<int>(out.places.size() + 3) / 4 * 4);
        out.fill(rank() * 1000);
        use(out, in, "shape " + std::to_string(from) + " to " + std::to_string(to) + ", " + std::to_string(ints));
      }
}

void posted_receives_get_every_shape() {
  each_pair([](Body& out, Body& in, const std::string& what) {
    MPI_Request requests[2];
    MPI_Irecv(in.memory.data(), in.count, in.type, previous(), kTag, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(out.memory.data(), out.count, out.type, next(), kTag, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    in.expect_received(previous() * 1000, out.places.size(), what);
  });
}

void later_receives_get_every_shape() {
  each_pair([](Body& out, Body& in, const std::string& what) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Issend(out.memory.data(), out.count, out.type, next(), kTag, MPI_COMM_WORLD, &request);
    MPI_Status status;
    MPI_Probe(previous(), kTag, MPI_COMM_WORLD, &status);
    expect_status(status, previous(), kTag, static_cast<int>(4 * out.places.size()));
    int elements = 0;
    MPI_Get_elements(&status, in.type, &elements);
    expect_equal(static_cast<std::size_t>(elements), out.places.size(), "MPI_Get_elements, " + what);
    MPI_Recv(in.memory.data(), in.count, in.type, previous(), kTag, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, in.type, &elements);
    expect_equal(static_cast<std::size_t>(elements), out.places.size(), "MPI_Get_elements, " + what);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    in.expect_received(previous() * 1000, out.places.size(), what);
  });
}

void exchanges_between_two_shapes() {
  each_pair([](Body& out, Body& in, const std::string& what) {
    MPI_Status status;
    MPI_Sendrecv(out.memory.data(), out.count, out.type, next(), kTag, in.memory.data(), in.count, in.type,
                 previous(), kTag, MPI_COMM_WORLD, &status);
    expect_status(status, previous(), kTag, static_cast<int>(4 * out.places.size()));
    in.expect_received(previous() * 1000, out.places.size(), what);
  });
}

// Whose receivers copy by themselves, in one part or several, or, beyond a length, do not.
void memory_that_peers_map_is_sent_and_received_in_every_shape() {
  for (const int ints : {20'000, is_simulated() ? 40'000 : 1'400'000})
    for (std::size_t from = 0; from < std::size(kShapes); ++from)
      for (std::size_t to = from % 2; to < std::size(kShapes); to += ints < 100'000 ? 2 : 4) {
        Body out = made(kShapes[from], ints);
        Body in = made(kShapes[to], static_cast<int>(out.places.size() + 3) / 4 * 4);
        out.fill(rank() * 1000);
        int* mapped = nullptr;
        MPI_Alloc_mem(static_cast<MPI_Aint>(4 * out.memory.size()), MPI_INFO_NULL, &mapped);
        std::copy(out.memory.begin(), out.memory.end(), mapped);
        MPI_Sendrecv(mapped, out.count, out.type, next(), kTag, in.memory.data(), in.count, in.type, previous(), kTag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        in.expect_received(
            previous() * 1000, out.places.size(),
            "mapped, shape " + std::to_string(from) + " to " + std::to_string(to) + ", " + std::to_string(ints));
        MPI_Free_mem(mapped);
      }
}

// Both sides know both layouts, and each copies parts.
void long_rows_arrive_in_other_rows() {
  const int ints = is_simulated() ? 30'000 : 360'000;
  constexpr Shape kLong[] = {in_one_piece, long_rows<3000>, long_rows<2500>, rows};
  for (std::size_t from = 0; from < std::size(kLong); ++from)
    for (std::size_t to = 0; to < std::size(kLong); ++to)
      for (const bool truncated : {false, true}) {
        Body out = made(kLong[from], ints), in = made(kLong[to], truncated ? ints / 2 : ints);
        out.fill(rank() * 1000);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(out.memory.data(), out.count, out.type, next(), kTag, MPI_COMM_WORLD, &request);
        const int returned =
            MPI_Recv(in.memory.data(), in.count, in.type, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const std::string what = "long rows, shape " + std::to_string(from) + " to " + std::to_string(to);
        expect_error(returned, truncated ? MPI_ERR_TRUNCATE : MPI_SUCCESS, what);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        in.expect_received(previous() * 1000, what);
      }
}

// What does not fit is dropped, what fits arrives, and nothing else is written.
void too_short_a_buffer_truncates() {
  for (const Shape shape : {column, face, backwards})
    for (const int ints : lengths()) {
      Body out = made(shape, ints), in = made(shape, ints / 2);
      out.fill(rank() * 1000);
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(out.memory.data(), out.count, out.type, next(), kTag, MPI_COMM_WORLD, &request);
      const int returned =
          MPI_Recv(in.memory.data(), in.count, in.type, previous(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect_error(returned, MPI_ERR_TRUNCATE, "MPI_Recv into too short a buffer");
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      in.expect_received(previous() * 1000, "what fits into half a buffer");
    }
}

// A count of whole types is told where there is one, else only a number of ints.
void a_part_of_a_type_is_counted_in_elements() {
  const int three[] = {7, 8, 9};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(three, 3, MPI_INT, next(), kTag, MPI_COMM_WORLD, &request);
  Body in = made(column, 4);
  MPI_Status status;
  MPI_Recv(in.memory.data(), 1, in.type, previous(), kTag, MPI_COMM_WORLD, &status);
  int count = 0, elements = 0;
  MPI_Get_count(&status, in.type, &count);
  MPI_Get_elements(&status, in.type, &elements);
  expect_equal(count, MPI_UNDEFINED, "MPI_Get_count of three quarters of a type");
  expect_equal(elements, 3, "MPI_Get_elements of three quarters of a type");
  in.expect_received(7, 3, "three ints");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void a_type_may_be_freed_while_it_is_used() {
  for (const int ints : lengths()) {
    Body out = made(column, ints), in = made(backwards, ints);
    out.fill(rank() * 1000);
    MPI_Request requests[2];
    MPI_Irecv(in.memory.data(), 1, in.type, previous(), kTag, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(out.memory.data(), 1, out.type, next(), kTag, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&in.type);
    MPI_Type_free(&out.type);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    in.expect_received(previous() * 1000, "a message whose types are freed");
  }
}

// Displacements from MPI_BOTTOM, to two variables that have nothing to do with each other.
void absolute_addresses_need_no_buffer() {
  int here = rank(), got = kUntouched;
  double there = rank() + 0.5, got_there = -1;
  const auto both = [](int* first, double* second) {
    MPI_Aint displacements[2];
    MPI_Get_address(first, &displacements[0]);
    MPI_Get_address(second, &displacements[1]);
    const int lengths[] = {1, 1};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, displacements, types, &type);
    MPI_Type_commit(&type);
    return type;
  };
  MPI_Datatype out = both(&here, &there), in = both(&got, &got_there);
  MPI_Sendrecv(MPI_BOTTOM, 1, out, next(), kTag, MPI_BOTTOM, 1, in, previous(), kTag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  expect_equal(got, previous(), "the int");
  expect_equal(got_there, previous() + 0.5, "the double");
  MPI_Type_free(&out);
  MPI_Type_free(&in);
}

void nobody_takes_every_shape() {
  for (const Shape shape : kShapes) {
    Body body = made(shape, 40);
    MPI_Status status;
    expect_error(MPI_Send(body.memory.data(), body.count, body.type, MPI_PROC_NULL, kTag, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Send to nobody");
    expect_error(MPI_Recv(body.memory.data(), body.count, body.type, MPI_PROC_NULL, kTag, MPI_COMM_WORLD, &status),
                 MPI_SUCCESS, "MPI_Recv from nobody");
    expect_from_nobody(status);
  }
}

void a_type_must_be_committed() {
  Body body = column(4);
  expect_error(MPI_Send(body.memory.data(), 1, body.type, next(), kTag, MPI_COMM_WORLD), MPI_ERR_TYPE,
               "MPI_Send with a type that is not committed");
  expect_error(MPI_Recv(body.memory.data(), 1, body.type, next(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
               MPI_ERR_TYPE, "MPI_Recv with a type that is not committed");
}

}  // namespace

int main() {
  return run({{"posted receives get every shape", posted_receives_get_every_shape},
              {"later receives get every shape", later_receives_get_every_shape},
              {"exchanges between two shapes", exchanges_between_two_shapes},
              {"memory that peers map is sent and received in every shape",
               memory_that_peers_map_is_sent_and_received_in_every_shape},
              {"long rows arrive in other rows", long_rows_arrive_in_other_rows},
              {"too short a buffer truncates", too_short_a_buffer_truncates},
              {"a part of a type is counted in elements", a_part_of_a_type_is_counted_in_elements},
              {"a type may be freed while it is used", a_type_may_be_freed_while_it_is_used},
              {"absolute addresses need no buffer", absolute_addresses_need_no_buffer},
              {"nobody takes every shape", nobody_takes_every_shape},
              {"a type must be committed", a_type_must_be_committed}});
}
