// What the ranks of a job let each other know: put, fence and get, by a thread each, with the node's memory between.
#include "bootstrap/job.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/bootstrap.hpp"

namespace antiphon::bootstrap {
namespace {

// The ranks of one job, each as its own process would find itself.
class Ranks {
 public:
  explicit Ranks(int size)
      : made_(NodeSegment::create({.size = static_cast<std::uint32_t>(size), .usable_cpus = 2},
                                  MapExtent::header_and_slots)) {
    for (int rank = 0; rank < size; ++rank)
      ranks_.push_back(discover([this, rank](const char* variable) -> std::optional<std::string> {
        if (variable == std::string_view(kJobFdVariable)) return std::to_string(dup(made_.fd()));
        if (variable == std::string_view(kRankVariable)) return std::to_string(rank);
        return std::nullopt;
      }));
  }
  [[nodiscard]] Job& operator[](int rank) const { return *ranks_[static_cast<std::size_t>(rank)].job; }

  template <class Body>
  void all(Body&& body) {
    std::vector<std::thread> threads;
    for (const Bootstrap& rank : ranks_) threads.emplace_back([&] { body(*rank.job); });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  NodeSegment made_;
  std::vector<Bootstrap> ranks_;
};

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.message;
  }
  return "none";
}

// What `rank` puts in a round: of all sizes, and of all bytes.
std::string value_of(int rank, int round) {
  std::string value(static_cast<std::size_t>(rank * 37 + round), '\0');
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(i * 31 + static_cast<unsigned>(rank));
  return value;
}

TEST(Job, FindsAfterAFenceWhatEverybodyHasPut) {
  for (const int size : {1, 2, 3, 5, 8, 16}) {
    Ranks ranks(size);
    std::atomic<int> wrong = 0;
    ranks.all([&](Job& job) {
      for (int round = 0; round < 20; ++round) {
        const std::string key = "round " + std::to_string(round);
        job.put(key, value_of(job.rank(), round));
        job.put("latest", std::to_string(round));
        job.fence();
        for (int rank = 0; rank < size; ++rank) {
          if (job.get(rank, key) != value_of(rank, round)) ++wrong;
          if (std::stoi(job.get(rank, "latest")) < round) ++wrong;
        }
      }
    });
    EXPECT_EQ(wrong, 0) << size << " ranks";
  }
}

TEST(Job, LetsNobodyThroughAFenceBeforeTheLastHasCome) {
  for (const int size : {1, 2, 3, 5, 8, 16}) {
    Ranks ranks(size);
    std::atomic<int> come = 0, early = 0;
    ranks.all([&](Job& job) {
      for (int round = 1; round <= 200; ++round) {
        ++come;
        job.fence();
        if (come < round * size) ++early;
      }
    });
    EXPECT_EQ(early, 0) << size << " ranks";
  }
}

TEST(Job, NamesTheKeyThatNobodyHasPut) {
  for (const int size : {1, 2, 3, 5, 8, 16}) {
    const Ranks ranks(size);
    Job& last = ranks[size - 1];
    last.put("here", "");
    EXPECT_EQ(last.get(size - 1, "here"), "");
    EXPECT_EQ(last.find(0, "nowhere"), std::nullopt);
    EXPECT_EQ(complaint([&] { (void)last.get(0, "nowhere"); }), "rank 0 has not published its 'nowhere'");
    EXPECT_NE(complaint([&] { (void)last.get(size, "here"); }).find("(valid: 0 to"), std::string::npos);
  }
}

TEST(Job, ReplacesAValueByALaterOne) {
  const Ranks ranks(2);
  ranks[0].put("address", "first");
  ranks[0].put("other", "thing");
  ranks[0].put("address", "second, and longer");
  EXPECT_EQ(ranks[1].get(0, "address"), "second, and longer");
  EXPECT_EQ(ranks[1].get(0, "other"), "thing");
}

TEST(Job, SaysWhenThereIsNoRoomForMore) {
  const Ranks ranks(2);
  ranks[1].put("large", std::string(kBoardBytes / 2, 'x'));
  const std::string told = complaint([&] { ranks[1].put("larger", std::string(kBoardBytes / 2, 'x')); });
  EXPECT_EQ(told.find("rank 1 cannot publish its 'larger' of 8192 bytes: "), 0U) << told;
  EXPECT_EQ(ranks[0].find(1, "larger"), std::nullopt);
  ranks[1].put("small", "fits");
  EXPECT_EQ(ranks[0].get(1, "small"), "fits");
  EXPECT_EQ(ranks[0].get(1, "large").size(), kBoardBytes / 2);
}

TEST(Job, FillsABoardToTheLastByte) {
  const Ranks ranks(1);
  std::size_t put = 0;
  while (complaint([&] { ranks[0].put("k", "v"); }) == "none") ++put;
  EXPECT_EQ(put, (kBoardBytes - sizeof(std::uint64_t)) / (2 * sizeof(std::uint32_t) + 2));
  EXPECT_EQ(ranks[0].get(0, "k"), "v");
}

}  // namespace
}  // namespace antiphon::bootstrap
