#include "storage/memory/memory_storage.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace antiphon::storage {

namespace {

std::size_t bytes_of(Pieces pieces) {
  std::size_t bytes = 0;
  for (const base::Piece& piece : pieces) bytes += piece.bytes;
  return bytes;
}

// Calls use(start in memory, bytes) for the pieces that hold the first `bytes` bytes.
template <class Use>
void each_part(Pieces pieces, std::size_t bytes, Use&& use) {
  for (const base::Piece& piece : pieces) {
    const std::size_t now = std::min(piece.bytes, bytes);
    if (now != 0) use(piece.begin, now);
    bytes -= now;
  }
}

}  // namespace

Result MemoryStorage::open(const std::string& path, int flags, unsigned) {
  const auto found = named_.find(path);
  if (found == named_.end() && (flags & O_CREAT) == 0) return -ENOENT;
  if (found != named_.end() && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return -EEXIST;
  File& file = named_[path];
  if (!file) file = std::make_shared<std::vector<std::byte>>();
  open_[next_] = file;
  return next_++;
}

Result MemoryStorage::close(int file) { return open_.erase(file) != 0 ? 0 : -EBADF; }

Result MemoryStorage::remove(const std::string& path) { return named_.erase(path) != 0 ? 0 : -ENOENT; }

std::size_t MemoryStorage::moved(std::size_t wanted) {
  return wanted > 1 && happens(faults_.short_percent) ? 1 + random_.below(wanted - 1) : wanted;
}

Result MemoryStorage::resize(std::vector<std::byte>& file, std::size_t bytes) {
  std::int64_t others = 0;
  for (const auto& [name, each] : named_)
    if (each.get() != &file) others += static_cast<std::int64_t>(each->size());
  if (bytes > file.size() && static_cast<std::int64_t>(bytes) > faults_.most_bytes - others) return -ENOSPC;
  file.resize(bytes);
  return 0;
}

Result MemoryStorage::read(int file, Pieces into, std::int64_t offset) {
  if (happens(faults_.interrupted_percent)) return -EINTR;
  const std::vector<std::byte>& bytes = *open_.at(file);
  const auto at = std::min(static_cast<std::size_t>(offset), bytes.size());
  const std::size_t now = moved(std::min(bytes_of(into), bytes.size() - at));
  const std::byte* next = bytes.data() + at;
  each_part(into, now, [&](std::byte* start, std::size_t part) {
    std::memcpy(start, next, part);
    next += part;
  });
  return static_cast<Result>(now);
}

Result MemoryStorage::write(int file, Pieces from, std::int64_t offset) {
  if (happens(faults_.interrupted_percent)) return -EINTR;
  std::vector<std::byte>& bytes = *open_.at(file);
  const auto at = static_cast<std::size_t>(offset);
  const std::size_t now = moved(bytes_of(from));
  if (at + now > bytes.size())
    if (const Result failed = resize(bytes, at + now); failed < 0) return failed;
  std::byte* next = bytes.data() + at;
  each_part(from, now, [&](const std::byte* start, std::size_t part) {
    std::memcpy(next, start, part);
    next += part;
  });
  return static_cast<Result>(now);
}

Result MemoryStorage::size(int file) { return static_cast<Result>(open_.at(file)->size()); }

Result MemoryStorage::set_size(int file, std::int64_t bytes) {
  return resize(*open_.at(file), static_cast<std::size_t>(bytes));
}

Result MemoryStorage::allocate(int file, std::int64_t bytes) {
  std::vector<std::byte>& contents = *open_.at(file);
  return resize(contents, std::max(contents.size(), static_cast<std::size_t>(bytes)));
}

Result MemoryStorage::synchronize(int) { return 0; }
Result MemoryStorage::lock(int, Lock, std::int64_t, std::int64_t) { return 0; }

const std::vector<std::byte>* MemoryStorage::contents(const std::string& path) const {
  const auto found = named_.find(path);
  return found == named_.end() ? nullptr : found->second.get();
}

}  // namespace antiphon::storage
