// How the pipes of a process divide the memory that they share. Each pipe in use has a block, whose length is a
// power of two and whose start is a multiple of it: long blocks while at most four pipes are needed at once,
// shorter ones for more. Blocks never overlap, and memory outside of blocks has no pages, so the pipes never take
// more than that memory. Belongs to the Pipelines; the lane's lock protects it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "transport/pipe.hpp"

namespace antiphon::pt2pt {

class PipeBlocks {
 public:
  using Block = transport::PipeBlock;
  using Release = std::function<void(const Block&)>;  // is told what belongs to none any more

  // Of `memory`, a power of two of bytes, for up to so many pipes; no block is longer than `longest`.
  PipeBlocks(std::size_t memory, unsigned pipes, std::size_t longest, Release release);

  [[nodiscard]] const Block& of(unsigned pipe) const { return blocks_[pipe]; }
  [[nodiscard]] bool has(unsigned pipe) const { return of(pipe).bytes != 0; }
  // Gives a pipe its share, or as much of it as there is room for; false if it has no block then. Those that are not
  // `busy` are cut to their share for it; it is not busy itself.
  [[nodiscard]] bool fit(unsigned pipe, const std::function<bool(unsigned pipe)>& busy);
  // The pipe is not needed any more, and does not count when shares are made.
  void drop(unsigned pipe);

 private:
  static constexpr std::size_t kFew = 4;

  [[nodiscard]] std::size_t least_wanted() const { return std::clamp<std::size_t>(blocks_.size(), 1, kFew); }
  [[nodiscard]] std::uint32_t share_among(std::size_t pipes) const;
  [[nodiscard]] std::size_t held() const;
  [[nodiscard]] bool is_free(const Block& block, unsigned but_for) const;
  void move(unsigned pipe, const Block& to);

  std::size_t memory_;
  std::size_t longest_;
  Release release_;
  std::vector<Block> blocks_;  // by pipe; of no bytes: it has none
  std::size_t wanted_;         // blocks
};

}  // namespace antiphon::pt2pt
