// antiphon-broker: the connection broker of a node in a job that another launcher than mpiexec started. A rank starts
// it (bootstrap/broker_process.hpp) and says everything over standard input (bootstrap/broker_process_protocol.hpp),
// so that no secret is in a command line or in the environment. It ends with the last rank of its node.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/broker_process_protocol.hpp"
#include "bootstrap/stream.hpp"
#include "broker/broker.hpp"

namespace antiphon::launch {
namespace {

using bootstrap::BrokerReady;
using bootstrap::NodeEndpoint;
using Clock = std::chrono::steady_clock;

constexpr int kRank = STDIN_FILENO;  // the rank that has started this process

// Descriptors of the rank that it does not know of, such as ends of pipes whose other ends wait for the last writer.
void close_what_is_not_ours() { syscall(SYS_close_range, bootstrap::kLifelineFd + 1, ~0U, 0); }

// The terminal's signals and those to the ranks are not for the broker: ranks may handle them and go on.
void ignore_signals() {
  for (const int signal_number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE})
    signal(signal_number, SIG_IGN);
}

// Nothing where the rank ended meanwhile.
std::optional<Broker::Setup> hear_setup() {
  bootstrap::BrokerSetup told{};
  if (!bootstrap::receive_data(kRank, told) || told.layout_version != bootstrap::kJobLayoutVersion)
    return std::nullopt;
  Broker::Setup setup;
  setup.secret = told.secret;
  setup.node = told.node;
  setup.places.resize(told.ranks);
  std::vector<bootstrap::NodeName> names(told.nodes);
  if (!bootstrap::receive_data(kRank, std::span(setup.places)) || !bootstrap::receive_data(kRank, std::span(names)))
    return std::nullopt;
  for (const bootstrap::NodeName& name : names) setup.node_names.emplace_back(name.data());
  setup.warn = [](const std::string& text) { fmt::print(stderr, "antiphon: {}\n", text); };
  return setup;
}

NodeEndpoint endpoint_of(const Broker& broker) {
  NodeEndpoint endpoint{};
  endpoint.port = broker.endpoint().port;
  for (const std::string& address : broker.endpoint().addresses)
    if (endpoint.address_count < bootstrap::kMostAddresses)
      address.copy(endpoint.addresses[endpoint.address_count++].data(), endpoint.addresses[0].size() - 1);
  return endpoint;
}

BrokerEndpoint known(const NodeEndpoint& endpoint) {
  BrokerEndpoint broker{.port = endpoint.port};
  for (std::size_t i = 0; i < endpoint.address_count; ++i)
    broker.addresses.emplace_back(endpoint.addresses[i].data());
  return broker;
}

// Until the broker has something to do; false if the last rank of this node has ended.
bool wait_for_work(const Broker& broker) {
  std::array<pollfd, 2> polls{{{bootstrap::kLifelineFd, 0, 0}, {broker.descriptor(), POLLIN, 0}}};
  int pause_ms = -1;
  if (const auto deadline = broker.next_deadline()) {
    const auto pause = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
    pause_ms = static_cast<int>(std::clamp<std::int64_t>(pause.count(), 0, 1'000'000));
  }
  poll(polls.data(), polls.size(), pause_ms);
  return polls[0].revents == 0;
}

int run() {
  std::optional<Broker::Setup> setup = hear_setup();
  if (!setup) return 1;
  const std::size_t nodes = setup->node_names.size();
  BrokerReady ready{};
  std::optional<Broker> broker;
  try {
    broker.emplace(*std::move(setup));
    ready.kind = BrokerReady::Kind::ready;
    ready.address = broker->address();
    ready.endpoint = endpoint_of(*broker);
  } catch (const base::Error& error) {
    ready.kind = BrokerReady::Kind::failed;
    error.message.copy(ready.failure.data(), ready.failure.size() - 1);
  }
  if (!bootstrap::send_data(kRank, ready) || !broker) return 1;

  // Nobody else needs this process before the nodes know each other, so waiting for that holds up nothing. A rank
  // that ends meanwhile closes the connection.
  std::vector<NodeEndpoint> endpoints(nodes);
  if (!bootstrap::receive_data(kRank, std::span(endpoints))) return 1;
  std::vector<BrokerEndpoint> brokers;
  for (const NodeEndpoint& endpoint : endpoints) brokers.push_back(known(endpoint));
  broker->meet(std::move(brokers));
  while (wait_for_work(*broker)) broker->handle();
  return 0;
}

}  // namespace
}  // namespace antiphon::launch

int main() {
  if (isatty(STDIN_FILENO)) {
    fmt::print(stderr,
               "antiphon-broker: ranks start this program where their job has several nodes; it is of no use "
               "otherwise\n");
    return 2;
  }
  antiphon::launch::close_what_is_not_ours();
  antiphon::launch::ignore_signals();
  return antiphon::launch::run();
}
