// A simulated job that cannot go on says who waits for whom, and never hangs itself. 1, 2, 3 and 8 ranks.
#include <gtest/gtest.h>

#include <array>

#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Ref;

constexpr std::uint32_t kContext = 2;

Ref<objects::Comm> world_of(const World& world, const Rank& rank) {
  return Ref<objects::Comm>::adopt(new objects::Comm(
      kContext, Ref<objects::Group>::adopt(new objects::Group(world.size())), rank.number(), {}, "everyone"));
}

class Deadlock : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Deadlock, testing::Values(1, 2, 3, 8));

TEST_P(Deadlock, OfARingOfReceivesNamesEveryRankAndItsPeer) {
  World world(GetParam(), {}, 7);
  const std::string report = world.run([&](Rank& rank) {
    const auto comm = world_of(world, rank);
    std::array<std::byte, 16> buffer{};
    const int peer = (rank.number() + 1) % world.size();
    rank.pt2pt().receive({buffer.data(), buffer.size(), peer, 5, *comm, comm->user_space()});
  });
  for (int rank = 0; rank < world.size(); ++rank)
    EXPECT_NE(report.find("rank " + std::to_string(rank) + " waits for rank " +
                          std::to_string((rank + 1) % world.size()) + ", tag 5, everyone, 16 bytes"),
              std::string::npos)
        << report;
}

TEST_P(Deadlock, OfSynchronousSendsThatNobodyReceivesIsFound) {
  World world(GetParam(), {.packets_per_pair = 1, .refuse_percent = 30}, 8);
  const std::string report = world.run([&](Rank& rank) {
    const auto comm = world_of(world, rank);
    const std::array<std::byte, 100> data{};
    rank.pt2pt().send({data.data(), data.size(), (rank.number() + 1) % world.size(), 1, *comm, comm->user_space(),
                       pt2pt::Mode::synchronous});
  });
  EXPECT_NE(report.find("deadlock"), std::string::npos);
}

TEST_P(Deadlock, IsNotReportedForAProgramThatEnds) {
  World world(GetParam(), {.packets_per_pair = 1, .max_delay = 1000, .refuse_percent = 50}, 9);
  const std::string report = world.run([&](Rank& rank) {
    const auto comm = world_of(world, rank);
    std::array<std::byte, 1000> in{}, out{};
    const int to = (rank.number() + 1) % world.size(), from = (rank.number() + world.size() - 1) % world.size();
    const auto receive = rank.pt2pt().start_receive({in.data(), in.size(), from, 1, *comm, comm->user_space()});
    rank.pt2pt().send({out.data(), out.size(), to, 1, *comm, comm->user_space(), pt2pt::Mode::synchronous});
    rank.progress().wait(*receive);
    EXPECT_EQ(receive->outcome.bytes, 1000);
  });
  EXPECT_EQ(report, "");
}

}  // namespace
}  // namespace antiphon::sim
