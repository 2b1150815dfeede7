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

// The part of a header before its words.
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

// In a ring with one writer, a cell may hold up to four packets of at most 8 bytes, if the words of their headers are
// the payload's length and 0, as those of short messages are. A packet takes a quarter of the cell if its envelope is
// that of the packet before it, otherwise two. So a stream of short messages waits for fewer cache lines, which are
// slow to move between cores that are far apart.
struct Quarter {
  std::atomic<std::uint32_t> turn;
  std::uint16_t bytes;  // of payload, and kAgain or kWithEnvelope; or kMark: the rest of the cell is empty
  std::uint16_t unused;
  std::byte payload[8];

  static constexpr std::uint16_t kWithEnvelope = 0x8000, kAgain = 0xc000, kMark = 0xffff;
  static constexpr bool suffices(const PacketHeader& header, std::size_t bytes) noexcept {
    return bytes <= sizeof payload && header.word[0] == bytes && header.word[1] == 0;
  }
  [[nodiscard]] Envelope& envelope() noexcept { return *reinterpret_cast<Envelope*>(this + 1); }  // if kWithEnvelope
  [[nodiscard]] Payload content() const noexcept { return {payload, bytes & std::size_t{0xf}}; }
};

// How far a process has read the ring in which another process writes to it. It is sent in packets of the other
// direction, so a writer whose packets are answered learns of it without fetching another cache line.
struct Receipt {
  std::uint64_t payload_bytes = 0;
  std::uint32_t ring = 0;  // the ring's number at its reader + 1; 0: there is no receipt
};

struct alignas(base::kCacheLine) Cell {
  std::atomic<std::uint32_t> turn;  // 1 in the first turn
  std::uint16_t bytes;              // of payload; or of the first quarter, if the cell is divided
  std::uint16_t sender;             // in a queue: who sent it (queue_writer.hpp); otherwise unused
  PacketHeader header;
  std::byte inline_payload[24];

  // No packet, but a signal between the two transports. In a ring: the writer leaves the ring, and writes nothing
  // after this. In a queue: the process that writes the mark wants the ring back that it has given to the queue's
  // owner.
  static constexpr std::uint16_t kMark = Quarter::kMark, kQuartered = Quarter::kWithEnvelope;

  // Describes a payload in the ring of bytes; it is where a short payload would be.
  struct Elsewhere {
    Receipt receipt;
    bool at_start;  // the payload is at the start of that ring, although it would fit behind the one before it
    Made made;
    std::uint16_t gap;  // bytes left empty behind the payload
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

  struct alignas(base::kCacheLinePair) Consumed {  // since the ring was created; written by the reader
    std::atomic<std::uint64_t> cells;
    std::atomic<std::uint64_t> payload_bytes;
    alignas(base::kCacheLine) std::atomic<Written> advised;  // how the reader advises to write long payloads
  };
  Consumed consumed;
  alignas(base::kCacheLinePair) Cell cells[kCells];
};

// Where the cells and payload bytes are.
class RingMemory {
 public:
  RingMemory() = default;  // without a ring
  // `area_bytes` is the length of the RingArea and its payload bytes together; both sides must pass the same.
  RingMemory(std::byte* area, std::size_t area_bytes)
      : area_(reinterpret_cast<RingArea*>(area)),
        payloads_(area + sizeof(RingArea)),
        capacity_(std::bit_floor(area_bytes - sizeof(RingArea))) {}

  // The longest payload. Several must fit, so that writer and reader can copy at the same time.
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

// A ring, and how far this side has come in it.
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

  // Where the next payload begins: at a new cache line, and contiguous.
  [[nodiscard]] std::uint64_t payload_start(std::size_t bytes, bool at_start = false) const noexcept {
    const std::uint64_t to_end = capacity_ - (payload_bytes_ & (capacity_ - 1));
    return at_start || bytes > to_end ? payload_bytes_ + to_end : payload_bytes_;
  }
  static constexpr std::uint64_t payload_end(std::uint64_t start, std::size_t bytes, std::size_t gap) noexcept {
    return base::whole_lines(start + bytes) + gap;
  }

  std::uint64_t cells_ = 0;
  int quarter_ = 0;    // the next quarter of this cell
  Envelope envelope_;  // of the last packet that was in quarters
  std::uint64_t payload_bytes_ = 0;
};

// The writer of a ring. Without a ring it has room for nothing.
class RingWriter : public RingPosition {
 public:
  RingWriter() = default;
  // `number` is the ring's number at its reader. If `fixed` has no value, it is learned how to write long payloads.
  RingWriter(std::byte* area, std::size_t area_bytes, int number = 0, std::optional<Written> fixed = {})
      : RingPosition(area, area_bytes),
        cell_limit_(cells_ + RingArea::kCells),
        byte_limit_(payload_bytes_ + capacity_),
        number_(static_cast<std::uint32_t>(number) + 1),
        long_payloads_(fixed) {}

  [[nodiscard]] bool has_ring() const noexcept { return area_ != nullptr; }

  // Writes a payload that fits into a cell, if there is room as far as is known. Calls no function, so it is cheap.
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

  // The following require has_ring().

  // `receipt` is for the ring in which this side reads what the other sends.
  [[nodiscard]] bool try_write(const PacketHeader& header, Payload payload, const Receipt& receipt = {}) noexcept {
    const auto style = long_payloads_.next(payload.size(), area_->consumed.advised);
    std::byte* const room = find_room(payload.size(), style.how);
    if (!room) [[unlikely]]
      return false;
    finish(header, payload.size(), receipt, LongPayloadWriting::write(room, payload, style));
    return true;
  }
  // Writes a packet in two steps: reserve() returns room for the payload, or null; commit() writes the rest when the
  // payload is there.
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept { return find_room(bytes, Written::as_ever); }
  void commit(const PacketHeader& header, std::size_t bytes, const Receipt& receipt = {}) noexcept {
    finish(header, bytes, receipt, {});
  }
  // A receipt that is older than what this side knows has no effect.
  void take(const Receipt& receipt) noexcept {
    if (receipt.ring == number_) byte_limit_ = std::max(byte_limit_, receipt.payload_bytes + capacity_);
  }
  // Marks the end of what this side writes; from then on it has no ring. False if there is no room for the mark.
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
      target.quarter(quarter_).turn.store(now - 1, std::memory_order_relaxed);  // old bytes may look like `now`
      first.turn.store(now, std::memory_order_release);
    } else {
      pass_cell(first, now);
      take_ahead();
    }
  }
  // Closes a cell that is in quarters. False if no other cell is known to be free.
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
  // True if all is known to have been read, and this payload with its gap is not longer than the part of the ring
  // before it: cache lines that both sides have used recently move between the cores fastest.
  [[nodiscard]] bool goes_to_start(std::size_t bytes) const noexcept {
    return byte_limit_ == payload_bytes_ + capacity_ && bytes <= (payload_bytes_ & (capacity_ - 1));
  }
  // Fetches cells for writing by dirtying an unused byte of each, which is safe on cells that are still unread.
  void take_ahead() noexcept {
    if (cells_ % kAhead != 0) return;
    for (std::size_t next = kAhead; next != 2 * kAhead; ++next)
      base::take_line(reinterpret_cast<std::byte&>(cell(cells_ + next).sender));
  }
  // Fetches the lines of the next payload, which often has the same length, while the reader is busy with this one.
  // The reader has those lines from the round before.
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

  // How many cells take_ahead() fetches. So a burst need not wait for each line to leave the reader's cache: it
  // fetches several at once, which takes no longer than one. It leaves out as many before these, so that it takes
  // none from a reader close behind, which fetches some early itself.
  static constexpr std::size_t kAhead = 8;

  std::uint64_t cell_limit_ = 0;
  std::uint64_t byte_limit_ = 0;
  bool at_start_ = false;  // of the payload that is reserved
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

  // A word that changes when there is a packet to read.
  [[nodiscard]] Watch watch() const noexcept { return {&cell().quarter(quarter_).turn, turn() - 1}; }
  // Grows with each packet.
  [[nodiscard]] std::uint64_t quarters() const noexcept {
    return Cell::kQuarters * cells_ + static_cast<std::uint64_t>(quarter_);
  }

  // Passes packets that have arrived to use(cell, header, payload), in place. Ends after `most`, or at one for which
  // use() returns false; that one stays. Marks are passed to mark(cell). Returns the number of packets and marks.
  // *freed is set if this freed room for which the writer may wait.
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
  // Publishes exactly how far this side has read; also the next writer of the ring begins there.
  void tell() noexcept {
    area_->consumed.cells.store(cells_, std::memory_order_release);
    area_->consumed.payload_bytes.store(payload_bytes_, std::memory_order_release);
    // Seldom, so that this cache line rarely moves between the cores.
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

  static constexpr std::size_t kAhead = 4;  // cells prefetched: after several packets, more may follow

  std::uint64_t tell_at_cell_ = 0;
  std::uint64_t tell_at_bytes_ = 0;
  LongPayloadReading long_payloads_;
};

}  // namespace antiphon::transport::shm
