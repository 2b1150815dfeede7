#include "base/memory_reserve.hpp"

#include <cstdlib>
#include <new>

namespace antiphon::base {

namespace {

void* take_from_system(std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

}  // namespace

constinit MemoryReserve memory_reserve{take_from_system};

void* MemoryReserve::allocate_again(std::size_t bytes, std::size_t alignment) {
  while (spend(bytes))
    if (void* const start = system_(bytes, alignment)) return start;
  throw std::bad_alloc();
}

bool MemoryReserve::spend(std::size_t bytes) noexcept {
  if (bytes > kPieces.back()) return false;
  for (std::size_t number = 0; number < kPieces.size(); ++number)
    if (kPieces[number] >= bytes && spend_piece(number)) return true;
  for (std::size_t number = kPieces.size(); number-- > 0;)
    if (spend_piece(number)) return true;
  return false;
}

bool MemoryReserve::spend_piece(std::size_t number) noexcept {
  void* const piece = pieces_[number].exchange(nullptr);
  if (!piece) return false;
  std::free(piece);
  ++missing_;
  return true;
}

bool MemoryReserve::fill() noexcept {
  for (std::size_t number = 0; number < kPieces.size(); ++number) {
    if (pieces_[number]) continue;
    void* const piece = system_(kPieces[number], 1);
    if (!piece) return false;
    void* nothing = nullptr;
    if (pieces_[number].compare_exchange_strong(nothing, piece))
      --missing_;
    else
      std::free(piece);  // another thread was faster
  }
  return true;
}

std::size_t MemoryReserve::spent_bytes() const noexcept {
  std::size_t bytes = 0;
  for (std::size_t number = 0; number < kPieces.size(); ++number)
    if (!pieces_[number]) bytes += kPieces[number];
  return bytes;
}

}  // namespace antiphon::base
