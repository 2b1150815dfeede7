// A ring of packets in memory that two processes share. It has two parts: cells of one cache line, and a ring of
// payload bytes behind them. A packet is one cell with up to 24 bytes of payload, so a short message is the
// transfer of one cache line; up to four shorter packets share a cell. Longer payloads are in the payload ring,
// each contiguous. This is the ring of one writer and one reader; several threads of a process write through
// shared_ring_writer.hpp, and several processes through queue_writer.hpp.
//
// The writer stores `turn`, the round in which it writes a cell, last and with release order. The reader knows
// which turn comes next, so nobody clears cells, and the reader writes nothing but how far it has read. Both sides
// compute where a payload is from the sizes before it, unless the cell says that its writer went back to the start
// of the payload ring. All begins as zeros. A ring that gets another sender is empty then, and positions go on
// from where they were.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/copy.hpp"
#include "base/prefetch.hpp"
#include "transport/channel.hpp"
#include "transport/packet.hpp"
#include "transport/shm/long_payloads.hpp"

namespace antiphon::transport::shm {

// What is in front of the words of a header.
struct Envelope {
  std::uint64_t part[2] = {};

  Envelope() = default;
  explicit Envelope(const PacketHeader& header) noexcept { std::memcpy(part, &header, sizeof part); }
  [[nodiscard]] PacketHeader with(std::uint64_t bytes) const noexcept {
    PacketHeader header;
    std::memcpy(static_cast<void*>(&header), part, sizeof part);
    header.word[0] = bytes;
    return header;
  }
  bool operator==(const Envelope&) const = default;
};
static_assert(sizeof(Envelope) == offsetof(PacketHeader, word));

// A cell in the ring of one writer may be up to four packets, each of at most 8 bytes, and the words of its header
// are how many and 0: short messages are such. One takes a quarter of the cell if its envelope is that of the one
// before it, else two. A stream of them waits for lines where cores are far from each other.
struct Quarter {
  std::atomic<std::uint32_t> turn;
  std::uint16_t bytes;  // of payload, and kAgain or kWithEnvelope; or kMark: from here on the cell stays empty
  std::uint16_t unused;
  std::byte payload[8];

  static constexpr std::uint16_t kWithEnvelope = 0x8000, kAgain = 0xc000, kMark = 0xffff;
  static constexpr bool suffices(const PacketHeader& header, std::size_t bytes) noexcept {
    return bytes <= sizeof payload && header.word[0] == bytes && header.word[1] == 0;
  }
  [[nodiscard]] Envelope& envelope() noexcept { return *reinterpret_cast<Envelope*>(this + 1); }  // if it has one
  [[nodiscard]] Payload content() const noexcept { return {payload, bytes & std::size_t{0xf}}; }
};

// How far a process has read the ring in which another writes to it: said in packets of the other direction, so that
// a writer whose packets are answered knows, and no line has to travel for it.
struct Receipt {
  std::uint64_t payload_bytes = 0;
  std::uint32_t ring = 0;  // its number among those of its reader, and 1; 0: there is none
};

struct alignas(base::kCacheLine) Cell {
  std::atomic<std::uint32_t> turn;  // 1 in the first turn
  std::uint16_t bytes;              // of payload; or as in a Quarter: then this is the first of its quarters
  std::uint16_t sender;             // in a queue of many: whose it is (queue_writer.hpp); else unread
  PacketHeader header;
  std::byte inline_payload[24];

  // No packet, but a word of one transport to the other. In a ring it is the last one: its writer leaves. In a queue:
  // the sender asks for the ring back that it has given.
  static constexpr std::uint16_t kMark = Quarter::kMark, kQuartered = Quarter::kWithEnvelope;

  // Of a payload in the ring of bytes, where a short one would be.
  struct Elsewhere {
    Receipt receipt;
    bool at_start;  // of the ring, although there is room behind the payload before it
    Made made;
    std::uint16_t gap;  // so many bytes are left empty behind it
  };
  [[nodiscard]] Elsewhere& elsewhere() noexcept { return *reinterpret_cast<Elsewhere*>(inline_payload); }
  [[nodiscard]] const Elsewhere& elsewhere() const noexcept {
    return *reinterpret_cast<const Elsewhere*>(inline_payload);
  }
  static constexpr int kQuarters = 4;
  [[nodiscard]] Quarter& quarter(int index) noexcept { return reinterpret_cast<Quarter*>(this)[index]; }
  [[nodiscard]] std::byte* line() noexcept { return reinterpret_cast<std::byte*>(this); }
};
static_assert(sizeof(Cell) == base::kCacheLine && sizeof(Quarter) == sizeof(Cell) / 4);
static_assert(sizeof(Envelope) == sizeof(Quarter));
static_assert(sizeof(Cell::Elsewhere) <= sizeof(Cell::inline_payload) &&
              offsetof(Cell, inline_payload) % alignof(Cell::Elsewhere) == 0);

// The memory of a ring. Its payload bytes follow it.
struct RingArea {
  static constexpr std::size_t kCells = 256;

  struct alignas(base::kCacheLinePair) Consumed {  // since the start of time; written by the reader
    std::atomic<std::uint64_t> cells;
    std::atomic<std::uint64_t> payload_bytes;
    alignas(base::kCacheLine) std::atomic<Written> advised;  // how long payloads had better be written
  };
  Consumed consumed;
  alignas(base::kCacheLinePair) Cell cells[kCells];
};

// Where things lie.
class RingMemory {
 public:
  RingMemory() = default;  // of no ring
  // `area_bytes` is what there is for RingArea and payload together; all sides pass the same.
  RingMemory(std::byte* area, std::size_t area_bytes)
      : area_(reinterpret_cast<RingArea*>(area)),
        payloads_(area + sizeof(RingArea)),
        capacity_(std::bit_floor(area_bytes - sizeof(RingArea))) {}

  // The largest payload: several must fit, so that copying in and copying out overlap.
  [[nodiscard]] std::size_t max_payload() const noexcept {
    return std::min<std::size_t>(capacity_ / 4, Cell::kQuartered - 1);
  }

 protected:
  [[nodiscard]] Cell& cell(std::uint64_t packet) const noexcept { return area_->cells[packet % RingArea::kCells]; }
  static constexpr std::uint32_t turn_of(std::uint64_t packet) noexcept {
    return static_cast<std::uint32_t>(packet / RingArea::kCells + 1);
  }
  [[nodiscard]] std::byte* payload_at(std::uint64_t start) const noexcept {
    return payloads_ + (start & (capacity_ - 1));
  }

  RingArea* area_ = nullptr;
  std::byte* payloads_ = nullptr;
  std::size_t capacity_ = 0;  // of payload bytes: a power of two
};

// And how far this side has come.
class RingPosition : public RingMemory {
 public:
  RingPosition() = default;
  RingPosition(std::byte* area, std::size_t area_bytes)
      : RingMemory(area, area_bytes),
        cells_(area_->consumed.cells.load(std::memory_order_acquire)),
        payload_bytes_(area_->consumed.payload_bytes.load(std::memory_order_acquire)) {}

 protected:
  using RingMemory::cell;
  [[nodiscard]] Cell& cell() const noexcept { return cell(cells_); }
  [[nodiscard]] std::uint32_t turn() const noexcept { return turn_of(cells_); }

  // Where the next payload begins: lines of its own, in one piece.
  [[nodiscard]] std::uint64_t payload_start(std::size_t bytes, bool at_start = false) const noexcept {
    const std::uint64_t to_end = capacity_ - (payload_bytes_ & (capacity_ - 1));
    return at_start || bytes > to_end ? payload_bytes_ + to_end : payload_bytes_;
  }
  static constexpr std::uint64_t payload_end(std::uint64_t start, std::size_t bytes, std::size_t gap) noexcept {
    return base::whole_lines(start + bytes) + gap;
  }

  std::uint64_t cells_ = 0;
  int quarter_ = 0;    // of this one comes next
  Envelope envelope_;  // of the last packet that was quarters
  std::uint64_t payload_bytes_ = 0;
};

// One without a ring has room for nothing.
class RingWriter : public RingPosition {
 public:
  RingWriter() = default;
  // `number` is the ring's among those of its reader. Where it is not fixed how long payloads are written, it is
  // learned.
  RingWriter(std::byte* area, std::size_t area_bytes, int number = 0, std::optional<Written> fixed = {})
      : RingPosition(area, area_bytes),
        cell_limit_(cells_ + RingArea::kCells),
        byte_limit_(payload_bytes_ + capacity_),
        number_(static_cast<std::uint32_t>(number) + 1),
        long_payloads_(fixed) {}

  [[nodiscard]] bool has_ring() const noexcept { return area_ != nullptr; }

  // A payload that fits into a cell, if there is room without looking for it: no call leaves this, so it is cheap.
  [[nodiscard]] bool try_write_short(const PacketHeader& header, Payload payload) noexcept {
    if (cells_ == cell_limit_ || payload.size() > sizeof(Cell::inline_payload)) [[unlikely]]
      return false;
    if (Quarter::suffices(header, payload.size())) {
      const Envelope envelope(header);
      return envelope == envelope_ ? write_again(payload) : write_with(envelope, payload);
    }
    if (quarter_ != 0 && !leave_cell()) [[unlikely]]
      return false;
    Cell& target = cell();
    base::copy_bytes<sizeof target.inline_payload>(target.inline_payload, payload.data(), payload.size());
    publish(target, header, payload.size());
    return true;
  }

  // What follows is for one that has a ring.

  // The receipt is for what this side has read in the ring the other way.
  [[nodiscard]] bool try_write(const PacketHeader& header, Payload payload, const Receipt& receipt = {}) noexcept {
    const auto style = long_payloads_.next(payload.size(), area_->consumed.advised);
    std::byte* const room = find_room(payload.size(), style.how);
    if (!room) [[unlikely]]
      return false;
    finish(header, payload.size(), receipt, LongPayloadWriting::write(room, payload, style));
    return true;
  }
  // A packet in two steps: where its payload lies, or null; and the rest, once the payload is there.
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept { return find_room(bytes, Written::as_ever); }
  void commit(const PacketHeader& header, std::size_t bytes, const Receipt& receipt = {}) noexcept {
    finish(header, bytes, receipt, {});
  }
  // One that is older than what is known says nothing.
  void take(const Receipt& receipt) noexcept {
    if (receipt.ring == number_) byte_limit_ = std::max(byte_limit_, receipt.payload_bytes + capacity_);
  }
  // Marks the end of what this writes, and has no ring from then on. False if there is no room for the mark.
  [[nodiscard]] bool try_leave() noexcept {
    if (quarter_ != 0) leave_cell();
    if (cells_ == cell_limit_ && !look_for_cells()) return false;
    cell().bytes = Cell::kMark;
    cell().turn.store(turn(), std::memory_order_release);
    *this = RingWriter();
    return true;
  }

 private:
  [[nodiscard]] std::byte* find_room(std::size_t bytes, Written how) noexcept {
    if (quarter_ != 0) leave_cell();
    if (cells_ == cell_limit_ && !look_for_cells()) [[unlikely]]
      return nullptr;
    if (bytes <= sizeof(Cell::inline_payload)) return cell().inline_payload;
    const std::size_t gap = base::gap_behind(bytes, how);
    at_start_ = goes_to_start(bytes + gap);
    const std::uint64_t start = payload_start(bytes, at_start_);
    const std::uint64_t end = payload_end(start, bytes, gap);
    if (end > byte_limit_ && !look_for_bytes(end)) [[unlikely]]
      return nullptr;
    if (!at_start_ && how == Written::as_ever) base::prefetch_to_write(payload_at(start), bytes);
    return payload_at(start);
  }
  void finish(const PacketHeader& header, std::size_t bytes, const Receipt& receipt, const Made& made) noexcept {
    if (bytes <= sizeof(Cell::inline_payload)) return publish(cell(), header, bytes);
    const std::size_t gap = base::gap_behind(bytes, made.how);
    payload_bytes_ = payload_end(payload_start(bytes, at_start_), bytes, gap);
    cell().elsewhere() = {receipt, at_start_, made, static_cast<std::uint16_t>(gap)};
    publish(cell(), header, bytes);
    if (!at_start_ && made.how == Written::as_ever) expect_another(bytes);
  }
  void publish(Cell& target, const PacketHeader& header, std::size_t bytes) noexcept {
    const std::uint32_t now = turn();
    target.bytes = static_cast<std::uint16_t>(bytes);
    target.header = header;
    ++cells_;
    target.turn.store(now, std::memory_order_release);
    take_ahead();
  }
  bool write_again(Payload payload) noexcept {
    write_quarters(1, Quarter::kAgain, payload);
    return true;
  }
  [[nodiscard]] bool write_with(const Envelope& envelope, Payload payload) noexcept {
    if (quarter_ + 2 > Cell::kQuarters && !leave_cell()) [[unlikely]]
      return false;
    envelope_ = cell().quarter(quarter_).envelope() = envelope;
    write_quarters(2, Quarter::kWithEnvelope, payload);
    return true;
  }
  void write_quarters(int many, std::uint16_t kind, Payload payload) noexcept {
    Cell& target = cell();
    Quarter& first = target.quarter(quarter_);
    const std::uint32_t now = turn();
    if (payload.size() > sizeof first.payload) __builtin_unreachable();
    base::copy_bytes<sizeof first.payload>(first.payload, payload.data(), payload.size());
    first.bytes = static_cast<std::uint16_t>(kind | payload.size());
    quarter_ += many;
    if (quarter_ != Cell::kQuarters) {
      target.quarter(quarter_).turn.store(now - 1, std::memory_order_relaxed);  // it may be anything
      first.turn.store(now, std::memory_order_release);
    } else {
      pass_cell(first, now);
      take_ahead();
    }
  }
  // Whether there is a cell to go on with.
  bool leave_cell() noexcept {
    Quarter& next = cell().quarter(quarter_);
    next.bytes = Quarter::kMark;
    pass_cell(next, turn());
    return cells_ != cell_limit_;
  }
  void pass_cell(Quarter& last, std::uint32_t now) noexcept {
    quarter_ = 0;
    ++cells_;
    last.turn.store(now, std::memory_order_release);
  }
  // True if receipts say that everything has been read, and this payload with its gap is not longer than the part
  // before: cache lines that both sides have used recently move between the cores fastest.
  [[nodiscard]] bool goes_to_start(std::size_t bytes) const noexcept {
    return byte_limit_ == payload_bytes_ + capacity_ && bytes <= (payload_bytes_ & (capacity_ - 1));
  }
  // Fetches cells for writing by dirtying an unused byte of each, which is safe on cells that are still unread.
  void take_ahead() noexcept {
    if (cells_ % kAhead != 0) return;
    for (std::size_t next = kAhead; next != 2 * kAhead; ++next)
      base::take_line(reinterpret_cast<std::byte&>(cell(cells_ + next).sender));
  }
  // The next payload is often as long, and the reader has its lines from the turn before: this fetches them while
  // the reader is busy with the present one.
  void expect_another(std::size_t bytes) noexcept {
    const std::uint64_t start = payload_start(bytes);
    if (start + bytes <= byte_limit_) base::prefetch_to_write(payload_at(start), bytes);
  }
  bool look_for_cells() noexcept {
    cell_limit_ = area_->consumed.cells.load(std::memory_order_acquire) + RingArea::kCells;
    return cells_ != cell_limit_;
  }
  bool look_for_bytes(std::uint64_t end) noexcept {
    byte_limit_ = area_->consumed.payload_bytes.load(std::memory_order_acquire) + capacity_;
    return end <= byte_limit_;
  }

  // Cells taken early, so that a burst need not wait until the reader's cache has given up each: at once, as that
  // takes no longer than one; and far enough not to take those from a reader that comes right behind, and fetches
  // some early itself.
  static constexpr std::size_t kAhead = 8;

  std::uint64_t cell_limit_ = 0;
  std::uint64_t byte_limit_ = 0;
  bool at_start_ = false;  // the payload that is reserved
  std::uint32_t number_ = 0;
  LongPayloadWriting long_payloads_;
};

class RingReader : public RingPosition {
 public:
  RingReader() = default;
  RingReader(std::byte* area, std::size_t area_bytes) : RingPosition(area, area_bytes) {
    tell();
    area_->consumed.advised.store(Written::as_ever, std::memory_order_relaxed);
  }

  // Changes when there is a packet to read.
  [[nodiscard]] Watch watch() const noexcept { return {&cell().quarter(quarter_).turn, turn() - 1}; }
  // Grows with each packet.
  [[nodiscard]] std::uint64_t quarters() const noexcept {
    return Cell::kQuarters * cells_ + static_cast<std::uint64_t>(quarter_);
  }

  // Hands the packets that are there, but at most so many, to use(cell, header, payload), in place; ends with one
  // that use() refuses and leaves it there. Marks go to mark(cell). Returns how many there were, marks among them.
  // *freed is set when this gave room back that the producer may be waiting for.
  template <class Use, class Mark>
  int read(int most, Use&& use, Mark&& mark, bool* freed) {
    int used = 0;
    for (std::uint64_t at = cells_; used != most; ++used) {
      Cell& next = cell(at);
      Quarter& first = next.quarter(quarter_);
      if (first.turn.load(std::memory_order_acquire) != turn_of(at)) break;
      const std::size_t bytes = first.bytes;
      if (quarter_ == 0 && used != 0) __builtin_prefetch(&cell(at + kAhead));
      if (bytes >= Cell::kQuartered && (bytes != Cell::kMark || quarter_ != 0)) {
        if (!use_quarters(next, first, use)) break;
        if (quarter_ != Cell::kQuarters) continue;
        quarter_ = 0;
      } else if (bytes <= sizeof next.inline_payload) {
        if (!use(next, next.header, Payload{next.inline_payload, bytes})) break;
      } else if (bytes != Cell::kMark) {
        const Cell::Elsewhere& there = next.elsewhere();
        const std::uint64_t start = payload_start(bytes, there.at_start);
        if (!long_payloads_.read(there.made, bytes, area_->consumed.advised, [&] {
              return use(next, next.header, Payload{payload_at(start), bytes});
            }))
          break;
        payload_bytes_ = payload_end(start, bytes, there.gap);
      } else {
        mark(next);
      }
      cells_ = ++at;
      if (at == tell_at_cell_ || payload_bytes_ >= tell_at_bytes_) [[unlikely]] {
        tell();
        *freed = true;
      }
    }
    return used;
  }
  [[nodiscard]] std::uint64_t payload_bytes() const noexcept { return payload_bytes_; }
  // How far this has come, to the byte, for whoever has the ring next.
  void tell() noexcept {
    area_->consumed.cells.store(cells_, std::memory_order_release);
    area_->consumed.payload_bytes.store(payload_bytes_, std::memory_order_release);
    // Seldom, so that this line travels rarely between the cores.
    tell_at_cell_ = cells_ + RingArea::kCells / 8;
    tell_at_bytes_ = payload_bytes_ + capacity_ / 8;
  }

 private:
  template <class Use>
  bool use_quarters(const Cell& cell, Quarter& first, Use& use) {
    if (first.bytes == Quarter::kMark) {
      quarter_ = Cell::kQuarters;
      return true;
    }
    const bool again = first.bytes >= Quarter::kAgain;
    if (!again) envelope_ = first.envelope();
    const Payload content = first.content();
    if (!use(cell, envelope_.with(content.size()), content)) return false;
    quarter_ += again ? 1 : 2;
    return true;
  }

  static constexpr std::size_t kAhead = 4;  // cells fetched early: where several packets are, more may follow

  std::uint64_t tell_at_cell_ = 0;
  std::uint64_t tell_at_bytes_ = 0;
  LongPayloadReading long_payloads_;
};

}  // namespace antiphon::transport::shm
