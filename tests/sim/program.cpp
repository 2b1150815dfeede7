#include "program.hpp"

#include <algorithm>
#include <numeric>

#include "random_network.hpp"

namespace antiphon::sim {

namespace {

constexpr int kTags = 4;

std::size_t random_size(base::Rng& rng, const transport::Capabilities& limits) {
  const std::size_t edge = rng.percent(50) ? limits.max_payload : limits.eager_limit;
  switch (rng.below(4)) {
    case 0:
      return rng.below(std::size_t{3});
    case 1:
      return edge + rng.below(std::size_t{3}) - (edge > 0 ? 1 : 0);
    default:
      return rng.below(2 * edge + 16);
  }
}

UserBuffer::Shape random_shape(base::Rng& rng) {
  return rng.percent(30) ? UserBuffer::Shape::scattered : UserBuffer::Shape::one_piece;
}

const NetworkSizes kSizes{.payloads = {32, 33, 64, 256},
                          .eager_limits = {0, 8, 40, 64, 300},
                          .least_parts = {4, 16, 100},
                          .least_runs = {1, 4, 100},
                          .pipes = {64, 128, 1024}};

settings::Values random_settings(base::Rng& rng) {
  using settings::BulkWay;
  constexpr BulkWay kWays[] = {BulkWay::automatic, BulkWay::automatic,      BulkWay::pipes,
                               BulkWay::direct,    BulkWay::streamed_pipes, BulkWay::packets};
  constexpr std::size_t kPieces[] = {0, 1, 7, 64};
  settings::Values values;
  values.bulk_way = rng.pick(kWays);
  values.pipe_piece = rng.pick(kPieces);
  return values;
}

std::vector<Message> random_messages(base::Rng& rng, int ranks, const transport::Capabilities& limits, int first) {
  std::vector<Message> messages(static_cast<std::size_t>(1 + rng.below(6 * ranks)));
  std::size_t longest = 0;
  for (Message& message : messages) {
    message = {.number = first++,
               .from = rng.below(ranks),
               .to = rng.below(ranks),
               .tag = rng.below(kTags),
               .bytes = random_size(rng, limits)};
    message.synchronous = rng.percent(30);
    if (rng.percent(15)) message.send_as = SendAs::persistent;
    if (!message.synchronous && rng.percent(15)) message.send_as = SendAs::buffered;
    if (rng.percent(15)) message.receive_as = ReceiveAs::persistent;
    message.send_from = random_shape(rng);
    message.receive_into = random_shape(rng);
    message.wanted_source = message.from;
    message.wanted_tag = message.tag;
    longest = std::max(longest, message.bytes);
  }
  for (Message& message : messages) message.capacity = rng.percent(90) ? longest : rng.below(longest + 1);
  return messages;
}

// How the receives of one rank split its messages into classes, by source and tag.
enum class Split { exact, by_tag, by_source, none, even_tags_from_anyone, even_sources_any_tag };
constexpr int kSplits = 6;

void apply(Split split, Message& message) {
  const bool any_source = split == Split::by_tag || split == Split::none ||
                          (split == Split::even_tags_from_anyone && message.tag % 2 == 0);
  const bool any_tag = split == Split::by_source || split == Split::none ||
                       (split == Split::even_sources_any_tag && message.from % 2 == 0);
  if (any_source) message.wanted_source = Label::kAny;
  if (any_tag) message.wanted_tag = Label::kAny;
}

void make_ordered(base::Rng& rng, Round& round) {
  const auto ranks = round.world_ranks.size();
  std::vector<Split> splits(ranks);
  for (Split& split : splits) split = static_cast<Split>(rng.below(kSplits));
  for (std::size_t i = 0; i < round.messages.size(); ++i) {
    Message& message = round.messages[i];
    apply(splits[static_cast<std::size_t>(message.to)], message);
    message.blocking_receive = rng.percent(40);
    message.probe_first = rng.percent(50);
    if (message.blocking_receive) message.receive_as = rng.percent(30) ? ReceiveAs::matched : ReceiveAs::plain;
    message.blocking_send = message.send_as == SendAs::plain && message.wanted_source != Label::kAny &&
                            message.from != message.to && rng.percent(40);
    round.actions[static_cast<std::size_t>(message.from)].push_back({Action::Kind::send, static_cast<int>(i)});
    round.actions[static_cast<std::size_t>(message.to)].push_back({Action::Kind::receive, static_cast<int>(i)});
  }
}

int wildcards(const Message& message) {
  return (message.wanted_source == Label::kAny ? 1 : 0) + (message.wanted_tag == Label::kAny ? 1 : 0);
}

void make_storm(base::Rng& rng, Round& round) {
  const auto ranks = static_cast<int>(round.world_ranks.size());
  std::vector<Split> middle(static_cast<std::size_t>(ranks));  // the one kind of half a wildcard a rank uses
  for (Split& split : middle) split = rng.percent(50) ? Split::by_tag : Split::by_source;
  for (Message& message : round.messages) {
    const Split choices[] = {Split::exact, middle[static_cast<std::size_t>(message.to)], Split::none};
    apply(rng.pick(choices), message);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int> sends, receives;
    for (int i = 0; i < static_cast<int>(round.messages.size()); ++i) {
      const Message& message = round.messages[static_cast<std::size_t>(i)];
      if (message.from == rank) sends.push_back(i);
      if (message.to == rank) receives.push_back(i);
    }
    rng.shuffle(receives);
    std::ranges::stable_sort(receives, {},
                             [&](int i) { return wildcards(round.messages[static_cast<std::size_t>(i)]); });
    std::vector<Action>& actions = round.actions[static_cast<std::size_t>(rank)];
    for (std::size_t s = 0, r = 0; s + r < sends.size() + receives.size();) {
      const bool send = r == receives.size() || (s < sends.size() && rng.percent(50));
      actions.push_back(send ? Action{Action::Kind::send, sends[s++]} : Action{Action::Kind::receive, receives[r++]});
    }
  }
}

}  // namespace

Program random_program(std::uint64_t seed) {
  base::Rng rng(seed);
  Program program{.ranks = 2 + rng.below(7),
                  .conditions = random_network(rng, kSizes),
                  .settings = random_settings(rng),
                  .rounds = {}};
  program.rounds.resize(static_cast<std::size_t>(1 + rng.below(3)));
  int messages = 0;
  std::uint32_t context = 2;  // never 0: so the start of a message is told from the packets that follow it
  for (Round& round : program.rounds) {
    round.context = context;
    context += 2;
    round.world_ranks.resize(static_cast<std::size_t>(program.ranks));
    std::iota(round.world_ranks.begin(), round.world_ranks.end(), 0);
    rng.shuffle(round.world_ranks);
    round.messages = random_messages(rng, program.ranks, program.conditions.capabilities, messages);
    messages += static_cast<int>(round.messages.size());
    round.actions.resize(static_cast<std::size_t>(program.ranks));
    rng.percent(50) ? make_ordered(rng, round) : make_storm(rng, round);
  }
  return program;
}

}  // namespace antiphon::sim
