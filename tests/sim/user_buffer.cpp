#include "user_buffer.hpp"

#include <algorithm>
#include <numeric>

namespace antiphon::sim {

namespace {

using objects::Datatype;
using objects::Element;
using objects::Ref;

struct Piece {
  std::int64_t length, displacement;
};

// So many bytes in pieces of a few, with gaps; mostly in order.
std::vector<Piece> random_pieces(base::Rng& rng, std::int64_t bytes) {
  std::vector<Piece> pieces;
  const bool regular = rng.percent(40);
  const std::int64_t length = 1 + rng.below(12), gap = 1 + rng.below(5);
  for (std::int64_t left = bytes, at = rng.below(3); left > 0;) {
    const std::int64_t here = std::min<std::int64_t>(left, regular ? length : 1 + rng.below(12));
    pieces.push_back({here, at});
    at += here + (regular ? gap : rng.below(5));
    left -= here;
  }
  if (rng.percent(30)) rng.shuffle(pieces);
  return pieces;
}

Ref<Datatype> type_of(const std::vector<Piece>& pieces) {
  auto byte = Ref<Datatype>::adopt(new Datatype(Element::byte, objects::basics_of(Element::byte, 1, 0), 1, "byte"));
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(pieces.size())};
  for (const Piece& piece : pieces) numbers.push_back(piece.length);
  for (const Piece& piece : pieces) numbers.push_back(piece.displacement);
  auto type = Ref<Datatype>::adopt(
      new Datatype({.combiner = abi::COMBINER_HINDEXED, .numbers = std::move(numbers), .types = {std::move(byte)}}));
  type->commit();
  return type;
}

}  // namespace

UserBuffer::UserBuffer(Shape shape, std::size_t bytes, std::uint64_t seed) : places_(bytes) {
  if (shape == Shape::scattered && bytes != 0) {
    scatter(bytes, seed);
  } else {
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    memory_.assign(bytes, kUntouched);
  }
}

void UserBuffer::scatter(std::size_t bytes, std::uint64_t seed) {
  base::Rng rng(seed);
  count_ = bytes % 2 == 0 && rng.percent(40) ? 2 : 1;
  const std::vector<Piece> pieces = random_pieces(rng, static_cast<std::int64_t>(bytes) / count_);
  type_ = type_of(pieces);
  std::int64_t first = pieces.front().displacement, end = 0;
  for (const Piece& piece : pieces) {
    first = std::min(first, piece.displacement);
    end = std::max(end, piece.displacement + piece.length);
  }
  memory_.assign(static_cast<std::size_t>(end + (count_ - 1) * (end - first)), kUntouched);
  std::size_t packed = 0;
  for (std::int64_t element = 0; element < count_; ++element)
    for (const Piece& piece : pieces)
      for (std::int64_t i = 0; i < piece.length; ++i)
        places_[packed++] = static_cast<std::size_t>(element * (end - first) + piece.displacement + i);
}

bool UserBuffer::gaps_untouched() const {
  std::vector<bool> used(memory_.size());
  for (const std::size_t place : places_) used[place] = true;
  for (std::size_t i = 0; i < memory_.size(); ++i)
    if (!used[i] && memory_[i] != kUntouched) return false;
  return true;
}

void UserBuffer::spoil() { std::ranges::fill(memory_, kUntouched); }

}  // namespace antiphon::sim
