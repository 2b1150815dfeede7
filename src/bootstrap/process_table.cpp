#include "bootstrap/process_table.hpp"

namespace antiphon::bootstrap {

ProcessTable::ProcessTable(const Job& job)
    : self_(job.rank()), my_node_(job.place_of(job.rank()).node), places_(static_cast<std::size_t>(job.size())) {
  for (int rank = 0; rank < job.size(); ++rank) add(job.place_of(rank));
}

ProcessTable::ProcessTable(int self, std::span<const Place> places)
    : self_(self), my_node_(places[static_cast<std::size_t>(self)].node), places_(places.size()) {
  for (const Place& place : places) add(place);
}

int ProcessTable::add(Place place) {
  const int process = size();
  places_.set(static_cast<std::size_t>(process), place);
  if (place.node == my_node_) neighbours_.set(static_cast<std::size_t>(place.rank_on_node), process);
  return process;
}

}  // namespace antiphon::bootstrap
