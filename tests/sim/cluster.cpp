#include "cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace antiphon::sim {

using progress::WaitReason;

namespace {

std::vector<bootstrap::Place> places_on(const transport::sim::Nodes& nodes, int ranks) {
  std::vector<bootstrap::Place> places;
  std::map<int, int> ranks_of;
  for (int rank = 0; rank < ranks; ++rank) {
    const int node = nodes.of_rank.empty() ? 0 : nodes.of_rank[static_cast<std::size_t>(rank)];
    places.push_back({.node = node, .rank_on_node = ranks_of[node]++});
  }
  return places;
}

std::string tag_text(int tag) { return tag == WaitReason::kAnyTag ? "any" : fmt::format("{}", tag); }

}  // namespace

FiberParking::FiberParking(Cluster& cluster, int rank, Looks looks, const progress::CallContext* call)
    : cluster_(cluster), rank_(rank), looks_(looks), call_(call) {
  cluster_.seat(rank_).parking = this;
}

FiberParking::~FiberParking() { cluster_.seat(rank_).parking = nullptr; }

bool FiberParking::breathe(int, Others) noexcept {
  if (looks_ == Looks::give_way) cluster_.scheduler().yield();
  return true;
}

progress::Parking::Ticket FiberParking::announce(const WaitReason& reason) noexcept {
  reason_ = reason;
  if (call_) procedure_ = call_->procedure;
  cluster_.scheduler().yield();  // what is published here rings no bell: the look after announce() must find it
  announced_ = true;
  const Ticket ticket = bell_;
  cluster_.scheduler().yield();  // what is published here rings: park() must return at once
  return ticket;
}

// Fibers of one thread overlook nothing.
bool FiberParking::park(Ticket ticket, Patience) noexcept {
  if (bell_ != ticket) return true;
  cluster_.note({.time = 0, .what = TraceEvent::What::park, .rank = rank_, .peer = reason_.peer, .tag = reason_.tag});
  cluster_.scheduler().block();
  return true;
}

void FiberParking::tell_failure(const progress::NthCollective& which, std::string_view why) noexcept {
  failure_ = {std::string(which.communicator), which.nth, std::string(why)};
}

std::string FiberParking::failure_of(int process, const progress::NthCollective& which) const {
  const FiberParking* const other = cluster_.seat(process).parking;
  if (!other || which.nth == 0 || other->failure_.nth != which.nth) return {};
  return other->failure_.communicator == which.communicator ? other->failure_.text : "";
}

// As a real publisher does: whoever has not announced a sleep is not rung for.
void FiberParking::ring() {
  if (!announced_) return;
  ++bell_;
  cluster_.note({.time = 0, .what = TraceEvent::What::wake, .rank = rank_});
  cluster_.scheduler().make_runnable(rank_);
}

std::string FiberParking::describe() const {
  std::string peer = "nobody in particular";
  if (reason_.peer == WaitReason::kAnyPeer) peer = "any rank";
  if (reason_.peer >= 0) peer = cluster_.name_of(reason_.peer);
  return fmt::format("{} waits {}for {}, tag {}, {}, {} bytes", cluster_.name_of(rank_),
                     *procedure_ ? fmt::format("in {} ", procedure_) : "", peer, tag_text(reason_.tag),
                     reason_.communicator, reason_.bytes);
}

Cluster::Cluster(int size, const transport::sim::Conditions& conditions, std::uint64_t seed, std::size_t stack_bytes,
                 transport::sim::Nodes nodes)
    : places_(places_on(nodes, size)),
      scheduler_(seed ^ 0x5eed5eed, stack_bytes),
      fabric_(size, conditions, seed, std::move(nodes)),
      storage_({.seed = seed, .short_percent = 20, .interrupted_percent = 10}),
      seats_(static_cast<std::size_t>(size)) {
  fabric_.on_wake([this](int rank) { wake(rank); });
}

int Cluster::rank_at(bootstrap::Place place) const {
  return static_cast<int>(std::ranges::find(places_, place) - places_.begin());
}

std::string Cluster::name_of(int rank) const {
  const bool several = places_.front().node != places_.back().node;
  const bootstrap::Place place = places_[static_cast<std::size_t>(rank)];
  return several ? fmt::format("rank {} on node {}", rank, place.node) : fmt::format("rank {}", rank);
}

void Cluster::note(TraceEvent event) {
  if (!trace_) return;
  event.time = fabric_.now();
  trace_->push_back(event);
}

Scheduler::Ending Cluster::run(const std::function<void(int rank)>& body) {
  for (int rank = 0; rank < size(); ++rank)
    scheduler_.spawn([this, &body, rank] {
      body(rank);
      note({.time = 0, .what = TraceEvent::What::finish, .rank = rank});
    });
  return scheduler_.run([this](bool idle) { return pass_time(idle); });
}

void Cluster::wake(int rank) {
  Seat& woken = seat(rank);
  if (woken.parking) woken.parking->ring();
  if (woken.sleeps_until != 0 && woken.sleeps_until <= fabric_.now()) scheduler_.make_runnable(rank);
}

void Cluster::sleep(std::uint64_t ticks) {
  Seat& mine = seat(scheduler_.current());
  mine.sleeps_until = fabric_.now() + std::max<std::uint64_t>(ticks, 1);
  fabric_.wake_at(mine.sleeps_until, scheduler_.current());
  while (fabric_.now() < mine.sleeps_until) scheduler_.block();
  mine.sleeps_until = 0;
}

// A tick for each step; when everybody sleeps, as many as it takes until something is due.
bool Cluster::pass_time(bool idle) {
  if (!idle) {
    fabric_.advance_to(fabric_.now() + 1);
    return true;
  }
  const std::optional<std::uint64_t> next = fabric_.next_event();
  if (next) fabric_.advance_to(*next);
  return next.has_value();
}

std::string Cluster::who_waits_for_whom() {
  std::string text = fmt::format("deadlock at tick {}: every rank sleeps and nothing is in flight\n", fabric_.now());
  for (int rank = 0; rank < size(); ++rank) {
    if (scheduler_.finished(rank))
      text += fmt::format("{} has finished\n", name_of(rank));
    else if (seat(rank).parking)
      text += seat(rank).parking->describe() + "\n";
  }
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
