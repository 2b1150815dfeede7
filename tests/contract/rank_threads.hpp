// Ranks that are threads over one memory, so that ThreadSanitizer sees what each does there: in real jobs they are
// processes, and it sees one of them.
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "base/cache_line.hpp"
#include "objects/comm.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::contract {

// body(rank), each in a thread of its own.
template <class Body>
void as_ranks(int ranks, Body body) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(body, rank);
  for (std::thread& thread : threads) thread.join();
}

template <class Done>
void wait_until(Done&& done) {
  constexpr int kLooksAtATime = 64;
  for (int look = 1; !done(); ++look)
    if (look % kLooksAtATime == 0) sched_yield();
}

inline objects::Ref<objects::Comm> everybody(int ranks, int rank) {
  const auto group = objects::Ref<objects::Group>::adopt(new objects::Group(ranks));
  return objects::Ref<objects::Comm>::adopt(new objects::Comm(objects::kWorldContext, group, rank, {}, "everybody"));
}

// Zeros at the start of a cache line.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes) : start_(new (kAlignment) std::byte[bytes]{}) {}
  [[nodiscard]] std::byte* start() const { return start_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{base::kCacheLinePair};
  struct Free {
    void operator()(std::byte* start) const { operator delete[](start, kAlignment); }
  };
  std::unique_ptr<std::byte[], Free> start_;
};

// Of a rank that has the same memory, and that nobody wakes.
class OneMemory final : public transport::PeerMemory {
 public:
  bool read(Pieces, Pieces, std::size_t) noexcept override { return false; }
  bool write(Pieces, Pieces, std::size_t) noexcept override { return false; }
  transport::SharedWork& mine(unsigned) noexcept override { return work_; }
  transport::SharedWork& theirs(unsigned) noexcept override { return work_; }

 private:
  transport::SharedWork work_;
};

}  // namespace antiphon::contract
