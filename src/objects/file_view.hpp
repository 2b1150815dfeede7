// Which bytes of a file a process sees (MPI 5.0, 14.3): filetypes one after the other, from a displacement on. Turns
// positions in the view, which count the bytes that it sees, into runs of bytes of the file. Immutable, so threads
// may use it without a lock; but it holds references to datatypes, so the holder of the lane creates and destroys it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "objects/datatype.hpp"

namespace antiphon::objects {

class FileView {
 public:
  // Contiguous bytes of the file.
  struct Run {
    std::int64_t offset;
    std::int64_t bytes;
    [[nodiscard]] std::int64_t end() const { return offset + bytes; }
  };

  // The types are committed, and `filetype` is one that a view may have (14.3).
  FileView(std::int64_t displacement, Ref<Datatype> etype, Ref<Datatype> filetype, std::string datarep);

  [[nodiscard]] std::int64_t displacement() const { return displacement_; }
  [[nodiscard]] const Ref<Datatype>& etype() const { return etype_; }
  [[nodiscard]] const Ref<Datatype>& filetype() const { return filetype_; }
  [[nodiscard]] const std::string& datarep() const { return datarep_; }

  // Bytes of an etype: what offsets count.
  [[nodiscard]] std::int64_t etype_bytes() const { return etype_->size(); }
  // Whether it sees every byte from some offset on.
  [[nodiscard]] bool is_contiguous() const { return layout_->contiguous(); }
  // Whether later positions have higher offsets.
  [[nodiscard]] bool is_ascending() const { return is_ascending_; }

  // The runs that hold `bytes` bytes from `position` on, in order, as many as `found` has room for. Returns how many,
  // and in *covered how many bytes they hold.
  std::size_t runs(std::int64_t position, std::int64_t bytes, std::span<Run> found, std::int64_t* covered) const;
  // The offset in the file of the byte at this position.
  [[nodiscard]] std::int64_t offset_of(std::int64_t position) const;
  // The first position in [from, to) whose byte has at least this offset; `to` if there is none. For an ascending
  // view.
  [[nodiscard]] std::int64_t first_at(std::int64_t offset, std::int64_t from, std::int64_t to) const;
  // The first etype that begins at this offset or beyond.
  [[nodiscard]] std::int64_t first_etype_at(std::int64_t offset) const;
  // Fails with ERR_ARG if 64 bits cannot count the offsets of these positions.
  void need_reachable(std::int64_t position, std::int64_t bytes) const;

  // Copies between `packed`, bytes of the view from `position` on, and `image`, which holds the bytes of the file
  // from offset `origin` on.
  void gather(const std::byte* image, std::int64_t origin, std::int64_t position, std::int64_t bytes,
              std::byte* packed) const;

 private:
  std::int64_t displacement_;
  Ref<Datatype> etype_, filetype_;
  std::string datarep_;
  const layout::Layout* layout_;  // the filetype's
  bool is_ascending_;
};

using FileViewRef = std::shared_ptr<const FileView>;

// Checks what MPI 5.0, 14.3, asks of filetypes. `may_overlap`: nobody writes through this view.
void check_filetype(const Datatype& etype, const Datatype& filetype, bool may_overlap);

}  // namespace antiphon::objects
