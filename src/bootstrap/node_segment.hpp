// The memory that the processes of a job have in common on one node: created by mpiexec (or by a singleton for
// itself), attached by every rank, laid out as job_segment.hpp says, indexed by the rank on the node. A NodeSegment
// owns one descriptor and one mapping and gives both back when it goes. It never writes what it maps, but for
// create(), which fills the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/file_part.hpp"

namespace antiphon::bootstrap {

// What mpiexec has to know before the segment exists.
struct JobShape {
  std::uint32_t size;  // ranks of this node
  std::uint32_t apps = 1;
  std::uint32_t usable_cpus;
  settings::Values settings = {};
  // Of a job of several nodes: which of them this one is, where each rank of the job runs, and the names of the
  // nodes.
  std::uint32_t node = 0;
  std::span<const Place> places = {};
  std::span<const std::string> node_names = {};
};

// The launcher looks at slots and the map of the job only; a rank maps everything but the heaps.
enum class MapExtent { header_and_slots, whole };

class NodeSegment {
 public:
  // A file without a name, with a filled header and zeroed slots: a sealed memfd, or, where there is none, a file in
  // a folder that has room for it. Fails with ERR_NO_MEM where the system refuses.
  static NodeSegment create(const JobShape& shape, MapExtent extent);

  // Takes over `fd` and checks that it is a job segment of this layout. Fails with ERR_OTHER and a sentence that says
  // what was found instead; the descriptor is then left alone, for it belongs to somebody else.
  static NodeSegment attach(int fd);

  NodeSegment(NodeSegment&& other) noexcept;
  NodeSegment& operator=(NodeSegment&&) = delete;
  ~NodeSegment();

  [[nodiscard]] int fd() const { return file_.descriptor(); }
  // Whether its pages were reserved when it was made, as in a folder that may be full later.
  [[nodiscard]] bool has_reserved_pages() const;
  [[nodiscard]] std::uint32_t size() const { return layout_.size; }
  [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(base_); }
  [[nodiscard]] RankSlot& slot(std::uint32_t rank) const {
    return *reinterpret_cast<RankSlot*>(base_ + layout_.slot_offset(rank));
  }
  [[nodiscard]] std::span<const RankSlot> slots() const { return {&slot(0), size()}; }
  // Where a rank of MPI_COMM_WORLD runs, and what its node is called; the name is empty in a job of one node.
  [[nodiscard]] Place place(std::uint32_t world_rank) const;
  [[nodiscard]] std::string_view node_name(std::uint32_t node) const;
  // Only where the whole segment is mapped, as all that follows.
  [[nodiscard]] Board& board(std::uint32_t rank) const {
    return *reinterpret_cast<Board*>(base_ + layout_.board_offset(rank));
  }
  [[nodiscard]] const JobLayout& layout() const { return layout_; }
  // Where those of this node send to each other, zero at first: inbox_bytes() a rank, and rings_each() of
  // ring_bytes().
  [[nodiscard]] std::byte* inboxes() const { return base_ + layout_.inbox_offset(0); }
  [[nodiscard]] std::byte* rings() const { return base_ + layout_.rings_offset(0); }
  // The positions of pipes_each() pipes a rank, and the memory that they share: pipe_bytes a rank.
  [[nodiscard]] std::byte* pipe_positions() const { return base_ + layout_.pipe_positions_offset(); }
  [[nodiscard]] std::byte* pipes() const { return base_ + layout_.pipes_offset(0); }

  // What a rank allocates memory from that others can map; none where the system would not give the file that size.
  [[nodiscard]] platform::FilePart heap(std::uint32_t rank) const {
    return {file_, layout_.heap_offset(rank), layout_.heap_bytes};
  }

 private:
  NodeSegment(int fd, JobLayout layout, std::size_t mapped_bytes);

  JobLayout layout_;
  std::size_t mapped_bytes_;
  std::byte* base_;
  platform::OpenFile file_;
};

// Ranks of one node. Cells of the transport name a sender in 15 bits.
inline constexpr std::uint32_t kMaxRanks = 8192;

}  // namespace antiphon::bootstrap
