#include "collective_act.hpp"

#include <fmt/format.h>

namespace antiphon::sim {

namespace {

constexpr const char* kNames[kCollectives] = {"barrier",    "bcast",     "reduce",         "allreduce", "gather",
                                              "scatter",    "allgather", "alltoall",       "gatherv",   "scatterv",
                                              "allgatherv", "alltoallv", "reduce_scatter", "scan",      "exscan"};

// What a rank's own memory holds: blocks for each rank, one block or vector, or none.
std::size_t rooms_of_mine(const Act& act, int size) {
  if (act.what == Collective::barrier) return 0;
  return act.what == Collective::alltoall || act.what == Collective::alltoallv ? static_cast<std::size_t>(size) : 1;
}
std::size_t rooms_of_all(const Act& act, int size) {
  const bool has_blocks = act.what >= Collective::gather && act.what <= Collective::alltoallv;
  return has_blocks ? static_cast<std::size_t>(size) : 0;
}

}  // namespace

std::string Act::text() const {
  return fmt::format("{} of {} x elements {}, root {}, comm {}{}{}", kNames[static_cast<int>(what)], count, elements,
                     root, comm, in_place ? ", in place" : "", blocking ? "" : ", nonblocking");
}

ActOfRank::ActOfRank(const Act& act, const Elements& elements, int rank, int size)
    : act_(act),
      elements_(elements),
      rank_(rank),
      size_(size),
      mine_(elements, act.count * rooms_of_mine(act, size)),
      all_(elements, act.count * rooms_of_all(act, size)),
      result_(elements, is_reduction() ? act.count : 0) {
  fill();
}

namespace {

// The functions of the library, with the communicator that they have in common.
struct Caller {
  coll::Collectives& coll;
  objects::Comm& comm;
  coll::Deferred* later;

  void barrier() const { coll.barrier(comm, later); }
  void bcast(const coll::Region& buffer, int root) const { coll.bcast(buffer, root, comm, later); }
  void reduce(const auto& mine, const coll::Vector& result, int root) const {
    coll.reduce(mine, result, root, comm, later);
  }
  void allreduce(const auto& mine, const coll::Vector& result) const { coll.allreduce(mine, result, comm, later); }
  void gather(const auto& mine, const auto& all, int root) const { coll.gather(mine, all, root, comm, later); }
  void scatter(const auto& all, const auto& mine, int root) const { coll.scatter(all, mine, root, comm, later); }
  void allgather(const auto& mine, const auto& all) const { coll.allgather(mine, all, comm, later); }
  void alltoall(const auto& out, const auto& in) const { coll.alltoall(out, in, comm, later); }
  void reduce_scatter(const coll::Vector& all, const coll::Shares& shares, const coll::Vector& share) const {
    coll.reduce_scatter(all, shares, share, comm, later);
  }
  void scan(const auto& mine, const coll::Vector& result) const { coll.scan(mine, result, comm, later); }
  void exscan(const auto& mine, const coll::Vector& result) const { coll.exscan(mine, result, comm, later); }
};

}  // namespace

void ActOfRank::call(coll::Collectives& coll, objects::Comm& comm, coll::Deferred* later) {
  give(Caller{coll, comm, later});
}

Value ActOfRank::given(int from, int to, std::size_t i) const {
  std::uint64_t bits =
      act_.salt + static_cast<std::uint64_t>(from) * 0x9e37'79b9'7f4a'7c15 + i * 0xbf58'476d'1ce4'e5b9;
  if (all_to_all() || act_.what == Collective::scatter || act_.what == Collective::scatterv)
    bits += static_cast<std::uint64_t>(to) * 0x94d0'49bb'1331'11eb;
  bits ^= bits >> 29;
  bits *= 0xbf58'476d'1ce4'e5b9;
  return elements_.drawn(bits ^ bits >> 32);
}

Value ActOfRank::combined(int first, int last, std::size_t i) const {
  Value value = given(first, 0, i);
  for (int rank = first + 1; rank <= last; ++rank) value = elements_.combined(value, given(rank, 0, i));
  return value;
}

// As many for each, or few for the first ranks and many for the last.
coll::Shares ActOfRank::shares() const {
  const auto n = static_cast<std::size_t>(size_);
  if (act_.root % 2 == 0) return coll::Shares(act_.count / n);
  std::vector<std::size_t> starts;
  for (std::size_t each = 0; each <= n; ++each) starts.push_back(act_.count * each * each / (n * n));
  return coll::Shares(std::move(starts));
}

void ActOfRank::fill() {
  const Value other = elements_.drawn(~act_.salt);
  const auto blocks = [&](ElementBuffer& buffer, auto value) {
    for (std::size_t i = 0; i < buffer.count(); ++i)
      buffer.set(i, value(static_cast<int>(i / act_.count), i % act_.count));
  };
  const auto nothing = [&](int, std::size_t) { return other; };
  blocks(mine_, [&](int to, std::size_t i) { return given(rank_, to, i); });
  blocks(all_, nothing);
  blocks(result_, nothing);
  const bool scatters = act_.what == Collective::scatter || act_.what == Collective::scatterv;
  if (act_.what == Collective::bcast && !is_root()) blocks(mine_, nothing);
  if (scatters) {
    blocks(mine_, nothing);
    if (is_root()) blocks(all_, [&](int to, std::size_t i) { return given(rank_, to, i); });
  }
  if (!act_.in_place) return;
  blocks(result_, [&](int, std::size_t i) { return given(rank_, 0, i); });
  if (scatters) return;
  if (all_to_all())
    blocks(all_, [&](int to, std::size_t i) { return given(rank_, to, i); });
  else
    for (std::size_t i = 0; i < act_.count && all_.count() != 0; ++i)
      all_.set(static_cast<std::size_t>(rank_) * act_.count + i, given(rank_, 0, i));
}

std::string ActOfRank::wrong() const {
  const auto differs = [&](const ElementBuffer& buffer, std::size_t at, Value wanted) {
    return buffer.at(at) == wanted ? std::string()
                                   : fmt::format("element {} is {:#x}, not {:#x}", at, buffer.at(at), wanted);
  };
  for (const ElementBuffer* buffer : {&mine_, &all_, &result_})
    if (!buffer->gaps_untouched()) return "somebody wrote between elements";
  std::string found;
  // What a block from each rank must be.
  const auto check_blocks = [&] {
    for (int from = 0; from < size_ && found.empty(); ++from)
      for (std::size_t i = 0; i < length(from, rank_) && found.empty(); ++i)
        found = differs(all_, static_cast<std::size_t>(from) * act_.count + i, given(from, rank_, i));
  };
  const auto check_result = [&](std::size_t elements, auto wanted) {
    for (std::size_t i = 0; i < elements && found.empty(); ++i) found = differs(result_, i, wanted(i));
  };
  switch (act_.what) {
    case Collective::barrier:
      break;
    case Collective::bcast:
      for (std::size_t i = 0; i < act_.count && found.empty(); ++i) found = differs(mine_, i, given(act_.root, 0, i));
      break;
    case Collective::gather:
    case Collective::gatherv:
      if (is_root()) check_blocks();
      break;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::alltoallv:
      check_blocks();
      break;
    case Collective::scatter:
    case Collective::scatterv:
      if (!is_root() || !act_.in_place)
        for (std::size_t i = 0; i < length(rank_, 0) && found.empty(); ++i)
          found = differs(mine_, i, given(act_.root, rank_, i));
      break;
    case Collective::reduce:
      if (is_root()) check_result(act_.count, [&](std::size_t i) { return combined(0, size_ - 1, i); });
      break;
    case Collective::allreduce:
      check_result(act_.count, [&](std::size_t i) { return combined(0, size_ - 1, i); });
      break;
    case Collective::reduce_scatter:
      check_result(share(rank_), [&](std::size_t i) { return combined(0, size_ - 1, shares().start(rank_) + i); });
      break;
    case Collective::scan:
      check_result(act_.count, [&](std::size_t i) { return combined(0, rank_, i); });
      break;
    case Collective::exscan:
      if (rank_ > 0) check_result(act_.count, [&](std::size_t i) { return combined(0, rank_ - 1, i); });
      break;
  }
  // Nobody changes what he was given to send.
  const bool sends_mine = !act_.in_place && act_.what != Collective::scatter && act_.what != Collective::scatterv &&
                          act_.what != Collective::bcast && act_.what != Collective::barrier;
  for (std::size_t i = 0; sends_mine && i < mine_.count() && found.empty(); ++i)
    found = differs(mine_, i, given(rank_, static_cast<int>(i / act_.count), i % act_.count));
  return found;
}

}  // namespace antiphon::sim
