#include "world.hpp"

#include <fmt/format.h>

namespace antiphon::sim {

using progress::WaitReason;
using transport::PacketHeader;
using transport::Payload;

namespace {

std::string peer_text(int peer) {
  if (peer == WaitReason::kAnyPeer) return "any rank";
  return peer < 0 ? "nobody in particular" : fmt::format("rank {}", peer);
}

std::string describe(int rank, const WaitReason& reason) {
  const std::string tag = reason.tag == WaitReason::kAnyTag ? "any" : fmt::format("{}", reason.tag);
  return fmt::format("rank {} waits for {}, tag {}, {}, {} bytes\n", rank, peer_text(reason.peer), tag,
                     reason.communicator, reason.bytes);
}

}  // namespace

progress::Parking::Ticket FiberParking::announce(const WaitReason& reason) noexcept {
  reason_ = reason;
  world_.scheduler().yield();  // what is published here rings no bell: the look after announce() must find it
  announced_ = true;
  const Ticket ticket = bell_;
  world_.scheduler().yield();  // what is published here rings: park() must return at once
  return ticket;
}

// Fibers of one thread overlook nothing.
bool FiberParking::park(Ticket ticket, Patience) noexcept {
  if (bell_ != ticket) return true;
  world_.note({.time = 0, .what = TraceEvent::What::park, .rank = rank_, .peer = reason_.peer, .tag = reason_.tag});
  world_.scheduler().block();
  return true;
}

// As a real publisher does: whoever has not announced a sleep is not rung for.
void FiberParking::ring() {
  if (!announced_) return;
  ++bell_;
  world_.note({.time = 0, .what = TraceEvent::What::wake, .rank = rank_});
  world_.scheduler().make_runnable(rank_);
}

Rank::Rank(World& world, int rank)
    : world_(world),
      number_(rank),
      parking_(world, rank),
      progress_(arriving_, parking_, lane_),
      loopback_(rank, [this] { progress_.sent_to_self(); }),
      network_(world.fabric(), rank),
      pt2pt_(
          world.size(),
          [this](int peer) { return peer == number_ ? loopback_.connect(peer) : network_.connect(peer); }, engine_,
          progress_, [&world] { return world.fabric().now(); }),
      combined_(progress_),
      buffered_(pt2pt_, combined_, progress_),
      partitioned_(pt2pt_, progress_) {
  for (std::uint8_t handler = 0; handler < 32; ++handler) arriving_.on<&Rank::on_packet>(handler, *this);
  progress_.add(network_);
  progress_.add_own(loopback_);
}

void Rank::on_packet(int source, const PacketHeader& header, Payload payload) {
  world_.note({.time = 0,
               .what = TraceEvent::What::packet,
               .rank = number_,
               .peer = source,
               .handler = header.handler,
               .context = header.context,
               .tag = header.tag,
               .bytes = payload.size()});
  observer_(source, header, payload);
  engine_(source, header, payload);
}

void Rank::yield() { world_.scheduler().yield(); }

void Rank::flush() {
  progress_.wait([&] { return !pt2pt_.has_work(); }, [] { return WaitReason{.communicator = "flush"}; });
}

World::World(int size, const transport::sim::Conditions& conditions, std::uint64_t seed)
    : size_(size), scheduler_(seed ^ 0x5eed5eed), fabric_(size, conditions, seed) {
  for (int rank = 0; rank < size; ++rank) ranks_.push_back(std::make_unique<Rank>(*this, rank));
  fabric_.on_wake([this](int rank) { this->rank(rank).parking().ring(); });
}

void World::note(TraceEvent event) {
  event.time = fabric_.now();
  trace_.push_back(event);
}

std::string World::run(const std::function<void(Rank&)>& body) {
  for (const std::unique_ptr<Rank>& rank : ranks_)
    scheduler_.spawn([this, &body, &self = *rank] {
      body(self);
      self.flush();
      note({.time = 0, .what = TraceEvent::What::finish, .rank = self.number()});
    });
  return scheduler_.run([this](bool idle) { return pass_time(idle); }) ? "" : who_waits_for_whom();
}

// A tick for each step; when everybody sleeps, as many as it takes until something is due.
bool World::pass_time(bool idle) {
  if (!idle) {
    fabric_.advance_to(fabric_.now() + 1);
    return true;
  }
  const std::optional<std::uint64_t> next = fabric_.next_event();
  if (next) fabric_.advance_to(*next);
  return next.has_value();
}

std::string World::who_waits_for_whom() {
  std::string text = fmt::format("deadlock at tick {}: every rank sleeps and nothing is in flight\n", fabric_.now());
  for (const std::unique_ptr<Rank>& rank : ranks_)
    text += scheduler_.finished(rank->number()) ? fmt::format("rank {} has finished\n", rank->number())
                                                : describe(rank->number(), rank->parking().reason());
  return text;
}

std::string to_string(const Trace& trace) {
  std::string text;
  for (const TraceEvent& event : trace) {
    constexpr const char* kWhat[] = {"packet", "park", "wake", "finish"};
    text += fmt::format("{:>6} rank {} {:<6}", event.time, event.rank, kWhat[static_cast<int>(event.what)]);
    if (event.what == TraceEvent::What::packet)
      text += fmt::format(" from {} handler {} context {} tag {} bytes {}", event.peer, event.handler, event.context,
                          event.tag, event.bytes);
    if (event.what == TraceEvent::What::park) text += fmt::format(" for {} tag {}", event.peer, event.tag);
    text += '\n';
  }
  return text;
}

}  // namespace antiphon::sim
