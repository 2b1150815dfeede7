// Who shares a node with whom, from any process's point of view, and processes that come later.
#include "bootstrap/process_table.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace antiphon::bootstrap {
namespace {

// Ranks dealt out to the nodes one by one.
std::vector<Place> dealt_out(int size, int nodes) {
  std::vector<Place> places;
  for (int rank = 0; rank < size; ++rank) places.push_back({.node = rank % nodes, .rank_on_node = rank / nodes});
  return places;
}

TEST(ProcessTable, KnowsEverybodysPlaceAndItsOwnNeighbours) {
  for (const int size : {1, 2, 3, 5, 8, 16})
    for (const int nodes : {1, 2, 3}) {
      const std::vector<Place> places = dealt_out(size, nodes);
      for (int self = 0; self < size; ++self) {
        const ProcessTable table(self, places);
        EXPECT_EQ(table.self(), self);
        EXPECT_EQ(table.size(), size);
        int neighbours = 0;
        for (int process = 0; process < size; ++process) {
          EXPECT_EQ(table.place(process), places[static_cast<std::size_t>(process)]);
          EXPECT_EQ(table.is_neighbour(process), process % nodes == self % nodes);
          if (!table.is_neighbour(process)) continue;
          ++neighbours;
          EXPECT_EQ(table.neighbour(table.rank_on_node(process)), process);
        }
        EXPECT_EQ(table.neighbours(), neighbours);
        EXPECT_EQ(table.all_are_neighbours(), neighbours == size);
      }
    }
}

TEST(ProcessTable, GivesThoseWhoComeLaterTheNextNumbers) {
  ProcessTable table(1, dealt_out(3, 1));
  EXPECT_TRUE(table.all_are_neighbours());
  EXPECT_EQ(table.add({.node = 1, .rank_on_node = 0}), 3);
  EXPECT_EQ(table.add({.node = 0, .rank_on_node = 3}), 4);
  EXPECT_EQ(table.size(), 5);
  EXPECT_FALSE(table.is_neighbour(3));
  EXPECT_TRUE(table.is_neighbour(4));
  EXPECT_EQ(table.neighbour(3), 4);
  EXPECT_FALSE(table.all_are_neighbours());
}

}  // namespace
}  // namespace antiphon::bootstrap
