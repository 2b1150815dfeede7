// What the plan of a collective is written to. A plan is one function over a sink, which chooses an algorithm, and
// says what is copied, sent, received and combined; who carries out these steps, and when, is the sink's affair: the
// Executor at once, a Recorder later and perhaps again, a Counter never.
//
// Steps happen in the order in which they are written, except that send and receive only begin there. Each gives a
// token; await(token) is where it is over, fence() where all are. Until then nobody else touches what it sends, and
// nobody looks at what it receives. So chunks can follow each other through a tree, a receive of the next one under
// way while the last is sent on. Between two processes messages keep their order, however many there are.
//
// Memory from scratch() lives as long as the sink, or what it has recorded. Tokens are valid up to the next fence.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

// Of an intercommunicator there are two groups.
enum class Group : std::uint8_t { own, other };

struct Peer {
  // A rank is a peer, unless it is said to be of the other group.
  explicit(false) Peer(int rank_of_own) : rank(rank_of_own) {}
  Peer(Group which, int rank_there) : group(which), rank(rank_there) {}
  Group group = Group::own;
  int rank;
};
inline Peer across(int rank) { return {Group::other, rank}; }

enum class Token : std::uint32_t {};

// Where a process stands among those of its group; all that most algorithms know of a communicator.
struct CommView {
  int rank;
  int size;

  [[nodiscard]] int after(int distance) const { return (rank + distance) % size; }
  [[nodiscard]] int before(int distance) const { return (rank - distance % size + size) % size; }
  // The view in which `root` is rank 0, and back.
  [[nodiscard]] CommView rooted_at(int root) const { return {(rank - root + size) % size, size}; }
  [[nodiscard]] int absolute(int relative, int root) const { return (relative + root) % size; }
};

struct View : CommView {
  int others = 0;  // processes in the other group; 0: there is none

  [[nodiscard]] bool is_inter() const { return others != 0; }
  // Those whose data a collective has from everybody to everybody.
  [[nodiscard]] int peers() const { return is_inter() ? others : size; }
};

template <class S>
concept Sink = requires(S& sink, const Region& region, const Vector& vector, Peer peer, Token token,
                        std::size_t bytes, Reduction::Into into) {
  { sink.view() } -> std::convertible_to<View>;
  { sink.send(region, peer) } -> std::same_as<Token>;
  { sink.receive(region, peer) } -> std::same_as<Token>;
  sink.await(token);
  sink.fence();
  sink.copy(region, region);
  sink.reduce(vector, vector, into);
  { sink.scratch(bytes) } -> std::same_as<std::byte*>;
};

// Combines what came from `peer` with this rank's own, into this rank's own. The lower rank's is the left operand.
template <Sink S>
void combine(S& sink, const Vector& incoming, int peer, const Vector& own, int rank) {
  if (peer < rank)
    sink.reduce(incoming, own, Reduction::Into::right);
  else
    sink.reduce(own, incoming, Reduction::Into::left);
}

template <Sink S>
Region scratch_region(S& sink, std::size_t bytes) {
  return {sink.scratch(bytes), bytes};
}
// Room for so many elements like those of `vector`.
template <Sink S>
Vector scratch_like(S& sink, const Vector& vector, std::size_t elements) {
  const Reduction::Room room = vector.reduction().room(elements);
  return {sink.scratch(room.bytes) + room.first, elements, vector.reduction()};
}

// The same into what came, with a contribution of this rank's that stays as it is. The user's functions write on the
// right, so they may need a copy of it.
template <Sink S>
void combine_into_incoming(S& sink, const Vector& incoming, int peer, const Vector& mine, int rank) {
  if (rank < peer) return sink.reduce(mine, incoming, Reduction::Into::right);
  if (!mine.reduction().runs_user_code()) return sink.reduce(incoming, mine, Reduction::Into::left);
  const Vector copy = scratch_like(sink, mine, mine.elements());
  sink.copy(mine.region(), copy.region());
  sink.reduce(incoming, copy, Reduction::Into::left);
}

// For algorithms that pass on parts of a region, or all of it several times: the region itself if it is in one piece,
// else room for its bytes packed. What must be there before, or is to be there afterwards, is copied with restage().
template <Sink S>
Region staged(S& sink, const Region& region) {
  return region.in_one_piece() ? region : scratch_region(sink, region.bytes);
}
template <Sink S>
void restage(S& sink, const Region& from, const Region& to) {
  if (from.at != to.at) sink.copy(from, to);
}

// Room for the packed bytes of blocks, one after the other.
struct PackedBlocks {
  Region whole;
  BlockList each;
};
template <Sink S>
PackedBlocks packed_like(S& sink, const BlockList& blocks) {
  std::size_t bytes = 0;
  for (int i = 0; i < blocks.number(); ++i) bytes += blocks[i].bytes;
  const Region whole = scratch_region(sink, bytes);
  std::vector<Region> each;
  each.reserve(static_cast<std::size_t>(blocks.number()));
  std::byte* next = whole.at;
  for (int i = 0; i < blocks.number(); ++i) {
    each.emplace_back(next, blocks[i].bytes);
    next += blocks[i].bytes;
  }
  return {whole, BlockList(std::move(each))};
}
template <Sink S>
void copy_each(S& sink, const BlockList& from, const BlockList& to) {
  for (int i = 0; i < from.number(); ++i) sink.copy(from[i], to[i]);
}

// What lies in blocks, packed: as a region, or as a list of blocks.
template <Sink S>
Region packed_copy(S& sink, const Region& blocks) {
  const Region copy = scratch_region(sink, blocks.bytes);
  sink.copy(blocks, copy);
  return copy;
}
template <Sink S>
BlockList packed_copy(S& sink, const BlockList& blocks) {
  PackedBlocks copy = packed_like(sink, blocks);
  copy_each(sink, blocks, copy.each);
  return std::move(copy.each);
}

}  // namespace antiphon::coll
