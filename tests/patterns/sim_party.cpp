#include "sim_party.hpp"

#include <algorithm>

#include "abi/constants.hpp"

namespace antiphon::patterns {

using objects::Ref;

namespace {

constexpr std::uint32_t kContext = 2;

int to_abi_source(int from) { return from == kAny ? abi::ANY_SOURCE : from; }
int to_abi_tag(int tag) { return tag == kAny ? abi::ANY_TAG : tag; }

Outcome outcome_of(const objects::Outcome& from) {
  return {from.source, from.tag, static_cast<std::size_t>(from.bytes), from.error == abi::ERR_TRUNCATE};
}

coll::Reduction sum_of_integers() {
  return coll::Reduction::of(objects::Op::Kind::sum, objects::Element::int64, sizeof(std::int64_t));
}

Ref<objects::Comm> everyone(const sim::Rank& rank, int size) {
  const auto group = Ref<objects::Group>::adopt(new objects::Group(size));
  return Ref<objects::Comm>::adopt(new objects::Comm(kContext, group, rank.number(), {}, "everyone"));
}

}  // namespace

SimParty::SimParty(sim::Rank& rank, int size, const transport::Capabilities& limits)
    : rank_(rank), limits_(limits), comm_(everyone(rank, size)), coll_(rank.engines().coll()) {}

std::vector<std::size_t> SimParty::sizes() const {
  std::vector<std::size_t> sizes{0,
                                 1,
                                 limits_.max_payload,
                                 limits_.max_payload + 1,
                                 limits_.eager_limit,
                                 limits_.eager_limit + 1,
                                 3 * std::max(limits_.max_payload, limits_.eager_limit)};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Party::Ticket SimParty::start_send(std::span<const std::byte> data, int to, int tag, bool synchronous) {
  const auto request = rank_.pt2pt().start_send({data.data(), data.size(), to, tag, *comm_, comm_->user_space(),
                                                 synchronous ? pt2pt::Mode::synchronous : pt2pt::Mode::standard});
  if (request)
    started_[++last_] = Ref<objects::Request>::share(*request);
  else
    started_[++last_] = {};
  return last_;
}

Party::Ticket SimParty::start_receive(std::span<std::byte> room, int from, int tag) {
  const auto request = rank_.pt2pt().start_receive(
      {room.data(), room.size(), to_abi_source(from), to_abi_tag(tag), *comm_, comm_->user_space()});
  started_[++last_] = Ref<objects::Request>::share(*request);
  return last_;
}

Outcome SimParty::wait(Ticket ticket) {
  const Ref<objects::Request> request = std::move(started_.at(ticket));
  started_.erase(ticket);
  if (!request) return {};
  rank_.progress().wait(*request);
  return outcome_of(request->outcome);
}

bool SimParty::is_done(Ticket ticket) {
  rank_.yield();
  rank_.progress().poll();
  const Ref<objects::Request>& request = started_.at(ticket);
  return !request || request->done();
}

Outcome SimParty::probe(int from, int tag) {
  return outcome_of(rank_.pt2pt().probe({comm_->user_space(), to_abi_source(from), to_abi_tag(tag)}, *comm_));
}

bool SimParty::has_arrived(int from, int tag) {
  rank_.yield();
  rank_.progress().poll();
  objects::Outcome seen;
  return rank_.pt2pt().probe_now({comm_->user_space(), to_abi_source(from), to_abi_tag(tag)}, &seen);
}

void SimParty::broadcast(std::span<std::byte> data, int root) { coll_.bcast(data.data(), data.size(), root, *comm_); }

void SimParty::sum(std::span<const std::int64_t> mine, std::span<std::int64_t> all) {
  const coll::Reduction sum = sum_of_integers();
  coll_.allreduce(coll::Vector(mine.data(), mine.size(), sum), {all.data(), all.size(), sum}, *comm_);
}

void SimParty::sum_at(int root, std::span<const std::int64_t> mine, std::span<std::int64_t> all) {
  const coll::Reduction sum = sum_of_integers();
  coll_.reduce(coll::Vector(mine.data(), mine.size(), sum), {all.data(), mine.size(), sum}, root, *comm_);
}

void SimParty::gather(std::span<const std::byte> mine, std::span<std::byte> all, int root) {
  coll_.gather(coll::Region(mine.data(), mine.size()), {all.data(), all.size()}, root, *comm_);
}

void SimParty::scatter(std::span<const std::byte> all, std::span<std::byte> mine, int root) {
  coll_.scatter({all.data(), all.size()}, coll::Region(mine.data(), mine.size()), root, *comm_);
}

void SimParty::allgather(std::span<const std::byte> mine, std::span<std::byte> all) {
  coll_.allgather(mine.data(), all.data(), mine.size(), *comm_);
}

void SimParty::alltoall(std::span<const std::byte> out, std::span<std::byte> in, std::size_t block) {
  coll_.alltoall(out.data(), in.data(), block, *comm_);
}

}  // namespace antiphon::patterns
