#include "bootstrap/managed.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/broker_process.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/hex.hpp"
#include "bootstrap/rank_card.hpp"
#include "bootstrap/segment_meeting.hpp"

namespace antiphon::bootstrap {
namespace {

// Keys of what ranks tell each other.
constexpr const char* kCard = "card";          // of each rank: RankCard
constexpr const char* kSecret = "secret";      // of rank 0: what brokers prove to each other that they know
constexpr const char* kSettings = "settings";  // of rank 0: settings::Values
constexpr const char* kBroker = "broker";      // of the lowest rank of each node: NodeEndpoint

// One value carries all settings, as they are in memory: all ranks have the same table of settings (RankCard::build).
static_assert(2 * sizeof(settings::Values) <= ProcessManager::kValueBytes);

template <class Data>
std::string as_text(const Data& data) {
  return to_hex(std::as_bytes(std::span(&data, 1)));
}

template <class Data>
Data get_data(ProcessManager& manager, int rank, const char* key) {
  Data data{};
  const std::string text = manager.get(rank, key);
  if (!from_hex(text, std::as_writable_bytes(std::span(&data, 1))))
    base::fail(kErrOther,
               fmt::format("{} gives {} letters for '{}' of rank {}, which has put {} hexadecimal digits",
                           manager.name(), text.size(), key, rank, 2 * sizeof data));  // it may be the secret
  return data;
}

void introduce(ProcessManager& manager, const LocalAddress& meeting, const settings::Values& settings) {
  manager.put(kCard, encode(card_of(meeting)));
  if (manager.identity().rank == 0) {
    JobSecret secret;
    fill_with_secret(secret);
    manager.put(kSecret, as_text(secret));
    manager.put(kSettings, as_text(settings));
  }
  manager.exchange();
}

std::vector<RankCard> cards_of_all(ProcessManager& manager) {
  std::vector<RankCard> cards;
  for (int rank = 0; rank < manager.identity().size; ++rank)
    cards.push_back(decode_card(manager.get(rank, kCard), rank));
  return cards;
}

// Starts the broker of this node, and tells it where the others are. All ranks of the job take part in the exchange.
std::optional<BrokerProcess> connect_nodes(ProcessManager& manager, const JobMap& job, int node) {
  std::optional<BrokerProcess> broker;
  if (job.lowest[static_cast<std::size_t>(node)] == manager.identity().rank) {
    broker.emplace(job, node, get_data<JobSecret>(manager, 0, kSecret));
    manager.put(kBroker, encode(broker->endpoint()));
  }
  manager.exchange();
  if (!broker) return broker;
  std::vector<NodeEndpoint> endpoints;
  for (const int lowest : job.lowest) endpoints.push_back(decode_endpoint(manager.get(lowest, kBroker)));
  broker->meet(endpoints);
  return broker;
}

// How many processors the ranks of the node may use together: a launcher may have bound each to some.
std::uint32_t count_cpus(std::span<const RankArrival> ranks) {
  CpuMask all{};
  for (const RankArrival& rank : ranks) std::ranges::transform(all, rank.cpus, all.begin(), std::bit_or<>());
  int count = 0;
  for (const std::uint64_t word : all) count += std::popcount(word);
  return static_cast<std::uint32_t>(std::max(1, count));
}

// By the lowest rank of a node, once it knows what all others there say.
std::unique_ptr<NodeSegment> create_segment(const JobMap& job, int node, std::span<const RankArrival> ranks,
                                            const settings::Values& settings) {
  const bool several = job.nodes() > 1;
  std::uint32_t apps = 0;
  for (const RankArrival& rank : ranks) apps = std::max(apps, static_cast<std::uint32_t>(rank.appnum) + 1);
  auto segment = std::make_unique<NodeSegment>(NodeSegment::create(
      {.size = static_cast<std::uint32_t>(ranks.size()),
       .apps = apps,
       .usable_cpus = count_cpus(ranks),
       .settings = settings,
       .node = static_cast<std::uint32_t>(node),
       .places = several ? std::span<const Place>(job.places) : std::span<const Place>{},
       .node_names = several ? std::span<const std::string>(job.node_names) : std::span<const std::string>{}},
      MapExtent::whole));
  // Mostly the ancestor of all ranks of the node. Each looks whether it is its own.
  segment->header().launcher = getppid();
  for (const RankArrival& rank : ranks) {
    const Place place = job.places[static_cast<std::size_t>(rank.rank)];
    RankSlot& slot = segment->slot(static_cast<std::uint32_t>(place.rank_on_node));
    slot.world_rank = rank.rank;
    slot.appnum = rank.appnum;
  }
  return segment;
}

// What a rank has of its node.
struct NodeShare {
  std::unique_ptr<NodeSegment> segment;
  platform::OwnedDescriptor lifeline;  // of the broker, if there is one
};

NodeShare hand_out(SegmentMeeting& meeting, std::unique_ptr<NodeSegment> segment,
                   std::optional<BrokerProcess> broker) {
  NodeShare share{std::move(segment), {}};
  std::vector<int> descriptors{share.segment->fd()};
  if (broker) {
    share.segment->header().broker = broker->address();
    share.lifeline = broker->take_lifeline();
    descriptors.push_back(share.lifeline.get());
  }
  meeting.hand_out(descriptors);
  return share;
}

NodeShare get_share(const LocalAddress& meeting, const RankArrival& self, int lowest) {
  std::vector<platform::OwnedDescriptor> got = attend(meeting, self, lowest);
  NodeShare share{std::make_unique<NodeSegment>(NodeSegment::attach(got[0].get())), {}};
  (void)got[0].release();  // the segment owns it now
  if (got.size() > 1) share.lifeline = std::move(got[1]);
  return share;
}

NodeShare join_node(ProcessManager& manager, const settings::Values& settings) {
  const ProcessManager::Identity me = manager.identity();
  SegmentMeeting meeting;
  introduce(manager, meeting.address(), settings);
  const std::vector<RankCard> cards = cards_of_all(manager);
  const JobMap job = map_of(cards);
  const Place place = job.places[static_cast<std::size_t>(me.rank)];
  std::optional<BrokerProcess> broker;
  if (job.nodes() > 1) broker = connect_nodes(manager, job, place.node);

  const RankArrival self{.token = {}, .rank = me.rank, .appnum = me.appnum, .cpus = cpus_of_this_process()};
  const int lowest = job.lowest[static_cast<std::size_t>(place.node)];
  if (lowest != me.rank) return get_share(cards[static_cast<std::size_t>(lowest)].meeting, self, lowest);
  std::vector<RankArrival> ranks = meeting.await(job.ranks_of(place.node) - 1);
  ranks.push_back(self);
  const settings::Values of_job = me.rank == 0 ? settings : get_data<settings::Values>(manager, 0, kSettings);
  return hand_out(meeting, create_segment(job, place.node, ranks, of_job), std::move(broker));
}

}  // namespace

Bootstrap Managed::join(std::unique_ptr<ProcessManager> manager, const settings::Values& settings) {
  const int rank = manager->identity().rank;
  try {
    NodeShare share = join_node(*manager, settings);
    std::unique_ptr<NodeSegment> node = std::move(share.segment);
    std::unique_ptr<Managed> job(new Managed(*node, rank, std::move(manager), std::move(share.lifeline)));
    node->slot(static_cast<std::uint32_t>(job->place_of(rank).rank_on_node)).pid.store(getpid());
    return {std::move(node), std::move(job)};
  } catch (const base::Error& error) {
    // The others wait for this rank in an exchange, and not every launcher ends them when this process exits.
    const std::string message = fmt::format("antiphon: rank {} cannot join its job: {}", rank, error.message);
    fmt::print(stderr, "{}\n", message);
    manager->abort(1, message);
    _exit(1);
  }
}

Managed::Managed(NodeSegment& node, int rank, std::unique_ptr<ProcessManager> manager,
                 platform::OwnedDescriptor lifeline)
    : NodeJob(node, rank), manager_(std::move(manager)), lifeline_(std::move(lifeline)) {}

// A session that begins later does not bring the process manager back: its protocols know one end of a process.
void Managed::leave() {
  NodeJob::leave();
  if (manager_) manager_->finish();
  manager_.reset();
}

void Managed::abort(int code, std::string_view text) {
  std::fflush(nullptr);
  const std::string message =
      fmt::format("antiphon: rank {} (pid {}) aborted the job with code {}: {}", rank(), getpid(), code, text);
  fmt::print(stderr, "{}\n", message);
  if (manager_) manager_->abort(exit_status_of_abort(code), message);
  _exit(exit_status_of_abort(code));
}

}  // namespace antiphon::bootstrap
