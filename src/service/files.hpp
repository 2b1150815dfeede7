// What all processes that open, or have opened, a file do together, apart from moving its data (MPI 5.0, 14.2
// to 14.6). Each process gives its arguments or, with `failure`, the reason why its call has failed already; then the
// calls of all fail. Arguments that must be the same on all processes are compared, and a difference is an error on
// all.
#pragma once

#include "engine/io/files.hpp"
#include "service/win_create.hpp"

namespace antiphon::service {

using objects::File;
using Failure = std::optional<base::Error>;

// Owned by the Process.
struct FileTools {
  Toolbox tools;
  io::Files& files;
  WindowTools windows;
  Ref<objects::Datatype> offset;  // MPI_OFFSET
  Ref<objects::Datatype> byte;    // MPI_BYTE
};

struct FileOptions {
  std::string path;
  int amode = 0;
  unsigned permissions = 0666;
  io::Manner manner;  // rank 0's counts
  io::Tuning tuning;
  Ref<objects::Errhandler> errhandler;
};

[[nodiscard]] Ref<File> file_open(const FileTools& with, Comm& parent, const FileOptions& options, Failure failure);
// Waits for operations that are under way. The caller frees the handle.
void file_close(const FileTools& with, File& file);

void file_set_size(const FileTools& with, File& file, std::int64_t bytes, const Failure& failure);
void file_preallocate(const FileTools& with, File& file, std::int64_t bytes, const Failure& failure);
void file_sync(const FileTools& with, File& file, Failure failure);
void file_set_atomicity(const FileTools& with, File& file, bool is_atomic, const Failure& failure);
// `view` is null if the call has failed.
void file_set_view(const FileTools& with, File& file, objects::FileViewRef view, const io::Manner& manner,
                   const Failure& failure);
void file_set_manner(const FileTools& with, File& file, const io::Manner& manner, const Failure& failure);
void file_seek_shared(const FileTools& with, File& file, std::int64_t etypes, const Failure& failure);

}  // namespace antiphon::service
