// The files of the operating system. Stateless: descriptors are the system's.
#pragma once

#include "storage/storage.hpp"

namespace antiphon::storage {

class SystemStorage final : public Storage {
 public:
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
};

}  // namespace antiphon::storage
