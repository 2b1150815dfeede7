// Hints for files (MPI 5.0, 14.2.8): those of the standard, and those of ROMIO that programs set, as far as they
// change something here. A hint with a wrong value is none.
#pragma once

#include "engine/io/file_state.hpp"
#include "objects/file.hpp"
#include "objects/info.hpp"

namespace antiphon::api {

class FileHints {
 public:
  // Those of a file that is about to be opened.
  explicit FileHints(const objects::Info* info) { take(info); }
  // Those of an open file, changed by `info`.
  FileHints(objects::File& file, const objects::Info* info)
      : manner_(file.state().manner()), tuning_(file.state().tuning()) {
    take(info);
  }

  [[nodiscard]] const io::Manner& manner() const { return manner_; }
  [[nodiscard]] const io::Tuning& tuning() const { return tuning_; }
  [[nodiscard]] unsigned permissions() const { return permissions_; }
  // Keeps what MPI_File_get_info tells but that is not used here.
  void store(objects::File& file) const;

 private:
  void take(const objects::Info* info);

  io::Manner manner_;
  io::Tuning tuning_;
  unsigned permissions_ = 0666;
};

// What is in force.
[[nodiscard]] objects::Ref<objects::Info> hints_in_force(objects::File& file);

}  // namespace antiphon::api
