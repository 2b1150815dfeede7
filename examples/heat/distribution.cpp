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

}  // namespace

std::vector<double> deal(const ProcessGrid& grid, const Temperatures& all, antiphon::communicator comm) {
  if (comm.rank() != 0) return comm.recv<std::vector<double>>({.from = 0, .tag = kDeal});
  for (int other = 1; other < grid.size(); ++other)
    comm.send(cut_out(all, grid.rectangle(other)), {.to = other, .tag = kDeal});
  return cut_out(all, grid.rectangle(0));
}

Temperatures gather(const ProcessGrid& grid, const std::vector<double>& mine, antiphon::communicator comm) {
  if (comm.rank() != 0) {
    comm.send(mine, {.to = 0, .tag = kGather});
    return {};
  }

  // Posts all receives at once, and copies the parts in the order in which they arrive.
  const auto receive_from = [&](int other) {
    return comm.irecv(std::vector<double>(area(grid.rectangle(other))), {.from = other, .tag = kGather});
  };
  std::vector<decltype(receive_from(0))> parts;
  for (int other = 1; other < grid.size(); ++other) parts.push_back(receive_from(other));

  Temperatures all(grid.width(), grid.height());
  put_back(all, grid.rectangle(0), mine);
  while (const auto index = antiphon::wait_any(parts))
    put_back(all, grid.rectangle(static_cast<int>(*index) + 1), parts[*index].get());
  return all;
}
