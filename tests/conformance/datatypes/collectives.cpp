// Collectives on buffers that are not in one piece: each rank's block is a column of a matrix, and what lies between
// columns stays as it was.
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kRows = 700, kWide = 3;  // a column of so many doubles, of a matrix so wide
constexpr double kUntouched = -1;

struct Column {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Column() {
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Type_vector(kRows, 1, kWide, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, kRows * kWide * static_cast<int>(sizeof(double)), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&column);
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() { MPI_Type_free(&type); }
};

double value(int from, int to, int row) { return from * 1e6 + to * 1e3 + row; }

// So many matrices; the first column of each is what is sent or received.
class Matrices {
 public:
  explicit Matrices(int number)
      : memory_(static_cast<std::size_t>(number) * kRows * kWide, kUntouched), number_(number) {}
  void* data() { return memory_.data(); }
  double& at(int matrix, int row) { return memory_[static_cast<std::size_t>((matrix * kRows + row) * kWide)]; }
  template <class Value>
  void fill(Value value_of) {
    for (int matrix = 0; matrix < number_; ++matrix)
      for (int row = 0; row < kRows; ++row) at(matrix, row) = value_of(matrix, row);
  }
  template <class Value>
  void expect_columns(Value value_of, const std::string& what, const Where& where = Where::current()) {
    for (int matrix = 0; matrix < number_; ++matrix)
      for (int row = 0; row < kRows; ++row) {
        if (at(matrix, row) != value_of(matrix, row))
          return expect_equal(at(matrix, row), value_of(matrix, row), what, where);
        at(matrix, row) = kUntouched;
      }
    for (const double rest : memory_)
      if (rest != kUntouched) return expect_equal(rest, kUntouched, what + ", between the columns,", where);
  }

 private:
  std::vector<double> memory_;
  int number_;
};

void bcast() {
  const Column column;
  for (int root = 0; root < size(); ++root) {
    Matrices matrices(2);
    const auto values = [&](int matrix, int row) { return value(root, matrix, row); };
    if (rank() == root) matrices.fill(values);
    MPI_Bcast(matrices.data(), 2, column.type, root, MPI_COMM_WORLD);
    matrices.expect_columns(values, "MPI_Bcast");
  }
}

void gather() {
  const Column column;
  for (int root = 0; root < size(); ++root) {
    Matrices mine(1), all(size());
    mine.fill([&](int, int row) { return value(rank(), root, row); });
    MPI_Gather(mine.data(), 1, column.type, all.data(), 1, column.type, root, MPI_COMM_WORLD);
    if (rank() == root) all.expect_columns([&](int from, int row) { return value(from, root, row); }, "MPI_Gather");
  }
}

void gather_in_place() {
  const Column column;
  Matrices all(size());
  for (int row = 0; row < kRows; ++row) all.at(rank(), row) = value(rank(), 0, row);
  const void* mine = rank() == 0 ? MPI_IN_PLACE : &all.at(rank(), 0);
  MPI_Gather(mine, 1, column.type, all.data(), 1, column.type, 0, MPI_COMM_WORLD);
  if (rank() == 0) all.expect_columns([](int from, int row) { return value(from, 0, row); }, "MPI_Gather in place");
}

void scatter() {
  const Column column;
  for (int root = 0; root < size(); ++root) {
    Matrices mine(1), all(size());
    all.fill([&](int to, int row) { return value(root, to, row); });
    MPI_Scatter(all.data(), 1, column.type, mine.data(), 1, column.type, root, MPI_COMM_WORLD);
    mine.expect_columns([&](int, int row) { return value(root, rank(), row); }, "MPI_Scatter");
  }
}

void allgather() {
  const Column column;
  Matrices mine(1), all(size());
  mine.fill([](int, int row) { return value(rank(), 0, row); });
  MPI_Allgather(mine.data(), 1, column.type, all.data(), 1, column.type, MPI_COMM_WORLD);
  all.expect_columns([](int from, int row) { return value(from, 0, row); }, "MPI_Allgather");
}

void allgather_in_place() {
  const Column column;
  Matrices all(size());
  for (int row = 0; row < kRows; ++row) all.at(rank(), row) = value(rank(), 0, row);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, column.type, MPI_COMM_WORLD);
  all.expect_columns([](int from, int row) { return value(from, 0, row); }, "MPI_Allgather in place");
}

// From columns to doubles without gaps, and back.
void alltoall() {
  const Column column;
  Matrices out(size()), in(size());
  std::vector<double> packed(static_cast<std::size_t>(size() * kRows));
  out.fill([](int to, int row) { return value(rank(), to, row); });
  MPI_Alltoall(out.data(), 1, column.type, packed.data(), kRows, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int from = 0; from < size(); ++from)
    for (int row = 0; row < kRows; ++row)
      expect_equal(packed[static_cast<std::size_t>(from * kRows + row)], value(from, rank(), row), "MPI_Alltoall");
  MPI_Alltoall(packed.data(), kRows, MPI_DOUBLE, in.data(), 1, column.type, MPI_COMM_WORLD);
  in.expect_columns([](int to, int row) { return value(rank(), to, row); }, "MPI_Alltoall and back");
}

// Pair types have padding inside, which arithmetic must step over.
void pairs_with_padding() {
  struct Pair {
    double value;
    int index;
  };
  std::vector<Pair> mine(100), all(100);
  for (int i = 0; i < 100; ++i) mine[static_cast<std::size_t>(i)] = {i * (rank() + 1.0), rank()};
  MPI_Allreduce(mine.data(), all.data(), 100, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 100; ++i) {
    expect_equal(all[static_cast<std::size_t>(i)].value, i * double(size()), "the greatest");
    expect_equal(all[static_cast<std::size_t>(i)].index, i == 0 ? 0 : size() - 1, "whose it is");
  }
}

}  // namespace

int main() {
  return run({{"broadcast", bcast},
              {"gather", gather},
              {"gather in place", gather_in_place},
              {"scatter", scatter},
              {"allgather", allgather},
              {"allgather in place", allgather_in_place},
              {"alltoall", alltoall},
              {"pairs with padding", pairs_with_padding}});
}
