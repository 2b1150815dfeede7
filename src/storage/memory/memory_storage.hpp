// Files in memory, for tests and simulations, which can make calls go wrong as the system's do: some move fewer bytes
// than asked, some are interrupted, and there can be no more space. Every draw comes from the seed, so a run can be
// repeated. For one thread at a time. Locks always succeed, because nothing happens at the same time here.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/rng.hpp"
#include "storage/storage.hpp"

namespace antiphon::storage {

class MemoryStorage final : public Storage {
 public:
  struct Faults {
    std::uint64_t seed = 1;
    unsigned short_percent = 0;           // calls that move fewer bytes than asked
    unsigned interrupted_percent = 0;     // calls that return EINTR
    std::int64_t most_bytes = INT64_MAX;  // of all files together; beyond that there is no space
  };
  MemoryStorage() : MemoryStorage(Faults{}) {}
  explicit MemoryStorage(const Faults& faults) : faults_(faults), random_(faults.seed) {}

  [[nodiscard]] Result open(const std::string& path, int flags, unsigned permissions) override;
  [[nodiscard]] Result close(int file) override;
  [[nodiscard]] Result remove(const std::string& path) override;
  [[nodiscard]] Result read(int file, Pieces into, std::int64_t offset) override;
  [[nodiscard]] Result write(int file, Pieces from, std::int64_t offset) override;
  [[nodiscard]] Result size(int file) override;
  [[nodiscard]] Result set_size(int file, std::int64_t bytes) override;
  [[nodiscard]] Result allocate(int file, std::int64_t bytes) override;
  [[nodiscard]] Result synchronize(int file) override;
  [[nodiscard]] Result lock(int file, Lock how, std::int64_t first, std::int64_t bytes) override;

  // What a file holds; null if there is none of this name.
  [[nodiscard]] const std::vector<std::byte>* contents(const std::string& path) const;
  [[nodiscard]] std::size_t open_files() const { return open_.size(); }

 private:
  using File = std::shared_ptr<std::vector<std::byte>>;

  [[nodiscard]] bool happens(unsigned percent) { return percent != 0 && random_.percent(percent); }
  // How many bytes of `wanted` a call moves.
  [[nodiscard]] std::size_t moved(std::size_t wanted);
  [[nodiscard]] Result resize(std::vector<std::byte>& file, std::size_t bytes);

  Faults faults_;
  base::Rng random_;
  std::map<std::string, File> named_;
  std::map<int, File> open_;
  int next_ = 3;
};

}  // namespace antiphon::storage
