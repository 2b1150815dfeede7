#include "engine/pt2pt/pipe_blocks.hpp"

#include <bit>
#include <utility>

namespace antiphon::pt2pt {

PipeBlocks::PipeBlocks(std::size_t memory, unsigned pipes, std::size_t longest, Release release)
    : memory_(memory), longest_(longest), release_(std::move(release)), blocks_(pipes), wanted_(least_wanted()) {}

std::uint32_t PipeBlocks::share_among(std::size_t pipes) const {
  return static_cast<std::uint32_t>(std::bit_floor(std::min(longest_, memory_ / pipes)));
}

std::size_t PipeBlocks::held() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(blocks_, [](const Block& block) { return block.bytes != 0; }));
}

bool PipeBlocks::is_free(const Block& block, unsigned but_for) const {
  for (unsigned pipe = 0; pipe < blocks_.size(); ++pipe)
    if (pipe != but_for && blocks_[pipe].overlaps(block)) return false;
  return true;
}

// A pipe for which there is no room counts in wanted_ as well: the other pipes' blocks shrink when they are idle.
bool PipeBlocks::fit(unsigned pipe, const std::function<bool(unsigned pipe)>& busy) {
  if (!has(pipe)) wanted_ = std::max(wanted_, held() + 1);
  const std::uint32_t share = share_among(wanted_);
  if (of(pipe).bytes == share) return true;
  for (unsigned each = 0; each < blocks_.size(); ++each)
    if (of(each).bytes > share && !busy(each)) move(each, {of(each).offset, share});
  const std::uint32_t least = share_among(blocks_.size());
  for (std::uint32_t bytes = share; bytes >= least && bytes > of(pipe).bytes; bytes /= 2)
    for (Block block{.bytes = bytes}; block.end() <= memory_; block.offset += bytes)
      if (is_free(block, pipe)) {
        move(pipe, block);
        return true;
      }
  return has(pipe);
}

void PipeBlocks::drop(unsigned pipe) {
  move(pipe, {});
  wanted_ = std::max(least_wanted(), held());
}

// If two blocks overlap, one contains the other.
void PipeBlocks::move(unsigned pipe, const Block& to) {
  const Block from = std::exchange(blocks_[pipe], to);
  if (from.bytes == 0) return;
  if (!from.overlaps(to)) return release_(from);
  if (from.offset < to.offset) release_({from.offset, to.offset - from.offset});
  if (from.end() > to.end()) release_({to.end(), from.end() - to.end()});
}

}  // namespace antiphon::pt2pt
