#include "distribution.hpp"

namespace {

enum Tag { kDeal = 10, kGather };

std::size_t area(const Rectangle& part) {
  return static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height);
}

std::vector<double> cut_out(const Temperatures& all, const Rectangle& part) {
  std::vector<double> cells;
  cells.reserve(area(part));
  for (int y = part.y; y < part.y + part.height; ++y) {
    for (int x = part.x; x < part.x + part.width; ++x) cells.push_back(all.at(x, y));
  }
  return cells;
}

void put_back(Temperatures& all, const Rectangle& part, const std::vector<double>& cells) {
  auto next = cells.begin();
  for (int y = part.y; y < part.y + part.height; ++y) {
    for (int x = part.x; x < part.x + part.width; ++x) all.at(x, y) = *next++;
  }
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

std::vector<double> deal(const ProcessGrid& grid, const Temperatures& all, MPI_Comm comm) {
  const int rank = rank_in(comm);
  if (rank != 0) {
    std::vector<double> mine(area(grid.rectangle(rank)));
    MPI_Recv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, kDeal, comm, MPI_STATUS_IGNORE);
    return mine;
  }
  for (int other = 1; other < grid.size(); ++other) {
    const std::vector<double> cells = cut_out(all, grid.rectangle(other));
    MPI_Send(cells.data(), static_cast<int>(cells.size()), MPI_DOUBLE, other, kDeal, comm);
  }
  return cut_out(all, grid.rectangle(0));
}

Temperatures gather(const ProcessGrid& grid, const std::vector<double>& mine, MPI_Comm comm) {
  if (rank_in(comm) != 0) {
    MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, kGather, comm);
    return {};
  }

  // All receives are posted at once, and the parts taken in the order in which they arrive.
  const int others = grid.size() - 1;
  std::vector<std::vector<double>> parts;
  std::vector<MPI_Request> requests(static_cast<std::size_t>(others));
  for (int other = 1; other <= others; ++other) {
    auto& part = parts.emplace_back(area(grid.rectangle(other)));
    MPI_Irecv(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, other, kGather, comm,
              &requests[static_cast<std::size_t>(other - 1)]);
  }

  Temperatures all(grid.width(), grid.height());
  put_back(all, grid.rectangle(0), mine);
  for (int received = 0; received < others; ++received) {
    int index = 0;
    MPI_Waitany(others, requests.data(), &index, MPI_STATUS_IGNORE);
    put_back(all, grid.rectangle(index + 1), parts[static_cast<std::size_t>(index)]);
  }
  return all;
}
