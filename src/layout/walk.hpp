// Goes through a layout, whole or from any packed byte to any other, and hands runs to a mover, which packs, unpacks
// or lists them. Reaching the first byte takes O(depth) steps, and a binary search where a list has no regular form.
//
// A mover has run(address, bytes); strided(address, count, shape) and blocks(address, first, count, shape), which
// take many runs at once; and stopped(), true when it wants no more. Addresses are integers, since a layout may start
// at MPI_BOTTOM and hold absolute ones.
#pragma once

#include <algorithm>

#include "layout/node.hpp"

namespace antiphon::layout {

using Address = std::uintptr_t;

template <class Mover>
class Walk {
 public:
  explicit Walk(Mover& mover) : mover_(mover) {}

  void whole(const Node& node, Address at) {
    std::visit([&](const auto& shape) { whole(shape, node.size, at); }, node.shape);
  }

  // Of the node placed at `at`, the packed bytes from `offset` on. Loops take their count from `bytes`, so that one
  // repeated twice stands for any number of repetitions.
  void part(const Node& node, Address at, std::int64_t offset, std::int64_t bytes) {
    std::visit([&](const auto& shape) { part(shape, node.size, at, offset, bytes); }, node.shape);
  }

 private:
  static Address moved(Address at, std::int64_t bytes) { return at + static_cast<Address>(bytes); }

  void whole(const Strided& strided, std::int64_t, Address at) { mover_.strided(at, strided.count, strided); }
  template <class Displacement>
  void whole(const Blocks<Displacement>& blocks, std::int64_t, Address at) {
    mover_.blocks(at, 0, static_cast<std::int64_t>(blocks.displacements.size()), blocks);
  }
  void whole(const Runs& runs, std::int64_t size, Address at) {
    const Runs::Entry* last = &runs.entries.back();
    for (const Runs::Entry* run = runs.entries.data(); run != last && !mover_.stopped(); ++run)
      mover_.run(moved(at, run->displacement), run[1].start - run->start);
    if (!mover_.stopped()) mover_.run(moved(at, last->displacement), size - last->start);
  }
  void whole(const Loop& loop, std::int64_t, Address at) { repeat(loop, at, loop.count); }
  void whole(const Sequence& sequence, std::int64_t size, Address at) { part(sequence, size, at, 0, size); }

  void repeat(const Loop& loop, Address at, std::int64_t count) {
    if constexpr (requires { mover_.pattern(at, count, loop); })
      if (loop.mask != 0) return mover_.pattern(at, count, loop);
    for (; count != 0 && !mover_.stopped(); --count, at = moved(at, loop.stride)) whole(*loop.body, at);
  }

  void part(const Strided& strided, std::int64_t, Address at, std::int64_t offset, std::int64_t bytes) {
    const auto place = [&](std::int64_t i) { return moved(at, i * strided.stride); };
    in_equal_pieces(
        strided.block, offset, bytes,
        [&](std::int64_t i, std::int64_t from, std::int64_t n) { mover_.run(moved(place(i), from), n); },
        [&](std::int64_t i, std::int64_t n) { mover_.strided(place(i), n, strided); });
  }

  template <class Displacement>
  void part(const Blocks<Displacement>& blocks, std::int64_t, Address at, std::int64_t offset, std::int64_t bytes) {
    const auto place = [&](std::int64_t i) { return moved(at, blocks.displacements[static_cast<std::size_t>(i)]); };
    in_equal_pieces(
        blocks.block, offset, bytes,
        [&](std::int64_t i, std::int64_t from, std::int64_t n) { mover_.run(moved(place(i), from), n); },
        [&](std::int64_t i, std::int64_t n) { mover_.blocks(at, i, n, blocks); });
  }

  void part(const Loop& loop, std::int64_t, Address at, std::int64_t offset, std::int64_t bytes) {
    const auto place = [&](std::int64_t i) { return moved(at, i * loop.stride); };
    in_equal_pieces(
        loop.body->size, offset, bytes,
        [&](std::int64_t i, std::int64_t from, std::int64_t n) { part(*loop.body, place(i), from, n); },
        [&](std::int64_t i, std::int64_t n) { repeat(loop, place(i), n); });
  }

  void part(const Runs& runs, std::int64_t size, Address at, std::int64_t offset, std::int64_t bytes) {
    in_entries(runs.entries, size, offset, bytes, [&](const Runs::Entry& run, std::int64_t from, std::int64_t n) {
      mover_.run(moved(at, run.displacement + from), n);
    });
  }

  void part(const Sequence& sequence, std::int64_t size, Address at, std::int64_t offset, std::int64_t bytes) {
    in_entries(sequence.entries, size, offset, bytes,
               [&](const Sequence::Entry& entry, std::int64_t from, std::int64_t n) {
                 const Address place = moved(at, entry.displacement);
                 if (!entry.node)
                   mover_.run(moved(place, from), n);
                 else if (n == entry.node->size)
                   whole(*entry.node, place);
                 else
                   part(*entry.node, place, from, n);
               });
  }

  // Cuts `bytes` at `offset` of equal pieces into the rest of one, whole ones, and the beginning of one more.
  template <class Some, class Wholes>
  void in_equal_pieces(std::int64_t piece, std::int64_t offset, std::int64_t bytes, Some&& some, Wholes&& wholes) {
    std::int64_t index = 0;
    if (offset != 0) {
      index = offset / piece;
      if (const std::int64_t from = offset % piece; from != 0) {
        const std::int64_t n = std::min(piece - from, bytes);
        some(index++, from, n);
        bytes -= n;
      }
    }
    const std::int64_t count = bytes / piece, rest = bytes % piece;
    if (count != 0 && !mover_.stopped()) wholes(index, count);
    if (rest != 0 && !mover_.stopped()) some(index + count, 0, rest);
  }

  // Cuts `bytes` at `offset` of entries that say where they start into the rest of one, some whole ones, and the
  // beginning of one more.
  template <class Entry, class Some>
  void in_entries(const std::vector<Entry>& all, std::int64_t size, std::int64_t offset, std::int64_t bytes,
                  Some&& some) {
    const auto starts_after = [](std::int64_t byte, const Entry& entry) { return byte < entry.start; };
    auto entry = std::prev(std::upper_bound(all.begin(), all.end(), offset, starts_after));
    for (; bytes != 0 && !mover_.stopped(); ++entry) {
      const std::int64_t end = std::next(entry) == all.end() ? size : std::next(entry)->start;
      const std::int64_t n = std::min(end - offset, bytes);
      some(*entry, offset - entry->start, n);
      offset += n;
      bytes -= n;
    }
  }

  Mover& mover_;
};

}  // namespace antiphon::layout
