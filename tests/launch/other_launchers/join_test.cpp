// How ranks find each other through a process manager, and get the memory of their node: each rank is a thread, and
// the manager is a table that they share.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <barrier>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/broker_process.hpp"
#include "bootstrap/local_socket.hpp"
#include "bootstrap/managed.hpp"
#include "bootstrap/rank_card.hpp"
#include "bootstrap/segment_meeting.hpp"

namespace antiphon::bootstrap {
namespace {

// What the managers of all ranks have in common.
struct Table {
  explicit Table(int ranks) : size(ranks), all_here(ranks) {}

  const int size;
  std::barrier<> all_here;
  std::mutex lock;
  std::map<std::string, std::string> values;
  int finished = 0;
};

class TableManager final : public ProcessManager {
 public:
  TableManager(Table& table, int rank) : table_(table), rank_(rank) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] Identity identity() const override {
    return {.rank = rank_, .size = table_.size, .appnum = rank_ % 2};
  }
  void put(const std::string& key, const std::string& value) override {
    EXPECT_LE(value.size(), kValueBytes);
    EXPECT_EQ(value.find_first_of(" =\n"), std::string::npos) << value;
    const std::lock_guard held(table_.lock);
    table_.values[key + std::to_string(rank_)] = value;
  }
  void exchange() override { table_.all_here.arrive_and_wait(); }
  [[nodiscard]] std::string get(int rank, const std::string& key) override {
    const std::lock_guard held(table_.lock);
    return table_.values.at(key + std::to_string(rank));
  }
  void finish() noexcept override {
    const std::lock_guard held(table_.lock);
    ++table_.finished;
  }
  void abort(int, const std::string&) noexcept override {}

 private:
  const std::string name_ = "a table";
  Table& table_;
  const int rank_;
};

void join_all(Table& table, std::vector<Bootstrap>& ranks, const settings::Values& of_rank_0) {
  ranks.resize(static_cast<std::size_t>(table.size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < table.size; ++rank)
    threads.emplace_back([&, rank] {
      ranks[static_cast<std::size_t>(rank)] =
          Managed::join(std::make_unique<TableManager>(table, rank), rank == 0 ? of_rank_0 : settings::Values{});
    });
  for (std::thread& thread : threads) thread.join();
}

class RanksOfOneNode : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Managed, RanksOfOneNode, testing::Values(1, 2, 3, 5, 7, 8, 16));

TEST_P(RanksOfOneNode, ShareTheMemoryThatTheLowestHasMade) {
  Table table(GetParam());
  settings::Values settings;
  settings.wait_looks = 4711;
  std::vector<Bootstrap> ranks;
  join_all(table, ranks, settings);
  for (int rank = 0; rank < table.size; ++rank) {
    const Bootstrap& mine = ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(mine.job->rank(), rank);
    EXPECT_EQ(mine.job->size(), table.size);
    EXPECT_EQ(mine.job->identity().appnum, rank % 2);
    EXPECT_EQ(mine.rank_on_node(), static_cast<std::uint32_t>(rank));
    EXPECT_EQ(mine.my_slot().pid.load(), getpid());
    EXPECT_EQ(mine.node->header().settings.wait_looks, 4711);
    EXPECT_EQ(mine.node->header().apps, table.size == 1 ? 1U : 2U);
    EXPECT_EQ(mine.node->header().broker.name_bytes, 0U);  // a job of one node needs none
    mine.job->put("key", std::to_string(rank));
  }
  for (int rank = 0; rank < table.size; ++rank) EXPECT_EQ(ranks.back().job->get(rank, "key"), std::to_string(rank));
}

TEST(Managed, TellsTheManagerOnceThatARankHasFinished) {
  Table table(2);
  std::vector<Bootstrap> ranks;
  join_all(table, ranks, {});
  ranks[0].job->enter();
  ranks[0].job->leave();
  ranks[0].job->enter();  // a session that begins later
  ranks[0].job->leave();
  EXPECT_EQ(table.finished, 1);
}

// ---- The map of the job

RankCard card(const std::string& host, const std::string& host_name) {
  RankCard card = card_of({});
  card.host = host;
  card.host_name = host_name;
  return card;
}

TEST(JobMap, NumbersNodesByTheirLowestRanks) {
  const std::vector<RankCard> cards{card("b", "second"), card("a", "first"), card("b", "second"), card("c", "first"),
                                    card("a", "first")};
  const JobMap job = map_of(cards);
  EXPECT_EQ(job.places, (std::vector<Place>{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}}));
  EXPECT_EQ(job.lowest, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(job.node_names, (std::vector<std::string>{"second", "first", "first"}));
  EXPECT_EQ(job.ranks_of(1), 2);
}

TEST(JobMap, NamesTwoRanksOfDifferentBuilds) {
  std::vector<RankCard> cards{card("a", "first"), card("b", "second")};
  cards[1].build = "0.0.9.15.abc";
  try {
    (void)map_of(cards);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(
        error.message.find("rank 0 on first uses Antiphon " + cards[0].build + " and rank 1 on second uses 0.0.9.15"),
        std::string::npos)
        << error.message;
  }
}

TEST(RankCard, IsTheSameAfterItsWayThroughAText) {
  const SegmentMeeting meeting;
  const RankCard mine = card_of(meeting.address());
  const RankCard read = decode_card(encode(mine), 3);
  EXPECT_EQ(read.build, mine.build);
  EXPECT_EQ(read.host, mine.host);
  EXPECT_EQ(read.host_name, mine.host_name);
  EXPECT_EQ(read.meeting.token, mine.meeting.token);
  EXPECT_EQ(std::string(read.meeting.name, read.meeting.name_bytes),
            std::string(mine.meeting.name, mine.meeting.name_bytes));
}

TEST(RankCard, ThatCannotBeReadNamesItsRank) {
  const std::string good = encode(card_of(SegmentMeeting().address()));
  for (const std::string& bad : {std::string(), good.substr(1 + good.find(',')), good.substr(0, good.size() - 1),
                                 good + ",more", good.substr(0, good.rfind(',')) + ",zz"}) {
    try {
      (void)decode_card(bad, 3);
      FAIL() << bad;
    } catch (const base::Error& error) {
      EXPECT_NE(error.message.find("rank 3 of this job has published '" + bad), std::string::npos) << error.message;
    }
  }
}

TEST(NodeEndpoint, IsTheSameAfterItsWayThroughAText) {
  for (const char* text : {"1", "40123,10.77.0.1", "65535,10.77.0.1,fd00::1,1.2.3.4,5.6.7.8,9.9.9.9,a::b,c::d,e::f"})
    EXPECT_EQ(encode(decode_endpoint(text)), text);
}

TEST(NodeEndpoint, ThatIsNoneIsRefused) {
  for (const char* text : {"", "0,1.2.3.4", "70000,1.2.3.4", "x", "12x,1.2.3.4", "1,1,2,3,4,5,6,7,8,9",
                           "1,0123456789012345678901234567890123456789012345678"})
    EXPECT_THROW((void)decode_endpoint(text), base::Error) << text;
}

// ---- The meeting of the ranks of a node

RankArrival arrival_of(int rank) { return {.token = {}, .rank = rank, .appnum = 4, .cpus = cpus_of_this_process()}; }

TEST(SegmentMeeting, SendsStrangersAway) {
  SegmentMeeting meeting;
  LocalAddress guessed = meeting.address();
  guessed.token[0] ^= std::byte{1};
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  std::string stranger;
  std::vector<platform::OwnedDescriptor> got;
  std::thread ranks([&] {
    const platform::OwnedDescriptor silent = connect_locally(meeting.address());
    (void)send_message(silent.get(), std::as_bytes(std::span("hello")));
    try {
      (void)attend(guessed, arrival_of(9), 0);
    } catch (const base::Error& error) {
      stranger = error.message;
    }
    got = attend(meeting.address(), arrival_of(1), 0);
  });
  const std::vector<RankArrival> arrivals = meeting.await(1);
  meeting.hand_out(std::span(pipe_ends));
  ranks.join();
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0].rank, 1);
  EXPECT_EQ(arrivals[0].appnum, 4);
  EXPECT_EQ(got.size(), 2U);
  EXPECT_NE(stranger.find("from rank 0, which creates it: it has ended, or failed"), std::string::npos) << stranger;
  for (const int end : pipe_ends) close(end);
}

TEST(SegmentMeeting, SaysWhoIsGone) {
  LocalAddress address;
  {
    const SegmentMeeting gone;
    address = gone.address();
  }
  try {
    (void)attend(address, arrival_of(1), 0);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(error.message.find("from rank 0, which creates it: Connection refused"), std::string::npos)
        << error.message;
  }
}

}  // namespace
}  // namespace antiphon::bootstrap
