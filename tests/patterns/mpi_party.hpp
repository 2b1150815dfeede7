// A party that is a process: everything through the C interface, on MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <map>

#include "party.hpp"

namespace antiphon::patterns {

class MpiParty final : public Party {
 public:
  // Errors must return on MPI_COMM_WORLD: truncation is one that patterns ask for.
  MpiParty();

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] std::vector<std::size_t> sizes() const override;

  Ticket start_send(std::span<const std::byte> data, int to, int tag, bool synchronous) override;
  Ticket start_receive(std::span<std::byte> room, int from, int tag) override;
  Outcome wait(Ticket ticket) override;
  bool is_done(Ticket ticket) override;
  Outcome probe(int from, int tag) override;
  bool has_arrived(int from, int tag) override;

  void barrier() override;
  void broadcast(std::span<std::byte> data, int root) override;
  void sum(std::span<const std::int64_t> mine, std::span<std::int64_t> all) override;
  void sum_at(int root, std::span<const std::int64_t> mine, std::span<std::int64_t> all) override;
  void gather(std::span<const std::byte> mine, std::span<std::byte> all, int root) override;
  void scatter(std::span<const std::byte> all, std::span<std::byte> mine, int root) override;
  void allgather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  void alltoall(std::span<const std::byte> out, std::span<std::byte> in, std::size_t block) override;

 private:
  struct Started {
    MPI_Request request;
    MPI_Status status;
    int error = MPI_SUCCESS;
  };
  // Throws unless `error` is success.
  static void check(int error);
  [[nodiscard]] static Outcome outcome_of(const MPI_Status& status, bool truncated);

  int rank_ = 0;
  int size_ = 1;
  Ticket last_ = 0;
  std::map<Ticket, Started> started_;
};

}  // namespace antiphon::patterns
