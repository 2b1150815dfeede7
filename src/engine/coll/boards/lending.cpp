#include "engine/coll/boards/lending.hpp"

#include <algorithm>
#include <bit>

namespace antiphon::coll {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::uint64_t bit_of(int rank) { return std::uint64_t{1} << rank; }

// Below 128 KiB, below 256, and so on.
std::size_t range_of(std::size_t bytes) {
  return std::min(static_cast<std::size_t>(std::bit_width(bytes >> 17)), BoardSeat::kRanges - 1);
}

}  // namespace

Lending::Broadcast Lending::begin(const Region& buffer, int root) {
  Broadcast next{.root = root, .bytes = buffer.bytes, .range = range_of(buffer.bytes)};
  const auto occasion = base::Occasion::of(begun_[static_cast<std::size_t>(root)][next.range]++);
  const bool is_root = rank_ == root;
  if (is_root && buffer.in_one_piece()) next.given = way(next.range, occasion);
  if (occasion.is_timed && (is_root ? !fixed_ : rank_ == after(root))) next.began = clock_();
  return next;
}

Given Lending::way(std::size_t range, const base::Occasion& occasion) {
  if (is_refused_) return Given::on_pages;
  if (fixed_) return *fixed_;
  base::Preference<Given>& preference = preferences_[range];
  const std::uint64_t cost = memory_.seat(after(rank_)).cost_on_pages[range].load(kRelaxed);
  if (cost != heard_[range]) preference.learn(Given::on_pages, heard_[range] = cost);
  return occasion.is_trial ? preference.other(preference.advice()) : preference.advice();
}

// It lasts from when both are there.
void Lending::hear(Broadcast& broadcast, Given given, std::uint64_t began) {
  broadcast.given = given;
  if (broadcast.began == 0) return;
  if (given == Given::lent) memory_.seat(rank_).came.store(broadcast.began, kRelaxed);
  broadcast.began = began == 0 ? 0 : std::max(began, broadcast.began);
}

void Lending::refuse(int root) { memory_.seat(rank_).refuses.fetch_or(bit_of(root), kRelaxed); }

bool Lending::all_could_read() {
  for (int rank = 0; rank < memory_.ranks(); ++rank)
    if ((memory_.seat(rank).refuses.load(kRelaxed) & bit_of(rank_)) != 0) is_refused_ = true;
  return !is_refused_;
}

void Lending::end(const Broadcast& broadcast) {
  if (broadcast.began == 0) return;
  const auto cost_since = [&](std::uint64_t began) { return ((clock_() - began) << 20) / broadcast.bytes; };
  const bool is_lent = broadcast.given == Given::lent;
  if (rank_ == broadcast.root && is_lent && !is_refused_) {
    const std::uint64_t came = memory_.seat(after(rank_)).came.load(kRelaxed);
    preferences_[broadcast.range].learn(Given::lent, cost_since(std::max(broadcast.began, came)));
  } else if (rank_ != broadcast.root && !is_lent) {
    memory_.seat(rank_).cost_on_pages[broadcast.range].store(cost_since(broadcast.began), kRelaxed);
  }
}

}  // namespace antiphon::coll
