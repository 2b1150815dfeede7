// The sink of blocking collectives: every step happens now, over point-to-point messages in the communicator's
// collective context. Lives on the stack of one call.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "engine/coll/reduction.hpp"
#include "engine/coll/sink.hpp"
#include "engine/pt2pt/pt2pt.hpp"

namespace antiphon::coll {

// Of all blocking collectives: order within the collective context does the rest.
inline constexpr std::int32_t kBlockingTag = 0;

class Executor {
 public:
  // `element_bytes` and `kernel` serve reduce(); a collective without arithmetic needs neither.
  Executor(pt2pt::PointToPoint& pt2pt, objects::Comm& comm, ReduceKernel kernel = nullptr,
           std::size_t element_bytes = 1)
      : pt2pt_(pt2pt), comm_(comm), kernel_(kernel), element_bytes_(element_bytes) {}

  [[nodiscard]] CommView view() const { return {comm_.rank(), comm_.size()}; }

  void send(const std::byte* from, std::size_t bytes, int peer) {
    if (auto request = pt2pt_.start_send({from, bytes, peer, kBlockingTag, comm_, comm_.collective_context()}))
      pending_.push_back(objects::Ref<objects::Request>::share(*request));
  }
  void receive(std::byte* to, std::size_t bytes, int peer) {
    const auto request = pt2pt_.start_receive({to, bytes, peer, kBlockingTag, comm_, comm_.collective_context()});
    pending_.push_back(objects::Ref<objects::Request>::share(*request));
  }
  void fence();
  void copy(const std::byte* from, std::byte* to, std::size_t bytes) {
    if (bytes != 0 && from != to) std::memmove(to, from, bytes);
  }
  void reduce(const std::byte* from, std::byte* to, std::size_t bytes) { kernel_(from, to, bytes / element_bytes_); }
  [[nodiscard]] std::byte* scratch(std::size_t bytes) {
    scratch_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes + 1));
    return scratch_.back().get();
  }

 private:
  pt2pt::PointToPoint& pt2pt_;
  objects::Comm& comm_;
  ReduceKernel kernel_;
  std::size_t element_bytes_;
  std::vector<objects::Ref<objects::Request>> pending_;
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
};

}  // namespace antiphon::coll
