#include "engine/pt2pt/copying.hpp"

namespace antiphon::pt2pt {

std::byte* mapped_at(transport::PeerMemory& memory, std::uint64_t address, const data::Elsewhere* scattered,
                     std::size_t bytes) {
  if (!scattered) return memory.mapped(address, bytes);
  std::byte* first = memory.mapped(address + static_cast<std::uint64_t>(scattered->low), scattered->span);
  return first ? first - scattered->low : nullptr;
}

Copying::Copying(transport::PeerMemory& peer, std::byte* mine, const data::Scattered& my_layout,
                 std::uint64_t address, std::shared_ptr<const data::Elsewhere> their_layout, Parts cut)
    : memory(&peer),
      here(mine),
      scattered_here(my_layout),
      there(mapped_at(peer, address, their_layout.get(), cut.bytes)),
      scattered_there(std::move(their_layout)),
      mapped(there != nullptr),
      parts(cut) {
  if (!mapped) there = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

bool Copying::move(Direction direction, std::size_t offset, std::size_t bytes) const {
  const data::Place mine(here, scattered_here), theirs(there, scattered_there.get());
  const bool reads = direction == Direction::read;
  if (mapped) {
    data::copy(reads ? theirs : mine, reads ? mine : theirs, offset, bytes);
    return true;
  }
  return data::in_pieces(mine, theirs, offset, bytes, [&](auto here_pieces, auto there_pieces, std::size_t n) {
    return reads ? memory->read(here_pieces, there_pieces, n) : memory->write(here_pieces, there_pieces, n);
  });
}

}  // namespace antiphon::pt2pt
