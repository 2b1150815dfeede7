#include "engine/rma/system_copy.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/data/place.hpp"

namespace antiphon::rma {

namespace {

using transport::PeerMemory;

constexpr std::size_t kAtOnce = std::size_t{1} << 30;  // bytes
constexpr std::size_t kPage = 4096;
constexpr std::size_t kFewRuns = 64, kShortRun = 64;

data::Place place_there(const Transfer& transfer) {
  return {reinterpret_cast<std::byte*>(transfer.remote.address), transfer.remote.scattered};
}

// Reads short runs of the target that are near each other together with the bytes between them, and then unpacks them
// here. For each run the system has to find and pin pages, which takes about as long as a copy of one page more.
class Gathering {
 public:
  Gathering(const Transfer& transfer, PeerMemory& target)
      : transfer_(transfer),
        target_(target),
        here_(transfer.local.buffer, transfer.local.scattered),
        there_(place_there(transfer)) {}

  // Returns how many bytes it has copied, from packed byte `offset` on; 0 if these are no such runs, or the system
  // refuses.
  [[nodiscard]] std::size_t gather(std::size_t offset) {
    std::array<base::Piece, 256> pieces;
    std::size_t bytes = 0;
    const std::size_t count = there_.pieces(offset, transfer_.bytes - offset, pieces, &bytes);
    std::byte *low = pieces.front().begin, *high = low;
    for (const base::Piece& run : std::span(pieces).first(count)) {
      low = std::min(low, run.begin);
      high = std::max(high, run.begin + run.bytes);
    }
    const auto span = static_cast<std::size_t>(high - low);
    if (bytes > count * kPage || span > bytes + count * kPage) return 0;
    window_.resize(std::max(window_.size(), span));
    const base::Piece mine{window_.data(), span}, theirs{low, span};
    if (!target_.read({&mine, 1}, {&theirs, 1}, span)) return 0;
    const data::Place gathered(window_.data() - (low - there_.at), transfer_.remote.scattered);
    data::copy(gathered, here_, offset, bytes);
    return bytes;
  }

 private:
  const Transfer& transfer_;
  PeerMemory& target_;
  data::Place here_, there_;
  std::vector<std::byte> window_;
};

}  // namespace

bool suits_system(const Transfer& transfer) {
  if (transfer.kind != Transfer::Kind::put || !transfer.remote.scattered) return true;
  std::array<base::Piece, kFewRuns> first;
  std::size_t bytes = 0;
  const std::size_t runs = place_there(transfer).pieces(0, transfer.bytes, first, &bytes);
  return bytes == transfer.bytes || bytes >= runs * kShortRun;
}

bool copy_by_system(const Transfer& transfer, PeerMemory& target) {
  const bool is_put = transfer.kind == Transfer::Kind::put;
  const data::Place here(transfer.local.buffer, transfer.local.scattered), there = place_there(transfer);
  std::size_t done = 0;
  if (!is_put && transfer.remote.scattered) {
    Gathering gathering(transfer, target);
    for (std::size_t more = 1; more != 0 && done != transfer.bytes; done += more) more = gathering.gather(done);
  }
  const auto move = [&](auto mine, auto theirs, std::size_t bytes) {
    return is_put ? target.write(mine, theirs, bytes) : target.read(mine, theirs, bytes);
  };
  while (done != transfer.bytes) {
    const std::size_t now = std::min(kAtOnce, transfer.bytes - done);
    if (!data::in_pieces(here, there, done, now, move)) return false;
    done += now;
  }
  return true;
}

}  // namespace antiphon::rma
