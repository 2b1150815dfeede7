// How a process wakes another one of its machine that sleeps: a word in memory that both have mapped, on which the
// threads of its owner sleep as on a futex. An owner that sleeps on descriptors has a socket besides (BellSocket),
// and whoever rings sends it a datagram. All processes of a job sleep in the same way, so a process without a socket
// never meets an owner with one.
#pragma once

#include <atomic>
#include <cstdint>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::platform {

// All zero at first.
struct Doorbell {
  std::atomic<std::uint32_t> rings;   // how often it rang
  std::atomic<std::uint64_t> socket;  // name of the owner's BellSocket; 0: none, or the owner has not slept so far

  // For other processes. `from` is the descriptor of the caller's own BellSocket; -1: it has none.
  void ring(int from) noexcept;
  // For threads of the owner: wakes those that sleep on the word.
  void ring_threads() noexcept;
};

// A datagram socket in the abstract name space of Unix sockets, under a name that the system has chosen: it leaves
// nothing in any file system, and vanishes with its process. A datagram carries nothing; if one waits already,
// another one says no more, so it does not matter that the queue is short.
class BellSocket {
 public:
  // Fails with ERR_OTHER if the system has no more descriptors.
  BellSocket();

  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  [[nodiscard]] std::uint64_t name() const noexcept { return name_; }
  // Takes all datagrams that wait.
  void empty() noexcept;

 private:
  OwnedDescriptor socket_;
  std::uint64_t name_ = 0;
};

}  // namespace antiphon::platform
