#include "transport/sim/fabric.hpp"

#include <algorithm>
#include <cstring>

namespace antiphon::transport::sim {

namespace {
constexpr int kFairShare = 4;  // packets from one sender before the next gets its turn
}

Fabric::Fabric(int size, const Conditions& conditions, std::uint64_t seed, Nodes nodes)
    : size_(size),
      conditions_(conditions),
      nodes_(std::move(nodes)),
      rng_(seed),
      pairs_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)),
      works_(static_cast<std::size_t>(size)),
      pipes_(static_cast<std::size_t>(size)) {
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to) {
      const Conditions& here = this->conditions(from, to);
      if (here.mapped) pair(from, to).mapped = here.mapped_percent >= 100 || rng_.percent(here.mapped_percent);
    }
}

Pipe Fabric::pipe(int rank, unsigned number, const PipeBlock& block) {
  Pipes& mine = pipes_[static_cast<std::size_t>(rank)];
  if (mine.positions.empty()) {
    mine.positions = std::vector<Pipe::Positions>(conditions_.pipes);
    mine.memory.resize(pipe_memory() / sizeof(Line));
  }
  return {&mine.positions[number], {mine.memory.front().bytes + block.offset, block.bytes}};
}

void Fabric::advance_to(std::uint64_t time) {
  now_ = std::max(now_, time);
  while (!events_.empty() && events_.top().time <= now_) {
    const int rank = events_.top().rank;
    events_.pop();
    wake_(rank);
  }
}

std::optional<std::uint64_t> Fabric::next_event() const {
  return events_.empty() ? std::nullopt : std::optional(events_.top().time);
}

bool Fabric::admits(int from, int to) {
  Pair& way = pair(from, to);
  if (way.in_flight.size() >= conditions(from, to).packets_per_pair) {
    way.refused = true;  // woken when the receiver takes a packet
    return false;
  }
  if (rng_.percent(conditions(from, to).refuse_percent)) {
    schedule(now_ + delay(from, to), from);
    return false;
  }
  return true;
}

void Fabric::send(int from, int to, const PacketHeader& header, Payload payload) {
  Pair& way = pair(from, to);
  way.last_due = std::max(way.last_due, now_ + delay(from, to));
  way.in_flight.push_back({way.last_due, header, {payload.begin(), payload.end()}});
  schedule(way.last_due, to);
}

bool Fabric::deliver(int to, const Dispatcher& dispatch) {
  bool any = false;
  const int first = rng_.below(size_);
  for (int turn = 0; turn < size_; ++turn) any |= deliver_from((first + turn) % size_, to, dispatch);
  return any;
}

bool Fabric::deliver_from(int from, int to, const Dispatcher& dispatch) {
  Pair& way = pair(from, to);
  bool any = false;
  for (int share = kFairShare; share > 0 && !way.in_flight.empty() && way.in_flight.front().due <= now_; --share) {
    const Packet packet = std::move(way.in_flight.front());
    way.in_flight.pop_front();
    if (std::exchange(way.refused, false)) schedule(now_ + delay(from, to), from);
    dispatch(from, packet.header, packet.payload);
    any = true;
  }
  return any;
}

namespace {

// Copies as many bytes as the shorter list has; returns their number.
std::size_t copied(PeerMemory::Pieces from, PeerMemory::Pieces to) {
  std::size_t all = 0, from_done = 0, to_done = 0;  // of the first pieces
  while (!from.empty() && !to.empty()) {
    const std::size_t bytes = std::min(from.front().bytes - from_done, to.front().bytes - to_done);
    std::memcpy(to.front().begin + to_done, from.front().begin + from_done, bytes);
    all += bytes;
    if ((from_done += bytes) == from.front().bytes) from = from.subspan(1), from_done = 0;
    if ((to_done += bytes) == to.front().bytes) to = to.subspan(1), to_done = 0;
  }
  return all;
}

}  // namespace

// All ranks share one address space, so memcpy can copy between them.
class SimTransport::Memory final : public PeerMemory {
 public:
  Memory(Fabric& fabric, int self, int peer) : fabric_(fabric), self_(self), peer_(peer) {}

  bool read(Pieces here, Pieces there, std::size_t bytes) noexcept override {
    return conditions().system_copies && copied(there, here) == bytes;
  }
  bool write(Pieces here, Pieces there, std::size_t bytes) noexcept override {
    if (!conditions().system_copies) return false;
    if (fabric_.rng_.percent(conditions().refuse_copy_percent)) return false;
    return copied(here, there) == bytes;
  }
  std::byte* mapped(std::uint64_t address, std::size_t bytes) noexcept override {
    const bool found = fabric_.pair(self_, peer_).mapped || fabric_.shared_(peer_, address, bytes);
    return found ? reinterpret_cast<std::byte*>(address) : nullptr;
  }
  bool is_mapped_by_peer(const std::byte*, std::size_t) noexcept override {
    return fabric_.pair(peer_, self_).mapped && fabric_.rng_.percent(50);
  }
  SharedWork& mine(unsigned number) noexcept override {
    return fabric_.works_[static_cast<std::size_t>(self_)][number];
  }
  SharedWork& theirs(unsigned number) noexcept override {
    return fabric_.works_[static_cast<std::size_t>(peer_)][number];
  }
  unsigned pipes() const noexcept override { return conditions().pipes; }
  std::size_t pipe_memory() const noexcept override { return fabric_.pipe_memory(); }
  Pipe my_pipe(unsigned number, const PipeBlock& block) noexcept override {
    return fabric_.pipe(self_, number, block);
  }
  Pipe their_pipe(unsigned number, const PipeBlock& block) noexcept override {
    return fabric_.pipe(peer_, number, block);
  }
  // Pages that were given back may have any contents, so nothing may rely on them.
  void release(const PipeBlock& block) noexcept override {
    std::ranges::fill(fabric_.pipe(self_, 0, block).memory(), std::byte{0xa5});
  }
  void wake() noexcept override { fabric_.schedule(fabric_.now_ + fabric_.delay(self_, peer_), peer_); }

 private:
  [[nodiscard]] const Conditions& conditions() const { return fabric_.conditions(self_, peer_); }

  Fabric& fabric_;
  int self_;
  int peer_;
};

class SimTransport::Sender final : public Channel {
 public:
  Sender(Fabric& fabric, int self, int peer, PeerMemory* memory)
      : fabric_(fabric), self_(self), peer_(peer), memory_(memory) {}
  SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    if (!fabric_.admits(self_, peer_)) return SendStatus::full;
    fabric_.send(self_, peer_, header, payload);
    return SendStatus::sent;
  }
  std::byte* reserve(std::size_t bytes) noexcept override {
    if (!fabric_.admits(self_, peer_)) return nullptr;
    reserved_.resize(std::max<std::size_t>(bytes, 1));
    return reserved_.data();
  }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept override {
    fabric_.send(self_, peer_, header, {reserved_.data(), bytes});
  }
  [[nodiscard]] const Capabilities& capabilities() const noexcept override {
    return fabric_.conditions(self_, peer_).capabilities;
  }
  [[nodiscard]] PeerMemory* peer_memory() noexcept override { return memory_; }

 private:
  Fabric& fabric_;
  int self_;
  int peer_;
  PeerMemory* memory_;
  std::vector<std::byte, WireMemory<std::byte>> reserved_;
};

SimTransport::SimTransport(Fabric& fabric, int self)
    : fabric_(fabric), self_(self), memories_(static_cast<std::size_t>(fabric.size_)) {}
SimTransport::~SimTransport() = default;

std::unique_ptr<Channel> SimTransport::connect(int peer) {
  return std::make_unique<Sender>(fabric_, self_, peer,
                                  fabric_.conditions(self_, peer).peer_memory ? memory_of(peer) : nullptr);
}

PeerMemory* SimTransport::memory_of(int peer) {
  if (!fabric_.conditions(self_, peer).peer_memory && fabric_.node_of(self_) != fabric_.node_of(peer)) return nullptr;
  std::unique_ptr<Memory>& memory = memories_[static_cast<std::size_t>(peer)];
  if (!memory) memory = std::make_unique<Memory>(fabric_, self_, peer);
  return memory.get();
}

}  // namespace antiphon::transport::sim
