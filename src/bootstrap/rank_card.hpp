// What a rank tells all others of its job through the launcher's process manager, before they can do anything
// together; and which ranks share a node, as all of them conclude from it. Values; pure functions, but for card_of().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "bootstrap/place.hpp"

namespace antiphon::bootstrap {

struct RankCard {
  std::string build;  // of Antiphon: ranks of different ones would not understand each other
  // Processes with the same text can share memory and meet in the abstract name space: the same running kernel,
  // network namespace and host name.
  std::string host;
  std::string host_name;  // for messages
  LocalAddress meeting;   // where the other ranks of its node get the segment, if it is the lowest of them
};

// Of this process.
[[nodiscard]] RankCard card_of(const LocalAddress& meeting);

// In letters, digits, dots and commas.
[[nodiscard]] std::string encode(const RankCard& card);
// Fails with ERR_OTHER, and what is wrong.
[[nodiscard]] RankCard decode_card(const std::string& text, int rank);

// Nodes are numbered by their lowest ranks.
struct JobMap {
  std::vector<Place> places;            // by rank
  std::vector<int> lowest;              // by node: its lowest rank
  std::vector<std::string> node_names;  // by node

  [[nodiscard]] std::size_t nodes() const { return lowest.size(); }
  [[nodiscard]] int ranks_of(int node) const;
};
// Fails with ERR_OTHER where ranks have other builds than rank 0.
[[nodiscard]] JobMap map_of(std::span<const RankCard> cards);

}  // namespace antiphon::bootstrap
