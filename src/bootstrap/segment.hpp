// The job segment as memory: created by mpiexec (or by a singleton for itself), attached by every rank, laid out as
// job_segment.hpp says. A Segment owns one descriptor and one mapping and gives both back when it goes. It never
// writes what it maps, but for create(), which fills the header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/file_part.hpp"

namespace antiphon::bootstrap {

// What mpiexec has to know before the segment exists.
struct JobShape {
  std::uint32_t size;
  std::uint32_t apps = 1;
  std::uint32_t usable_cpus;
};

// The launcher looks at slots only; a rank maps everything but the heaps.
enum class MapExtent { header_and_slots, whole };

class Segment {
 public:
  // A sealed memfd with a filled header and zeroed slots. Fails with ERR_NO_MEM where the system refuses.
  static Segment create(const JobShape& shape, MapExtent extent);

  // Takes over `fd` and checks that it is a job segment of this layout. Fails with ERR_OTHER and a sentence that says
  // what was found instead; the descriptor is then left alone, for it belongs to somebody else.
  static Segment attach(int fd);

  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&&) = delete;
  ~Segment();

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::uint32_t size() const { return layout_.size; }
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(base_); }
  [[nodiscard]] RankSlot& slot(std::uint32_t rank) const {
    return *reinterpret_cast<RankSlot*>(base_ + layout_.slot_offset(rank));
  }
  [[nodiscard]] std::size_t pair_bytes() const { return layout_.pair_bytes(); }
  // pair_bytes() in which `from` sends to `to`; only where the whole segment is mapped.
  [[nodiscard]] std::byte* pair_area(std::uint32_t from, std::uint32_t to) const {
    return base_ + layout_.pair_offset(from, to);
  }

  // What a rank allocates memory from that others can map; none where the system would not give the file that size.
  [[nodiscard]] platform::FilePart heap(std::uint32_t rank) const {
    return {fd_, layout_.heap_offset(rank), layout_.heap_bytes};
  }

 private:
  Segment(int fd, JobLayout layout, std::size_t mapped_bytes);

  int fd_;
  JobLayout layout_;
  std::size_t mapped_bytes_;
  std::byte* base_;
};

// Ranks of one job. Their pair areas must fit into the address space: n * n * pair_bytes() below 2^46.
inline constexpr std::uint32_t kMaxRanks = 8192;

}  // namespace antiphon::bootstrap
