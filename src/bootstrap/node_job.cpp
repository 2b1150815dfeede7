#include "bootstrap/node_job.hpp"

#include <fmt/format.h>

#include <climits>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "platform/linux/futex.hpp"

namespace antiphon::bootstrap {

NodeJob::NodeJob(NodeSegment& node, int rank)
    : Job({.rank = rank,
           .size = static_cast<int>(node.header().world_size),
           .appnum = node.slot(static_cast<std::uint32_t>(node.place(static_cast<std::uint32_t>(rank)).rank_on_node))
                         .appnum,
           .universe_size = static_cast<int>(node.header().world_size)}),
      node_(node) {}

void NodeJob::put(std::string_view key, std::string_view value) {
  Board& mine = node_.board(slot_of(rank()));
  if (!mine.add(key, value))
    base::fail(kErrOther, fmt::format("rank {} cannot publish its '{}' of {} bytes: {} are left of the {} that "
                                      "it has for all of its keys and values",
                                      rank(), key, value.size(), mine.bytes_left(), kBoardBytes));
}

std::optional<std::string> NodeJob::look_up(int rank, std::string_view key) const {
  const Place place = place_of(rank);
  if (place.node != static_cast<std::int32_t>(node_.header().node)) return std::nullopt;
  return node_.board(static_cast<std::uint32_t>(place.rank_on_node)).find(key);
}

void NodeJob::fence() {
  Header& header = node_.header();
  const std::uint32_t over = header.fences.load(std::memory_order_acquire);
  if (header.fence_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == node_.size()) {
    header.fence_arrived.store(0, std::memory_order_relaxed);
    header.fences.store(over + 1, std::memory_order_release);
    platform::futex_wake(header.fences, INT_MAX);
  }
  while (header.fences.load(std::memory_order_acquire) == over) platform::futex_wait(header.fences, over, 0);
}

}  // namespace antiphon::bootstrap
