// Divides the memory that the pipes of a process share. Each pipe in use has a block, whose length is a power of two
// and whose start is a multiple of it: long blocks while at most four pipes are needed at once, shorter ones for
// more. Blocks never overlap, and memory outside of blocks has no pages, so all pipes together use no more than that
// memory. Belongs to the Pipelines; the lane protects it.
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
  using Release = std::function<void(const Block&)>;  // called for memory that no block contains any more

  // `memory` is in bytes, a power of two. No block is longer than `longest`.
  PipeBlocks(std::size_t memory, unsigned pipes, std::size_t longest, Release release);

  [[nodiscard]] const Block& of(unsigned pipe) const { return blocks_[pipe]; }
  [[nodiscard]] bool has(unsigned pipe) const { return of(pipe).bytes != 0; }
  // Gives an idle pipe a block of its share, or a shorter one if there is no room. Shrinks longer blocks of pipes
  // that are not `busy` to their share for that. False if the pipe has no block afterwards.
  [[nodiscard]] bool fit(unsigned pipe, const std::function<bool(unsigned pipe)>& busy);
  // Takes the pipe's block away; the pipe no longer counts when shares are computed.
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
  std::vector<Block> blocks_;  // by pipe; empty if the pipe has none
  std::size_t wanted_;         // blocks that were needed at once
};

}  // namespace antiphon::pt2pt
