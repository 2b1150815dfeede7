#include "objects/context.hpp"

namespace antiphon::objects {

namespace {
std::uint64_t bit(std::uint32_t index) { return std::uint64_t{1} << (index % 64); }
}  // namespace

// The page used last stays, even empty: a communicator that is made and freed again and again moves no memory.
ContextSet::Page& ContextSet::page(std::uint32_t number) {
  if (!recent_ || number != recent_number_) {
    if (recent_ && recent_->used == 0) pages_.erase(recent_number_);
    recent_ = &pages_[number];
    recent_number_ = number;
  }
  return *recent_;
}

void ContextSet::insert(std::uint32_t context) {
  const std::uint32_t index = context % kPerPage;
  Page& mine = page(context / kPerPage);
  mine.bits[index / 64] |= bit(index);
  ++mine.used;
}

void ContextSet::erase(std::uint32_t context) {
  const std::uint32_t index = context % kPerPage;
  Page& mine = page(context / kPerPage);
  mine.bits[index / 64] &= ~bit(index);
  --mine.used;
}

bool ContextSet::contains(std::uint32_t context) const {
  const std::uint32_t index = context % kPerPage;
  const auto found = pages_.find(context / kPerPage);
  return found != pages_.end() && (found->second.bits[index / 64] & bit(index)) != 0;
}

std::size_t ContextSet::size() const {
  std::size_t sum = 0;
  for (const auto& [number, each] : pages_) sum += each.used;
  return sum;
}

}  // namespace antiphon::objects
