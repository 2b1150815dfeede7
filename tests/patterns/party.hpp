// One rank as a pattern (patterns.hpp) sees it: enough of MPI to write down who sends what to whom, and no more, so
// that the same function runs as a rank of the simulator (sim_party.hpp) and as a process under mpiexec
// (mpi_party.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace antiphon::patterns {

using Bytes = std::vector<std::byte>;

inline constexpr int kAny = -1;  // source or tag

struct Outcome {
  int source = kAny;
  int tag = kAny;
  std::size_t bytes = 0;
  bool truncated = false;
};

class Party {
 public:
  // A send or a receive that was started. Dies when it was waited for.
  using Ticket = std::size_t;

  virtual ~Party() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // Message sizes worth trying here, ascending: around the limits of a packet and of an eager message.
  [[nodiscard]] virtual std::vector<std::size_t> sizes() const = 0;

  virtual Ticket start_send(std::span<const std::byte> data, int to, int tag, bool synchronous = false) = 0;
  virtual Ticket start_receive(std::span<std::byte> room, int from, int tag) = 0;
  virtual Outcome wait(Ticket ticket) = 0;
  // Progresses, and says whether wait() would return at once.
  virtual bool is_done(Ticket ticket) = 0;
  virtual Outcome probe(int from, int tag) = 0;
  // Progresses, and says whether a message can be received at once.
  virtual bool has_arrived(int from, int tag) = 0;

  virtual void barrier() = 0;
  virtual void broadcast(std::span<std::byte> data, int root) = 0;
  virtual void sum(std::span<const std::int64_t> mine, std::span<std::int64_t> all) = 0;
  virtual void sum_at(int root, std::span<const std::int64_t> mine, std::span<std::int64_t> all) = 0;
  // Blocks of mine.size() bytes.
  virtual void gather(std::span<const std::byte> mine, std::span<std::byte> all, int root) = 0;
  virtual void scatter(std::span<const std::byte> all, std::span<std::byte> mine, int root) = 0;
  virtual void allgather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
  virtual void alltoall(std::span<const std::byte> out, std::span<std::byte> in, std::size_t block) = 0;

  void send(std::span<const std::byte> data, int to, int tag) { wait(start_send(data, to, tag)); }
  Outcome receive(std::span<std::byte> room, int from, int tag) { return wait(start_receive(room, from, tag)); }
  void expect(bool holds, const std::string& what) const {
    if (!holds) throw std::runtime_error("rank " + std::to_string(rank()) + ": " + what);
  }
};

}  // namespace antiphon::patterns
