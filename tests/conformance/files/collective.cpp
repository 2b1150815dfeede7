// Reads and writes of all processes together, with each way of carrying them out.
#include <algorithm>

#include "some_file.hpp"

using namespace conformance;

namespace {

// The ways that hints choose between.
constexpr std::pair<const char*, const char*> kWays[][3] = {
    {{"romio_cb_write", "disable"}, {"romio_cb_read", "disable"}, {"cb_nodes", "0"}},
    {{"romio_cb_write", "enable"}, {"romio_cb_read", "enable"}, {"cb_nodes", "0"}},
    {{"romio_cb_write", "enable"}, {"romio_cb_read", "enable"}, {"cb_nodes", "1"}},
    {{"romio_cb_write", "automatic"}, {"romio_cb_read", "automatic"}, {"cb_nodes", "2"}},
};

template <class Test>
void each_way(Test test) {
  for (const auto& way : kWays)
    for (const char* buffer : {"4096", "4194304"}) {
      const Hints hints{way[0], way[1], way[2], {"cb_buffer_size", buffer}};
      test(hints.info);
    }
}

class Committed {
 public:
  explicit Committed(MPI_Datatype made) : type(made) { MPI_Type_commit(&type); }
  ~Committed() { MPI_Type_free(&type); }
  Committed(const Committed&) = delete;
  Committed& operator=(const Committed&) = delete;
  MPI_Datatype type;
};

// This rank's `ints` of each piece of a file that all ranks share.
MPI_Datatype share(int ints) {
  MPI_Datatype block, made;
  MPI_Type_contiguous(ints, MPI_INT, &block);
  MPI_Type_create_resized(block, 0, MPI_Aint{4} * ints * size(), &made);
  MPI_Type_free(&block);
  return made;
}

int number_at(std::size_t i) { return static_cast<int>(i * 7 + 1); }

// Where int `i` of this rank's is in the file.
std::size_t place_of(int i, int ints) {
  return static_cast<std::size_t>((i / ints * size() + rank()) * ints + i % ints);
}

void interleaved() {
  each_way([](MPI_Info info) {
    for (const int ints : {1, 3, 128}) {
      SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, info);
      const Committed filetype(share(ints));
      MPI_File_set_view(some.file, rank() * MPI_Offset{4} * ints, MPI_INT, filetype.type, "native", MPI_INFO_NULL);
      const int mine = ints * 40;
      std::vector<int> numbers(static_cast<std::size_t>(mine)), back(numbers.size(), -1);
      for (int i = 0; i < mine; ++i) numbers[static_cast<std::size_t>(i)] = number_at(place_of(i, ints));
      MPI_Status status;
      expect_error(MPI_File_write_all(some.file, numbers.data(), mine, MPI_INT, &status), MPI_SUCCESS, "writing");
      expect_equal(count_in(status, MPI_INT), mine, "ints written");
      const auto bytes = some.contents();
      expect_equal(bytes.size(), std::size_t{4} * static_cast<std::size_t>(mine * size()), "the size");
      const int* const all = reinterpret_cast<const int*>(bytes.data());
      for (std::size_t i = 0; i < bytes.size() / 4; ++i)
        if (all[i] != number_at(i)) return fail("int " + std::to_string(i) + " is wrong", Where::current());
      expect_error(MPI_File_read_at_all(some.file, 0, back.data(), mine, MPI_INT, &status), MPI_SUCCESS, "reading");
      expect_equal(count_in(status, MPI_INT), mine, "ints read");
      expect(back == numbers, "what was read is not what was written");
    }
  });
}

void gaps_stay() {
  each_way([](MPI_Info info) {
    SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    const std::vector<unsigned char> before(static_cast<std::size_t>(size()) * 800, 0xee);
    if (rank() == 0)
      MPI_File_write_at(some.file, 0, before.data(), static_cast<int>(before.size()), MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Datatype vector;
    MPI_Type_vector(100, 3, 8 * size(), MPI_BYTE, &vector);  // three of its own eight bytes
    const Committed filetype(vector);
    MPI_File_set_view(some.file, rank() * 8, MPI_BYTE, filetype.type, "native", MPI_INFO_NULL);
    const std::vector<unsigned char> mine(300, static_cast<unsigned char>(rank()));
    expect_error(MPI_File_write_at_all(some.file, 0, mine.data(), 300, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS,
                 "writing");
    const auto bytes = some.contents();
    expect_equal(bytes.size(), before.size(), "the size");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::size_t wanted = i % 8 < 3 ? i / 8 % static_cast<std::size_t>(size()) : 0xee;
      if (bytes[i] != wanted) return fail("byte " + std::to_string(i) + " is wrong", Where::current());
    }
  });
}

void beyond_the_end() {
  each_way([](MPI_Info info) {
    SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    const int there = 5 * size() + 2;  // ints in the file
    std::vector<int> numbers(static_cast<std::size_t>(there), 4);
    if (rank() == 0) MPI_File_write_at(some.file, 0, numbers.data(), there, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    const Committed filetype(share(1));
    MPI_File_set_view(some.file, rank() * 4, MPI_INT, filetype.type, "native", MPI_INFO_NULL);
    std::vector<int> back(5000, -1);
    MPI_Status status;
    expect_error(MPI_File_read_all(some.file, back.data(), 5000, MPI_INT, &status), MPI_SUCCESS, "reading");
    const int mine = there / size() + (rank() < there % size() ? 1 : 0);
    expect_equal(count_in(status, MPI_INT), mine, "ints before the end");
    expect_equal(std::ranges::count(back, 4), static_cast<std::ptrdiff_t>(mine), "ints that were filled");
  });
}

void some_have_nothing() {
  each_way([](MPI_Info info) {
    SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    const int mine = rank() % 2 == 0 ? 100 : 0;
    const std::vector<int> numbers(100, rank());
    expect_error(
        MPI_File_write_at_all(some.file, rank() * MPI_Offset{200}, numbers.data(), mine, MPI_INT, MPI_STATUS_IGNORE),
        MPI_SUCCESS, "writing");
    std::vector<int> back(100, -1);
    MPI_Status status;
    expect_error(MPI_File_read_at_all(some.file, rank() * MPI_Offset{200}, back.data(), mine, MPI_INT, &status),
                 MPI_SUCCESS, "reading");
    expect_equal(count_in(status, MPI_INT), mine, "ints read");
    if (mine != 0 && rank() == size() - 1) expect(back == numbers, "what was read is not what was written");
  });
}

void one_is_wrong() {
  each_way([](MPI_Info info) {
    SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    const int number = 1;
    const MPI_Offset offset = rank() == size() - 1 ? -1 : rank() * MPI_Offset{4};
    const int returned = MPI_File_write_at_all(some.file, offset, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    expect_error(returned, MPI_ERR_ARG, "writing with a wrong offset on one rank");
    if (rank() != size() - 1)
      expect(text_of(returned).find("rank " + std::to_string(size() - 1)) != std::string::npos,
             "the message does not name the rank: " + text_of(returned));
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_File_iwrite_at_all(some.file, offset, &number, 1, MPI_INT, &request);
    expect_error(begun == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : begun, MPI_ERR_ARG,
                 "the same, nonblocking");
    expect_error(MPI_File_write_at_all(some.file, rank() * MPI_Offset{4}, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
                 MPI_SUCCESS, "writing after that");
    const auto bytes = some.contents();
    expect_equal(bytes.size(), std::size_t{4} * static_cast<std::size_t>(size()), "the size");
  });
}

void nonblocking() {
  each_way([](MPI_Info info) {
    SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    const Committed filetype(share(2));
    MPI_File_set_view(some.file, rank() * 8, MPI_INT, filetype.type, "native", MPI_INFO_NULL);
    std::vector<int> first(60, rank()), second(60, 100 + rank()), back(120, -1);
    MPI_Request requests[2];
    expect_error(MPI_File_iwrite_all(some.file, first.data(), 60, MPI_INT, &requests[0]), MPI_SUCCESS, "first");
    expect_error(MPI_File_iwrite_all(some.file, second.data(), 60, MPI_INT, &requests[1]), MPI_SUCCESS, "second");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Status statuses[2];
    expect_error(MPI_Waitall(2, requests, statuses), MPI_SUCCESS, "waiting");
    expect_equal(count_in(statuses[0], MPI_INT), 60, "ints of the first");
    expect_error(MPI_File_iread_at_all(some.file, 0, back.data(), 60, MPI_INT, &requests[0]), MPI_SUCCESS, "reading");
    expect_error(MPI_File_read_at_all(some.file, 60, back.data() + 60, 60, MPI_INT, &statuses[1]), MPI_SUCCESS,
                 "reading, blocking, beside a nonblocking one");
    expect_error(MPI_Wait(&requests[0], &statuses[0]), MPI_SUCCESS, "waiting");
    expect_equal(count_in(statuses[0], MPI_INT), 60, "ints read");
    first.insert(first.end(), second.begin(), second.end());
    expect(back == first, "what was read is not what was written");
  });
}

void split() {
  SomeFile some;
  const Committed filetype(share(1));
  MPI_File_set_view(some.file, rank() * 4, MPI_INT, filetype.type, "native", MPI_INFO_NULL);
  std::vector<int> numbers(50, rank()), back(50, -1);
  MPI_Status status;
  expect_error(MPI_File_write_all_begin(some.file, numbers.data(), 50, MPI_INT), MPI_SUCCESS, "beginning");
  expect_error(MPI_File_write_all_begin(some.file, numbers.data(), 50, MPI_INT), MPI_ERR_OTHER, "beginning twice");
  expect_error(MPI_File_read_all_end(some.file, back.data(), &status), MPI_ERR_OTHER, "ending another one");
  expect_error(MPI_File_write_all_end(some.file, back.data(), &status), MPI_ERR_BUFFER, "ending with another buffer");
  MPI_File closing = some.file;
  expect_error(MPI_File_close(&closing), MPI_ERR_OTHER, "closing before the end");
  expect_error(MPI_File_write_all_end(some.file, numbers.data(), &status), MPI_SUCCESS, "ending");
  expect_equal(count_in(status, MPI_INT), 50, "ints written");
  expect_error(MPI_File_write_all_end(some.file, numbers.data(), &status), MPI_ERR_OTHER, "ending twice");
  MPI_File_seek(some.file, 0, MPI_SEEK_SET);
  expect_error(MPI_File_read_all_begin(some.file, back.data(), 20, MPI_INT), MPI_SUCCESS, "beginning to read");
  expect_error(MPI_File_read_all_end(some.file, back.data(), &status), MPI_SUCCESS, "ending a read");
  expect_error(MPI_File_read_at_all_begin(some.file, 20, back.data() + 20, 30, MPI_INT), MPI_SUCCESS, "beginning");
  expect_error(MPI_File_read_at_all_end(some.file, back.data() + 20, &status), MPI_SUCCESS, "ending");
  expect(back == numbers, "what was read is not what was written");
  expect_error(MPI_File_write_at_all_begin(some.file, 0, numbers.data(), 50, MPI_INT), MPI_SUCCESS, "beginning");
  expect_error(MPI_File_write_at_all_end(some.file, numbers.data(), MPI_STATUS_IGNORE), MPI_SUCCESS, "ending");
}

void atomic_mode() {
  SomeFile some;
  MPI_File_set_atomicity(some.file, 1);
  std::vector<int> numbers(1000, rank()), back(1000, -1);
  // All write the same place.
  expect_error(MPI_File_write_at_all(some.file, 0, numbers.data(), 1000, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "writing");
  expect_error(MPI_File_read_at_all(some.file, 0, back.data(), 1000, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS,
               "reading");
  expect(std::ranges::count(back, back.front()) == 1000, "a read found parts of several writes");
}

}  // namespace

int main() {
  return run({
      {"Pieces of all ranks that lie between each other come to their places", interleaved},
      {"What nobody writes stays as it was", gaps_stay},
      {"A read ends where the file does, on each rank", beyond_the_end},
      {"Some ranks may have nothing to read or write", some_have_nothing},
      {"All ranks fail when one calls with wrong arguments, and none waits", one_is_wrong},
      {"Nonblocking ones follow one another", nonblocking},
      {"A split one begins once and ends once", split},
      {"In atomic mode one write is there in the end", atomic_mode},
  });
}
