#include "broker/broker.hpp"

#include <fmt/format.h>
#include <sodium.h>
#include <sys/epoll.h>

#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "broker/incoming_call.hpp"
#include "broker/interfaces.hpp"
#include "broker/listeners.hpp"
#include "broker/outgoing_call.hpp"
#include "broker/rank_line.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostIncoming = 256;  // that have not proved anything yet
constexpr std::size_t kMostOutgoing = 64;
// When the other broker said that the calls crossed, its call should be here after this time.
constexpr auto kPatienceForCrossed = 1s;

// What an event of epoll is about: one of the listeners, or an entry of one of the tables.
enum class About : std::uint32_t { port, name, rank, incoming, outgoing };

// A rank of this node, and a process of another one.
struct Pair {
  int rank, process;
  auto operator<=>(const Pair&) const = default;
};

// How far the connection of a pair has come.
struct PairState {
  bool wanted = false;     // the rank of this node has asked for it
  bool connected = false;  // or the last message of the handshake is on its way
  int call = 0;            // the number of the outgoing call; 0: none
};

// Something with a descriptor that epoll watches.
template <class Watched>
struct Entry {
  template <class... Arguments>
  explicit Entry(Arguments&&... arguments) : what{std::forward<Arguments>(arguments)...} {}

  Watched what;
  int watched = -1;  // the descriptor that epoll knows
  std::uint32_t events = 0;
};

struct Rank {
  RankLine line;
  int rank = -1;  // before it has said hello

  [[nodiscard]] int descriptor() const { return line.descriptor(); }
  [[nodiscard]] std::uint32_t events() const { return line.events(); }
};

}  // namespace

class Broker::Implementation {
 public:
  explicit Implementation(Setup setup)
      : setup_(std::move(setup)),
        own_interfaces_(interfaces_of_this_host()),
        epoll_(epoll_create1(EPOLL_CLOEXEC)),
        port_(listen_on_port(setup_.ports.first, setup_.ports.last)),
        name_(listen_on_name()),
        endpoint_{port_.port, addresses_to_offer(own_interfaces_, setup_.interfaces)} {
    watch(port_.socket.get(), About::port);
    watch(name_.socket.get(), About::name);
  }

  [[nodiscard]] const bootstrap::LocalAddress& address() const { return name_.address; }
  [[nodiscard]] const BrokerEndpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] int descriptor() const { return epoll_.get(); }

  void meet(std::vector<BrokerEndpoint> brokers) {
    brokers_ = std::move(brokers);
    for (BrokerEndpoint& broker : brokers_)
      broker.addresses = nearest_first(std::move(broker.addresses), own_interfaces_);
    reached_.resize(brokers_.size());
    call_who_is_due();
  }

  [[nodiscard]] std::optional<Clock::time_point> next_deadline() const {
    std::optional<Clock::time_point> next;
    const auto consider = [&next](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
    for (const auto& [number, call] : incoming_) consider(call.what.deadline());
    for (const auto& [number, call] : outgoing_) consider(call.what.deadline());
    if (!brokers_.empty() && outgoing_.size() < kMostOutgoing)
      for (const auto& [pair, when] : to_call_) consider(when);
    return next;
  }

  void handle() {
    std::array<epoll_event, 64> events;
    const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t data = events[static_cast<std::size_t>(i)].data.u64;
      const int number = static_cast<int>(data & 0xffffffff);
      switch (static_cast<About>(data >> 32)) {
        case About::port:
          accept_callers();
          break;
        case About::name:
          accept_ranks();
          break;
        case About::rank:
          hear_rank(number);
          break;
        case About::incoming:
          advance_incoming(number);
          break;
        case About::outgoing:
          advance_outgoing(number);
          break;
      }
    }
    expire();
    call_who_is_due();
  }

 private:
  template <class Watched>
  using Table = std::map<int, Entry<Watched>>;

  void watch(int descriptor, About about, std::uint32_t events = EPOLLIN, int number = 0, int how = EPOLL_CTL_ADD) {
    epoll_event event{.events = events,
                      .data = {.u64 = static_cast<std::uint64_t>(about) << 32 | static_cast<std::uint32_t>(number)}};
    epoll_ctl(epoll_.get(), how, descriptor, &event);
  }
  // Has epoll watch what an entry waits for now. A descriptor that was closed is no longer watched.
  template <class Watched>
  void watch(Entry<Watched>& entry, About about, int number) {
    const int descriptor = entry.what.descriptor();
    const std::uint32_t events = entry.what.events();
    const bool known = descriptor == entry.watched;
    if (descriptor >= 0 && (!known || events != entry.events))
      watch(descriptor, about, events, number, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD);
    entry.watched = descriptor;
    entry.events = events;
  }
  // The descriptor of a call goes to somebody else.
  template <class Call>
  platform::OwnedDescriptor take_descriptor(Call& call) {
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, call.descriptor(), nullptr);
    return call.take_descriptor();
  }

  // ---- Ranks of this node

  void accept_ranks() {
    while (true) {
      platform::OwnedDescriptor socket = accept_one(name_.socket.get());
      if (socket.get() < 0) return;
      const int number = ++last_number_;
      auto& entry = ranks_.try_emplace(number, RankLine(std::move(socket))).first->second;
      watch(entry, About::rank, number);
    }
  }

  void hear_rank(int number) {
    const auto found = ranks_.find(number);
    if (found == ranks_.end()) return;
    Rank& rank = found->second.what;
    if (rank.rank < 0 && !identify(rank, number)) {
      ranks_.erase(found);
      return;
    }
    rank.line.send_answers();
    while (const std::optional<int> process = rank.line.next_request()) want({rank.rank, *process}, rank.line);
    if (rank.line.is_over()) return end_rank(found);
    watch(found->second, About::rank, number);
  }

  bool identify(Rank& rank, int number) {
    int claimed = -1;
    if (!rank.line.hears_hello(name_.address.token, &claimed) || !is_here(claimed) ||
        number_of_rank_.contains(claimed))
      return false;
    rank.rank = claimed;
    number_of_rank_[claimed] = number;
    ended_.erase(claimed);
    const auto early = early_.find(claimed);
    if (early == early_.end()) return true;
    for (auto& [process, connection] : early->second) rank.line.connected(process, std::move(connection));
    early_.erase(early);
    return true;
  }

  void want(const Pair& pair, RankLine& line) {
    const bool known = pair.process >= 0 && pair.process < static_cast<int>(setup_.places.size());
    if (!known || is_here(pair.process))
      return line.failed(pair.process, known ? "it runs on this node" : "there is no such process in this job");
    PairState& state = pairs_[pair];
    state.wanted = true;
    if (!state.connected && state.call == 0) to_call_.try_emplace(pair, Clock::now());
  }

  void end_rank(Table<Rank>::iterator ended) {
    const int rank = ended->second.what.rank;
    number_of_rank_.erase(rank);
    ended_.insert(rank);
    for (auto pair = pairs_.lower_bound({rank, 0}); pair != pairs_.end() && pair->first.rank == rank;) {
      outgoing_.erase(pair->second.call);
      to_call_.erase(pair->first);
      pair = pairs_.erase(pair);
    }
    ranks_.erase(ended);
  }

  void hand_over(const Pair& pair, platform::OwnedDescriptor connection) {
    pairs_[pair] = {.wanted = true, .connected = true};
    const auto number = number_of_rank_.find(pair.rank);
    if (number == number_of_rank_.end()) {
      early_[pair.rank].emplace_back(pair.process, std::move(connection));
      return;
    }
    Entry<Rank>& rank = ranks_.at(number->second);
    rank.what.line.connected(pair.process, std::move(connection));
    watch(rank, About::rank, number->second);
  }

  void give_up(const Pair& pair, const std::string& why) {
    pairs_.erase(pair);
    const auto number = number_of_rank_.find(pair.rank);
    if (number == number_of_rank_.end()) return;
    Entry<Rank>& rank = ranks_.at(number->second);
    rank.what.line.failed(pair.process, why);
    watch(rank, About::rank, number->second);
  }

  // ---- Calls of others

  void accept_callers() {
    while (true) {
      std::string from;
      platform::OwnedDescriptor socket = accept_one(port_.socket.get(), &from);
      if (socket.get() < 0) return;
      if (incoming_.size() >= kMostIncoming) drop_oldest_stranger();
      const int number = ++last_number_;
      auto& entry = incoming_.try_emplace(number, std::move(socket), setup_.secret, from).first->second;
      watch(entry, About::incoming, number);
    }
  }

  void drop_oldest_stranger() {
    for (auto call = incoming_.begin(); call != incoming_.end(); ++call) {
      if (call->second.what.state() != IncomingCall::State::hearing) continue;
      incoming_.erase(call);
      return;
    }
  }

  void advance_incoming(int number) {
    const auto found = incoming_.find(number);
    if (found == incoming_.end()) return;
    IncomingCall& call = found->second.what;
    call.advance();
    if (call.state() == IncomingCall::State::proved) call.decide(judge(call.hello()));
    settle_incoming(found);
  }

  void settle_incoming(Table<IncomingCall>::iterator found) {
    IncomingCall& call = found->second.what;
    const Pair pair{call.hello().to_process, call.hello().from_process};
    switch (call.state()) {
      case IncomingCall::State::hearing:
      case IncomingCall::State::proved:
      case IncomingCall::State::answering:
        return watch(found->second, About::incoming, found->first);
      case IncomingCall::State::accepted:
        hand_over(pair, take_descriptor(call));
        break;
      case IncomingCall::State::stranger:
        warn_of_stranger(call);
        break;
      case IncomingCall::State::over:
        if (call.was_accepted()) lose(pair);
        break;
    }
    incoming_.erase(found);
  }

  // A connection that was accepted has broken before the caller could know that.
  void lose(const Pair& pair) {
    PairState& state = pairs_[pair];
    state.connected = false;
    if (state.wanted) to_call_.try_emplace(pair, Clock::now());
  }

  // What becomes of a call of a broker of this job.
  Verdict judge(const Hello& hello) {
    const auto refused = [](std::string why) { return Verdict{Verdict::Kind::refused, std::move(why)}; };
    const Pair pair{hello.to_process, hello.from_process};
    if (hello.to_node != setup_.node || !is_here(pair.rank))
      return refused(
          fmt::format("this is node {} of the job, and process {} does not run here", setup_.node, pair.rank));
    if (node_of(pair.process) != hello.from_node || is_here(pair.process))
      return refused(fmt::format("process {} does not run on node {}", pair.process, hello.from_node));
    if (ended_.contains(pair.rank)) return refused(fmt::format("process {} has ended", pair.rank));
    PairState& state = pairs_[pair];
    if (state.connected) return refused("the two processes are connected already");
    if (const auto own = outgoing_.find(state.call); own != outgoing_.end()) {
      const bool decides = pair.rank < pair.process;
      if (decides && !own->second.what.has_failed_once()) return {Verdict::Kind::crossed};
      outgoing_.erase(own);
    }
    state = {.wanted = state.wanted, .connected = true};
    to_call_.erase(pair);
    return {Verdict::Kind::accepted};
  }

  void warn_of_stranger(const IncomingCall& call) {
    if (std::exchange(has_warned_, true) || !setup_.warn) return;
    setup_.warn(
        fmt::format("refused a connection from {} to port {}, and goes on: {} (further ones are refused silently)",
                    call.from(), port_.port, call.complaint()));
  }

  // ---- Calls of our own

  void call_who_is_due() {
    if (brokers_.empty()) return;
    const Clock::time_point now = Clock::now();
    for (auto next = to_call_.begin(); next != to_call_.end() && outgoing_.size() < kMostOutgoing;) {
      const auto [pair, when] = *next;
      if (when > now) {
        ++next;
        continue;
      }
      next = to_call_.erase(next);
      call(pair);
    }
  }

  void call(const Pair& pair) {
    const int node = node_of(pair.process);
    const auto there = static_cast<std::size_t>(node);
    if (there >= brokers_.size() || brokers_[there].addresses.empty())
      return give_up(pair, fmt::format("cannot reach {}: it has no network interface that is up", name_of(node)));
    const std::vector<std::string>& addresses = reached_[there].empty() ? brokers_[there].addresses : reached_[there];
    PairState& state = pairs_[pair];
    const Hello hello{.from_node = setup_.node,
                      .to_node = node,
                      .from_process = pair.rank,
                      .to_process = pair.process,
                      .nonce = {}};
    state.call = ++last_number_;
    auto& entry =
        outgoing_.try_emplace(state.call, setup_.secret, hello, addresses, brokers_[there].port).first->second;
    watch(entry, About::outgoing, state.call);
  }

  void advance_outgoing(int number) {
    const auto found = outgoing_.find(number);
    if (found == outgoing_.end()) return;
    found->second.what.advance();
    settle_outgoing(found);
  }

  void settle_outgoing(Table<OutgoingCall>::iterator found) {
    OutgoingCall& call = found->second.what;
    const Pair pair{call.hello().from_process, call.hello().to_process};
    switch (call.state()) {
      case OutgoingCall::State::calling:
        return watch(found->second, About::outgoing, found->first);
      case OutgoingCall::State::connected:
        remember(call);
        hand_over(pair, take_descriptor(call));
        break;
      case OutgoingCall::State::crossed:
        pairs_[pair].call = 0;
        to_call_.insert_or_assign(pair, Clock::now() + kPatienceForCrossed);
        break;
      case OutgoingCall::State::failed:
        give_up(pair, fmt::format("cannot reach {}: {}", name_of(call.hello().to_node), call.failure()));
        break;
    }
    outgoing_.erase(found);
  }

  // What has answered once is called first from then on.
  void remember(const OutgoingCall& call) {
    const auto node = static_cast<std::size_t>(call.hello().to_node);
    if (!reached_[node].empty()) return;
    reached_[node] = brokers_[node].addresses;
    std::erase(reached_[node], call.address());
    reached_[node].insert(reached_[node].begin(), call.address());
    if (setup_.tell_details)
      setup_.tell_details(fmt::format("{} is reached at {} port {}: the first of its addresses that answered ({})",
                                      name_of(call.hello().to_node), call.address(), brokers_[node].port,
                                      fmt::join(brokers_[node].addresses, ", ")));
  }

  // ---- Time

  void expire() {
    const Clock::time_point now = Clock::now();
    for (auto next = incoming_.begin(); next != incoming_.end();) {
      const auto call = next++;
      if (call->second.what.deadline() > now) continue;
      call->second.what.expire();
      settle_incoming(call);
    }
    for (auto next = outgoing_.begin(); next != outgoing_.end();) {
      const auto call = next++;
      if (call->second.what.deadline() > now) continue;
      call->second.what.expire();
      settle_outgoing(call);
    }
  }

  [[nodiscard]] int node_of(int process) const {
    if (process < 0 || process >= static_cast<int>(setup_.places.size())) return -1;
    return setup_.places[static_cast<std::size_t>(process)].node;
  }
  [[nodiscard]] bool is_here(int process) const { return node_of(process) == setup_.node; }
  [[nodiscard]] std::string name_of(int node) const {
    const auto index = static_cast<std::size_t>(node);
    return index < setup_.node_names.size() ? setup_.node_names[index] : fmt::format("node {}", node);
  }

  const Setup setup_;
  const std::vector<Interface> own_interfaces_;
  const platform::OwnedDescriptor epoll_;
  const PortListener port_;
  const NameListener name_;
  const BrokerEndpoint endpoint_;
  std::vector<BrokerEndpoint> brokers_;            // by node; empty until meet()
  std::vector<std::vector<std::string>> reached_;  // by node: addresses, that which has answered first
  int last_number_ = 0;
  Table<Rank> ranks_;
  Table<IncomingCall> incoming_;
  Table<OutgoingCall> outgoing_;
  std::map<int, int> number_of_rank_;  // in ranks_, by rank
  std::set<int> ended_;                // ranks of this node that have closed their line
  // Connections for ranks that have not come yet.
  std::map<int, std::vector<std::pair<int, platform::OwnedDescriptor>>> early_;
  std::map<Pair, PairState> pairs_;
  std::map<Pair, Clock::time_point> to_call_;  // wanted pairs without a call, and when to call
  bool has_warned_ = false;
};

Broker::Broker(Setup setup) {
  if (sodium_init() < 0) base::fail(bootstrap::kErrOther, "cannot start the library sodium: no random numbers");
  implementation_ = std::make_unique<Implementation>(std::move(setup));
}
Broker::~Broker() = default;

const bootstrap::LocalAddress& Broker::address() const { return implementation_->address(); }
const BrokerEndpoint& Broker::endpoint() const { return implementation_->endpoint(); }
void Broker::meet(std::vector<BrokerEndpoint> brokers) { implementation_->meet(std::move(brokers)); }
int Broker::descriptor() const { return implementation_->descriptor(); }
std::optional<Clock::time_point> Broker::next_deadline() const { return implementation_->next_deadline(); }
void Broker::handle() { implementation_->handle(); }

}  // namespace antiphon::launch
