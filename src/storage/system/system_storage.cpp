#include "storage/system/system_storage.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace antiphon::storage {

namespace {

Result told(Result returned) { return returned < 0 ? -errno : returned; }

template <class Call>
Result in_vectors(Pieces pieces, Call&& call) {
  std::array<iovec, Storage::kMostPieces> vectors;
  const std::size_t count = std::min(pieces.size(), vectors.size());
  for (std::size_t i = 0; i < count; ++i) vectors[i] = {pieces[i].begin, pieces[i].bytes};
  return told(call(vectors.data(), static_cast<int>(count)));
}

}  // namespace

Result SystemStorage::open(const std::string& path, int flags, unsigned permissions) {
  return told(::open(path.c_str(), flags | O_CLOEXEC, permissions));
}

Result SystemStorage::close(int file) { return told(::close(file)); }

Result SystemStorage::remove(const std::string& path) { return told(::unlink(path.c_str())); }

Result SystemStorage::read(int file, Pieces into, std::int64_t offset) {
  if (into.size() == 1) return told(::pread(file, into[0].begin, into[0].bytes, offset));
  return in_vectors(into, [&](const iovec* vectors, int count) { return ::preadv(file, vectors, count, offset); });
}

Result SystemStorage::write(int file, Pieces from, std::int64_t offset) {
  if (from.size() == 1) return told(::pwrite(file, from[0].begin, from[0].bytes, offset));
  return in_vectors(from, [&](const iovec* vectors, int count) { return ::pwritev(file, vectors, count, offset); });
}

Result SystemStorage::size(int file) {
  struct stat about {};
  const Result returned = told(::fstat(file, &about));
  return returned < 0 ? returned : static_cast<Result>(about.st_size);
}

Result SystemStorage::set_size(int file, std::int64_t bytes) { return told(::ftruncate(file, bytes)); }

Result SystemStorage::allocate(int file, std::int64_t bytes) {
  return bytes == 0 ? 0 : -posix_fallocate(file, 0, bytes);
}

Result SystemStorage::synchronize(int file) { return told(::fsync(file)); }

// Of the open file description, so that threads and closing another descriptor of the file do not end it.
Result SystemStorage::lock(int file, Lock how, std::int64_t first, std::int64_t bytes) {
  struct flock range {};
  range.l_type = static_cast<short>(how == Lock::none ? F_UNLCK : how == Lock::shared ? F_RDLCK : F_WRLCK);
  range.l_whence = SEEK_SET;
  range.l_start = first;
  range.l_len = bytes;
  return told(::fcntl(file, F_OFD_SETLKW, &range));
}

}  // namespace antiphon::storage
