// Orders and events as bytes, and bytes that are none.
#include <gtest/gtest.h>

#include <random>

#include "allocated_bytes.hpp"
#include "wire/messages.hpp"

namespace antiphon::launch {
namespace {

JobDescription some_job() {
  JobDescription job{
      .apps = {App{.ranks = 2,
                   .environment = {{"A", "1"}, {"B", ""}},
                   .working_directory = "/tmp",
                   .search_path = "/opt",
                   .command = {"./a", "b c"}},
               App{.ranks = 1, .environment = {}, .working_directory = {}, .search_path = {}, .command = {"x"}}},
      .environment = {"PATH=/bin", "EMPTY="},
      .variables = {{"V", "W"}},
      .settings = {{"ANTIPHON_X", "3"}},
      .bind_to = BindTo::l3cache,
      .map_by = MapBy::numa,
      .streams = {{.kind = StreamShape::Kind::terminal, .rows = 24, .columns = 80}, {}},
      .places = {{0, 0}, {1, 0}, {0, 1}},
      .node_names = {"a", "b"},
      .working_directory = "/home/user",
      .ports = {.first = 5000, .last = 5010},
      .interfaces = {"eth0"},
      .tell_details = true,
      .daemon = "/opt/antiphon-node",
      .launch = {.words = {"ssh", "-x"}, .has_shell = false},
      .fan_out = 3};
  job.limits.soft[RLIMIT_CORE] = 17;
  job.limits.umask = 027;
  job.secret.fill(std::byte{0x5a});
  return job;
}

RankView some_rank() {
  RankView view;
  view.rank = 2;
  view.pid = 77;
  view.condition = RankView::Condition::asleep;
  view.sleeps = 9;
  view.failure.emplace();
  return view;
}

// One of each kind.
std::vector<NodeOrder> orders() {
  return {Prepare{some_job()},
          Start{.brokers = {{.port = 5000, .addresses = {"10.0.0.1", "fd00::1"}}, {}}},
          SignalRanks{10},
          SignalAll{9},
          Look{.number = 4, .even_if_some_run = true},
          HoldOutput{.stream = 1, .hold = true},
          CloseOutput{0},
          Input{"some\0input"},
          Pause{},
          Continue{},
          Finish{}};
}

std::vector<NodeEvent> events() {
  return {Prepared{.binding = {{0, 1}, {}, {7}}, .broker = {.port = 1, .addresses = {"::1"}}},
          Started{{11, 12}},
          Failed{.exit_status = 127, .message = "no such program"},
          Printed{.rank = 1, .stream = 1, .bytes = "printed\n"},
          StreamEnded{.rank = 1, .stream = 0},
          Aborted{.rank = -1, .code = 5, .text = "why"},
          Ended{.ranks = {{.rank = 0, .pid = 11, .wait_status = 9, .state = bootstrap::RankState::finalized}},
                .kills = {.before = 1, .now = 2}},
          Seen{.number = 4, .some_run = true, .ranks = {some_rank(), {}}},
          InputTaken{1000},
          Note{"a note"},
          Finished{{RankCounters{1, 2, 3}}},
          Lost{"gone"}};
}

// Every kind of message is there, and in the order in which the variant has them.
template <class Message>
void expect_all_kinds(const std::vector<Message>& messages) {
  ASSERT_EQ(messages.size(), std::variant_size_v<Message>);
  for (std::size_t kind = 0; kind < messages.size(); ++kind) EXPECT_EQ(messages[kind].index(), kind);
}

// Encoding what was decoded gives the same bytes again. That members are not left out, the next tests see.
TEST(Messages, OfEveryKindComeBack) {
  expect_all_kinds(orders());
  expect_all_kinds(events());
  for (const NodeOrder& order : orders()) {
    const std::string bytes = encode(order);
    const NodeOrder back = decode_order(bytes);
    EXPECT_EQ(back.index(), order.index());
    EXPECT_EQ(encode(back), bytes);
  }
  for (const NodeEvent& event : events()) {
    const std::string bytes = encode(event);
    const NodeEvent back = decode_event(bytes);
    EXPECT_EQ(back.index(), event.index());
    EXPECT_EQ(encode(back), bytes);
  }
}

TEST(Messages, CarryAllThatAJobIs) {
  const JobDescription job = some_job();
  const std::string bytes = encode(NodeOrder{Prepare{job}});
  const JobDescription back = std::get<Prepare>(decode_order(bytes)).job;
  ASSERT_EQ(back.apps.size(), 2U);
  EXPECT_EQ(back.apps[0].ranks, 2);
  EXPECT_EQ(back.apps[0].environment[1].name, "B");
  EXPECT_EQ(back.apps[0].working_directory, "/tmp");
  EXPECT_EQ(back.apps[0].search_path, "/opt");
  EXPECT_EQ(back.apps[0].command, job.apps[0].command);
  EXPECT_EQ(back.environment, job.environment);
  EXPECT_EQ(back.variables[0].value, "W");
  EXPECT_EQ(back.settings[0].name, "ANTIPHON_X");
  EXPECT_EQ(back.bind_to, job.bind_to);
  EXPECT_EQ(back.map_by, job.map_by);
  ASSERT_EQ(back.streams.size(), 2U);
  EXPECT_EQ(back.streams[0].columns, 80);
  EXPECT_EQ(back.places, job.places);
  EXPECT_EQ(back.node_names, job.node_names);
  EXPECT_EQ(back.working_directory, job.working_directory);
  EXPECT_EQ(back.limits.soft, job.limits.soft);
  EXPECT_EQ(back.limits.umask, job.limits.umask);
  EXPECT_EQ(back.secret, job.secret);
  EXPECT_EQ(back.ports.last, 5010);
  EXPECT_EQ(back.interfaces, job.interfaces);
  EXPECT_TRUE(back.tell_details);
  EXPECT_EQ(back.daemon, job.daemon);
  EXPECT_EQ(back.launch.words, job.launch.words);
  EXPECT_FALSE(back.launch.has_shell);
  EXPECT_EQ(back.fan_out, 3);
}

TEST(Messages, CarryAllThatEventsSay) {
  const std::vector<std::string> bytes = [] {
    std::vector<std::string> all;
    for (const NodeEvent& event : events()) all.push_back(encode(event));
    return all;
  }();
  const auto prepared = std::get<Prepared>(decode_event(bytes[0]));
  EXPECT_EQ(prepared.binding, (std::vector<std::vector<int>>{{0, 1}, {}, {7}}));
  EXPECT_EQ(prepared.broker.addresses, std::vector<std::string>{"::1"});
  EXPECT_EQ(std::get<Started>(decode_event(bytes[1])).pids, (std::vector<pid_t>{11, 12}));
  EXPECT_EQ(std::get<Failed>(decode_event(bytes[2])).message, "no such program");
  const auto printed = std::get<Printed>(decode_event(bytes[3]));
  EXPECT_EQ(std::tuple(printed.rank, printed.stream, printed.bytes), std::tuple(1, 1U, "printed\n"));
  EXPECT_EQ(std::get<Aborted>(decode_event(bytes[5])).text, "why");
  const auto ended = std::get<Ended>(decode_event(bytes[6]));
  EXPECT_EQ(std::tuple(ended.ranks.at(0).pid, ended.ranks[0].wait_status, ended.kills.now), std::tuple(11, 9, 2U));
  const auto seen = std::get<Seen>(decode_event(bytes[7]));
  ASSERT_EQ(seen.ranks.size(), 2U);
  EXPECT_EQ(std::tuple(seen.number, seen.some_run, seen.ranks[0].pid, seen.ranks[0].sleeps),
            std::tuple(4U, true, 77, 9U));
  EXPECT_TRUE(seen.ranks[0].failure);
  EXPECT_FALSE(seen.ranks[1].failure);
  EXPECT_EQ(std::get<Finished>(decode_event(bytes[10])).counted.at(0)[2], 3U);
}

TEST(Messages, ThatPauseAreKnownWithoutDecoding) {
  for (const NodeOrder& order : orders())
    EXPECT_EQ(is_pause(encode(order)), std::holds_alternative<Pause>(order)) << order.index();
  EXPECT_FALSE(is_pause(""));
  EXPECT_EQ(encode(NodeOrder{Pause{}}).size(), 1U);  // its kind, and nothing that differs from one to the next
}

// Decodes them, whatever they are. A value in memory is larger than its bytes, and a growing vector is copied.
void survive(const std::string& bytes) {
  constexpr std::size_t kPerByte = 256, kOnce = 64 << 10;
  const std::size_t before = allocated_bytes();
  try {
    const NodeOrder order = decode_order(bytes);
    (void)encode(order);
  } catch (const Malformed&) {
  }
  try {
    const NodeEvent event = decode_event(bytes);
    (void)encode(event);
  } catch (const Malformed&) {
  }
  ASSERT_LT(allocated_bytes() - before, kOnce + kPerByte * bytes.size());
}

TEST(Messages, OfRandomBytesAreRefusedOrUnderstoodAndTakeLittleMemory) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(std::uniform_int_distribution<std::size_t>(0, 300)(random), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (!bytes.empty()) bytes[0] = static_cast<char>(random() % 14);
    survive(bytes);
  }
}

TEST(Messages, ThatWereChangedAreRefusedOrUnderstoodAndTakeLittleMemory) {
  std::vector<std::string> good;
  for (const NodeOrder& order : orders()) good.push_back(encode(order));
  for (const NodeEvent& event : events()) good.push_back(encode(event));
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good[random() % good.size()];
    for (auto changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 5) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
          break;
        case 2:
          bytes.resize(at + 1);
          break;
        case 3:
          bytes.insert(at, 1 + random() % 9, static_cast<char>(random()));
          break;
        default:
          bytes.replace(at, 4, "\xff\xff\xff\xff");
          break;  // a length, perhaps
      }
    }
    survive(bytes);
  }
}

TEST(Messages, WithMoreOrLessThanTheirKindHasAreRefused) {
  for (const NodeEvent& event : events()) {
    const std::string bytes = encode(event);
    EXPECT_THROW((void)decode_event(bytes + "x"), Malformed) << event.index();
    EXPECT_THROW((void)decode_event(std::string_view(bytes).substr(0, bytes.size() - 1)), Malformed) << event.index();
  }
  EXPECT_THROW((void)decode_event(""), Malformed);
  EXPECT_THROW((void)decode_event(std::string(1, static_cast<char>(std::variant_size_v<NodeEvent>))), Malformed);
}

}  // namespace
}  // namespace antiphon::launch
