// A sink takes the steps of a collective's plan. A plan is a function over a sink: it chooses an algorithm, and calls
// the sink to copy, send, receive and combine. The sink decides who carries out these steps and when: an Executor at
// once, a Recorder later, perhaps many times, a Counter never.
//
// Steps are carried out in the order in which they are called, except that send and receive only begin there. Each
// returns a token; the message is over after await(token), and all messages are after fence(). Until then, nothing
// may write what it sends, or use what it receives. So chunks can follow one another through a tree: a rank receives
// a chunk while it sends the one before on. Messages between two processes keep their order.
//
// Memory from scratch() lives as long as the sink, or as what it has recorded. Tokens are valid up to the next fence.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

// The two groups of an intercommunicator. On an intracommunicator all ranks are in `own`.
enum class Group : std::uint8_t { own, other };

struct Peer {
  // A rank is in this process's group, unless the group is given.
  explicit(false) Peer(int rank_of_own) : rank(rank_of_own) {}
  Peer(Group which, int rank_there) : group(which), rank(rank_there) {}
  Group group = Group::own;
  int rank;
};
inline Peer across(int rank) { return {Group::other, rank}; }

enum class Token : std::uint32_t {};

// A process's rank in its group, and the group's size. Most algorithms need to know no more of a communicator.
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
  int others = 0;  // processes in the other group; 0: this is an intracommunicator

  [[nodiscard]] bool is_inter() const { return others != 0; }
  // The processes from which this one gets data in a collective where all send to all.
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

// Combines what came from `peer` into this rank's own vector. The lower rank's is the left operand.
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
// Scratch memory for `elements` elements like those of `vector`.
template <Sink S>
Vector scratch_like(S& sink, const Vector& vector, std::size_t elements) {
  const Reduction::Room room = vector.reduction().room(elements);
  return {sink.scratch(room.bytes) + room.first, elements, vector.reduction()};
}

// Combines this rank's vector into what came from `peer`, and does not change this rank's. A user's function changes
// its right operand, so this may need a copy.
template <Sink S>
void combine_into_incoming(S& sink, const Vector& incoming, int peer, const Vector& mine, int rank) {
  if (rank < peer) return sink.reduce(mine, incoming, Reduction::Into::right);
  if (!mine.reduction().runs_user_code()) return sink.reduce(incoming, mine, Reduction::Into::left);
  const Vector copy = scratch_like(sink, mine, mine.elements());
  sink.copy(mine.region(), copy.region());
  sink.reduce(incoming, copy, Reduction::Into::left);
}

// For algorithms that pass on parts of a region, or send all of it several times: the region itself if it is
// contiguous, else scratch memory for its packed bytes. The caller copies data to or from there with restage().
template <Sink S>
Region staged(S& sink, const Region& region) {
  return region.in_one_piece() ? region : scratch_region(sink, region.bytes);
}
template <Sink S>
void restage(S& sink, const Region& from, const Region& to) {
  if (from.at != to.at) sink.copy(from, to);
}

// Scratch memory for the packed bytes of blocks, one after the other.
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

// A packed copy of the data in blocks: a region, or a list of blocks.
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
