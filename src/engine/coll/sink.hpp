// What an algorithm writes to. An algorithm is one function over a sink; who carries out its steps, and when, is the
// sink's affair: the Executor at once, a recorder later, a simulator never.
//
// send and receive may run in any order and at the same time, up to the next fence; copy and reduce happen where they
// stand and may touch only buffers that no send or receive since the last fence uses. `peer` is a rank of the
// communicator. Memory from scratch() lives as long as the sink.
#pragma once

#include <concepts>
#include <cstddef>

namespace antiphon::coll {

template <class S>
concept Sink = requires(S& sink, const std::byte* from, std::byte* to, std::size_t bytes, int peer) {
  sink.send(from, bytes, peer);
  sink.receive(to, bytes, peer);
  sink.fence();
  sink.copy(from, to, bytes);
  sink.reduce(from, to, bytes);
  { sink.scratch(bytes) } -> std::same_as<std::byte*>;
};

// Where a process stands among the others; all that most algorithms know of a communicator.
struct CommView {
  int rank;
  int size;

  [[nodiscard]] int after(int distance) const { return (rank + distance) % size; }
  [[nodiscard]] int before(int distance) const { return (rank - distance % size + size) % size; }
  // The view in which `root` is rank 0, and back.
  [[nodiscard]] CommView rooted_at(int root) const { return {(rank - root + size) % size, size}; }
  [[nodiscard]] int absolute(int relative, int root) const { return (relative + root) % size; }
};

}  // namespace antiphon::coll
