// The standard input of mpiexec, for a rank 0 that another process runs. Reads no more than rank 0 takes, but for a
// quarter of a megabyte. Owned by the Job.
#pragma once

#include <poll.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace antiphon::launch {

class JobInput {
 public:
  JobInput();

  void append_polls(std::vector<pollfd>& polls) const;
  // The next bytes, valid until the next call; none: the input has ended. Nothing if there is nothing to pass on now.
  [[nodiscard]] std::optional<std::string_view> read(std::span<const pollfd> polls);
  // Rank 0 has taken so many bytes.
  void taken(std::uint64_t bytes) { under_way_ -= static_cast<std::size_t>(bytes); }

 private:
  static constexpr std::size_t kMostUnderWay = 256 << 10;

  [[nodiscard]] bool wants_more() const;

  std::array<char, 64 << 10> buffer_;
  std::size_t under_way_ = 0;
  bool ended_ = false;
};

}  // namespace antiphon::launch
