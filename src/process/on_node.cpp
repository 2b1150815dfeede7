#include "process/on_node.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "counters/table.hpp"
#include "platform/clock.hpp"
#include "platform/linux/process_stat.hpp"
#include "process/doorbell_parking.hpp"
#include "settings/given.hpp"
#include "transport/tcp/tcp_transport.hpp"

namespace antiphon::process {

namespace {

constexpr std::string_view kMemoryKey = "shm.memory";  // key under which each process publishes its shm::Identity

}  // namespace

OnNode::OnNode(bootstrap::Bootstrap bootstrap, const settings::Values& settings)
    : Host(settings), bootstrap_(std::move(bootstrap)) {
  const bootstrap::Header& header = bootstrap_.node->header();
  if (header.nodes > 1) between_nodes_ = std::make_unique<BetweenNodes>(header.broker, job().rank());
}

std::unique_ptr<Host> OnNode::discover() {
  const std::vector<settings::Given> own = settings::given_by(environ);
  settings::Values alone;
  settings::apply(own, alone);
  bootstrap::Bootstrap found = bootstrap::discover(bootstrap::process_environment(), alone);
  const settings::Values values = settings::of_process(found.node->header().settings, own);
  return std::make_unique<OnNode>(std::move(found), values);
}

void OnNode::enter() {
  tracer_.emplace(tracer_to_name());
  job().enter();
}

void OnNode::leave() {
  std::transform(counters::table.begin(), counters::table.end(), bootstrap_.my_slot().counted.begin(),
                 [this](const counters::Description& counter) { return (counters().*counter.value).value(); });
  tracer_.reset();
  job().leave();
}

std::uint64_t OnNode::now() noexcept { return platform::monotonic_ns(); }

std::unique_ptr<progress::Parking> OnNode::make_parking(const progress::CallContext& call,
                                                        const progress::Lane& lane) {
  return std::make_unique<DoorbellParking>(bootstrap_.node->header(), bootstrap_.my_slot(), call, lane, settings(),
                                           counters(), bootstrap_.node->slots(),
                                           between_nodes_ ? &between_nodes_->descriptors : nullptr);
}

Network OnNode::make_network(const bootstrap::ProcessTable& processes, const progress::Lane& lane,
                             transport::Watches& watches) {
  Network network{std::make_unique<transport::shm::ShmTransport>(neighbourhood(processes, lane), watches),
                  progress::Progress::Seen::by_watches};
  if (between_nodes_)
    network.between_nodes =
        std::make_unique<transport::tcp::TcpTransport>(sockets(processes), between_nodes_->descriptors.network);
  return network;
}

transport::tcp::Sockets OnNode::sockets(const bootstrap::ProcessTable& processes) {
  using transport::tcp::Sockets;
  bootstrap::BrokerClient& broker = between_nodes_->broker;
  return {.ask = [&broker](int process) { broker.ask(process); },
          .next = [&broker]() -> std::optional<Sockets::Arrived> {
            std::optional<bootstrap::BrokerClient::Connection> next = broker.next();
            if (!next) return std::nullopt;
            return Sockets::Arrived{next->process, std::move(next->socket), std::move(next->failure)};
          },
          .descriptor = broker.descriptor(),
          .name =
              [this, &processes](int process) {
                return fmt::format("rank {} on {}", process,
                                   bootstrap_.node->node_name(static_cast<std::uint32_t>(processes.node(process))));
              }};
}

namespace {

// How payloads in rings are written: as the setting bulk_way says; nothing if the transport is to choose by itself.
std::optional<base::Written> written(settings::BulkWay way) {
  using settings::BulkWay;
  if (way == BulkWay::automatic) return {};
  return way == BulkWay::streamed_pipes ? base::Written::past_caches : base::Written::as_ever;
}

}  // namespace

// The launcher is named only if it is an ancestor: in another container, its process number would belong to a
// different process.
unsigned long OnNode::tracer_to_name() const {
  const pid_t launcher = bootstrap_.node->header().launcher;
  if (bootstrap_.node->size() == 1) return platform::kNoTracer;
  return platform::tracer_to_name(settings().copy_permission, platform::ptrace_scope(),
                                  platform::is_ancestor(launcher) ? launcher : 0);
}

transport::shm::Neighbourhood OnNode::neighbourhood(const bootstrap::ProcessTable& processes,
                                                    const progress::Lane& lane) {
  // If there are enough rings for all senders, a sender gets one with its second packet; otherwise only a sender that
  // has sent kMuch packets lately.
  constexpr int kMuch = 8;
  const bootstrap::NodeSegment& node = *bootstrap_.node;
  const bootstrap::JobLayout& layout = node.layout();
  static_assert(sizeof(transport::Pipe::Positions) == bootstrap::JobLayout::kPositionsBytes);
  return {.self = static_cast<int>(bootstrap_.rank_on_node()),
          .size = static_cast<int>(node.size()),
          .rank_of = [&processes](int process) { return processes.rank_on_node(process); },
          .process_of = [&processes](int rank) { return processes.neighbour(rank); },
          .inboxes = node.inboxes(),
          .inbox_bytes = layout.inbox_bytes(),
          .rings = node.rings(),
          .rings_each = static_cast<int>(layout.rings_each()),
          .ring_bytes = layout.ring_bytes(),
          .pipe_positions = node.pipe_positions(),
          .pipes = node.pipes(),
          .pipes_each = static_cast<int>(layout.pipes_each()),
          .pipe_bytes = layout.pipe_bytes,
          .may_give_back_pages = !node.has_reserved_pages(),
          .much = layout.rings_each() == layout.size - 1 ? 1 : kMuch,
          .bell =
              [this](int rank) {
                return transport::shm::Bell{
                    .sleeping = &slot(rank).sleeping,
                    .doorbell = &slot(rank).doorbell,
                    .full_fence = bootstrap_.node->header().oversubscribed != 0,
                    .socket = between_nodes_ ? between_nodes_->descriptors.bell.descriptor() : -1};
              },
          .publish =
              [this](const transport::shm::Identity& mine) {
                job().put(kMemoryKey, {reinterpret_cast<const char*>(&mine), sizeof mine});
              },
          .identity = [this, &processes](int rank) { return identity_of(processes.neighbour(rank)); },
          .heap =
              [this](int rank) {
                return transport::shm::Heap{&slot(rank).heap_address,
                                            bootstrap_.node->heap(static_cast<std::uint32_t>(rank))};
              },
          .written = written(settings().bulk_way),
          .threads = lane.shared()};
}

std::optional<transport::shm::Identity> OnNode::identity_of(int process) {
  const std::optional<std::string> told = job().find(process, kMemoryKey);
  if (!told || told->size() != sizeof(transport::shm::Identity)) return std::nullopt;
  transport::shm::Identity identity;
  std::memcpy(&identity, told->data(), sizeof identity);
  return identity;
}

platform::FilePart OnNode::my_heap() { return bootstrap_.node->heap(bootstrap_.rank_on_node()); }

std::atomic<std::uint64_t>& OnNode::my_heap_address() { return bootstrap_.my_slot().heap_address; }

}  // namespace antiphon::process
