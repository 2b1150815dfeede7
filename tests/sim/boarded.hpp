// For simulations of communicators that have a board: how they come to one, and what a trace of them says.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "world.hpp"

namespace antiphon::sim {

inline constexpr int kBeforeABoard = 4;

inline settings::Values counting() {
  settings::Values values;
  values.counters = settings::Counters::on;
  return values;
}

inline objects::Ref<objects::Comm> comm_of(std::vector<int> members, int rank, std::uint32_t context) {
  using objects::Ref;
  const auto place = std::ranges::find(members, rank) - members.begin();
  auto group = Ref<objects::Group>::adopt(new objects::Group(std::move(members)));
  return Ref<objects::Comm>::adopt(new objects::Comm(context, std::move(group), static_cast<int>(place), {}, "some"));
}
inline objects::Ref<objects::Comm> everybody(int size, int rank) {
  std::vector<int> members(static_cast<std::size_t>(size));
  std::iota(members.begin(), members.end(), 0);
  return comm_of(std::move(members), rank, 8);
}

// Runs body(rank, comm) as every rank, on a communicator that has a board.
template <class Body>
std::string run_with_board(World& world, Body body) {
  return world.run([&](Rank& rank) {
    const objects::Ref<objects::Comm> comm = everybody(world.size(), rank.number());
    for (int i = 0; i < kBeforeABoard; ++i) rank.engines().coll().barrier(*comm);
    EXPECT_NE(comm->board(), nullptr);
    body(rank, *comm);
  });
}

inline int count_of(const Trace& trace, TraceEvent::What what, std::size_t since) {
  return static_cast<int>(std::count_if(trace.begin() + static_cast<std::ptrdiff_t>(since), trace.end(),
                                        [&](const TraceEvent& event) { return event.what == what; }));
}

}  // namespace antiphon::sim
