// A party that is a fiber: a rank of a simulated job, with the engines that a process has, over a network that
// delays, reorders between pairs and refuses as its seed says.
#pragma once

#include <map>

#include "party.hpp"
#include "world.hpp"

namespace antiphon::patterns {

class SimParty final : public Party {
 public:
  SimParty(sim::Rank& rank, int size, const transport::Capabilities& limits);

  [[nodiscard]] int rank() const override { return rank_.number(); }
  [[nodiscard]] int size() const override { return comm_->size(); }
  [[nodiscard]] std::vector<std::size_t> sizes() const override;

  Ticket start_send(std::span<const std::byte> data, int to, int tag, bool synchronous) override;
  Ticket start_receive(std::span<std::byte> room, int from, int tag) override;
  Outcome wait(Ticket ticket) override;
  bool is_done(Ticket ticket) override;
  Outcome probe(int from, int tag) override;
  bool has_arrived(int from, int tag) override;

  void barrier() override { coll_.barrier(*comm_); }
  void broadcast(std::span<std::byte> data, int root) override;
  void sum(std::span<const std::int64_t> mine, std::span<std::int64_t> all) override;
  void sum_at(int root, std::span<const std::int64_t> mine, std::span<std::int64_t> all) override;
  void gather(std::span<const std::byte> mine, std::span<std::byte> all, int root) override;
  void scatter(std::span<const std::byte> all, std::span<std::byte> mine, int root) override;
  void allgather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  void alltoall(std::span<const std::byte> out, std::span<std::byte> in, std::size_t block) override;

 private:
  sim::Rank& rank_;
  transport::Capabilities limits_;
  objects::Ref<objects::Comm> comm_;
  coll::Collectives& coll_;
  Ticket last_ = 0;
  std::map<Ticket, objects::Ref<objects::Request>> started_;  // null: it was over at once
};

}  // namespace antiphon::patterns
