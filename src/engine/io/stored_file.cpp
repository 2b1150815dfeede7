#include "engine/io/stored_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "abi/constants.hpp"
#include "base/error.hpp"

namespace antiphon::io {

namespace {

using storage::Pieces;
using storage::Result;

[[noreturn, gnu::cold]] void refused(Result result, const std::string& what) {
  const auto number = static_cast<int>(-result);
  const char* const name = strerrorname_np(number);
  const char* const text = strerrordesc_np(number);
  base::fail(class_of_system_error(number),
             fmt::format("{}: {} ({})", what, text ? text : "unknown error", name ? name : std::to_string(number)));
}

// Calls again while the system says that it was interrupted.
template <class Call>
Result uninterrupted(Call&& call) {
  while (true) {
    const Result result = call();
    if (result != -EINTR) return result;
  }
}

// The pieces from byte `done` on; no more of them than one call takes.
class Rest {
 public:
  explicit Rest(Pieces pieces) : pieces_(pieces) { skip_empty(); }

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const base::Piece& piece : pieces_) bytes += piece.bytes;
    return bytes - done_of_first_;
  }
  void pass(std::size_t bytes) {
    while (bytes != 0) {
      const std::size_t now = std::min(bytes, pieces_[0].bytes - done_of_first_);
      done_of_first_ += now;
      bytes -= now;
      skip_empty();
    }
  }
  [[nodiscard]] Pieces next() {
    const std::size_t count = std::min(pieces_.size(), next_.size());
    std::copy_n(pieces_.begin(), count, next_.begin());
    next_[0] = {next_[0].begin + done_of_first_, next_[0].bytes - done_of_first_};
    return std::span(next_).first(count);
  }

 private:
  void skip_empty() {
    for (; !pieces_.empty() && pieces_[0].bytes == done_of_first_; done_of_first_ = 0) pieces_ = pieces_.subspan(1);
  }

  Pieces pieces_;
  std::size_t done_of_first_ = 0;
  std::array<base::Piece, 64> next_;
};

}  // namespace

int class_of_system_error(int number) {
  switch (number) {
    case ENOENT:
      return abi::ERR_NO_SUCH_FILE;
    case EEXIST:
      return abi::ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return abi::ERR_ACCESS;
    case EROFS:
      return abi::ERR_READ_ONLY;
    case ENOSPC:
      return abi::ERR_NO_SPACE;
    case EDQUOT:
      return abi::ERR_QUOTA;
    case ETXTBSY:
    case EBUSY:
      return abi::ERR_FILE_IN_USE;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return abi::ERR_BAD_FILE;
    case ENOMEM:
      return abi::ERR_NO_MEM;
    case EOPNOTSUPP:
      return abi::ERR_UNSUPPORTED_OPERATION;
    default:
      return abi::ERR_IO;
  }
}

StoredFile::StoredFile(storage::Storage& storage, std::string path, int flags, unsigned permissions)
    : storage_(storage), path_(std::move(path)) {
  const Result result = uninterrupted([&] { return storage_.open(path_, flags, permissions); });
  if (result < 0) refused(result, "cannot open " + path_);
  descriptor_ = static_cast<int>(result);
}

StoredFile::~StoredFile() {
  if (descriptor_ >= 0) (void)storage_.close(descriptor_);
}

// Also after an interruption the descriptor is gone.
void StoredFile::close() {
  const Result result = storage_.close(std::exchange(descriptor_, -1));
  if (result < 0 && result != -EINTR) refused(result, "cannot close " + path_);
}

std::int64_t StoredFile::read(Pieces into, std::int64_t offset) const {
  std::int64_t done = 0;
  for (Rest rest(into); !rest.empty();) {
    const Pieces next = rest.next();
    const Result result = uninterrupted([&] { return storage_.read(descriptor_, next, offset + done); });
    if (result < 0)
      refused(result, fmt::format("cannot read {} bytes at offset {} of {}", rest.bytes(), offset + done, path_));
    if (result == 0) break;
    done += result;
    rest.pass(static_cast<std::size_t>(result));
  }
  return done;
}

void StoredFile::write(Pieces from, std::int64_t offset) const {
  for (Rest rest(from); !rest.empty();) {
    const Pieces next = rest.next();
    const Result result = uninterrupted([&] { return storage_.write(descriptor_, next, offset); });
    if (result <= 0)
      refused(result == 0 ? -EIO : result,
              fmt::format("cannot write {} bytes at offset {} of {}", rest.bytes(), offset, path_));
    offset += result;
    rest.pass(static_cast<std::size_t>(result));
  }
}

std::int64_t StoredFile::read(std::byte* into, std::int64_t bytes, std::int64_t offset) const {
  const base::Piece piece{into, static_cast<std::size_t>(bytes)};
  return read({&piece, 1}, offset);
}

void StoredFile::write(const std::byte* from, std::int64_t bytes, std::int64_t offset) const {
  const base::Piece piece{const_cast<std::byte*>(from), static_cast<std::size_t>(bytes)};
  write({&piece, 1}, offset);
}

std::int64_t StoredFile::size() const {
  const Result result = uninterrupted([&] { return storage_.size(descriptor_); });
  if (result < 0) refused(result, "cannot find the size of " + path_);
  return result;
}

void StoredFile::set_size(std::int64_t bytes) const {
  const Result result = uninterrupted([&] { return storage_.set_size(descriptor_, bytes); });
  if (result < 0) refused(result, fmt::format("cannot set the size of {} to {} bytes", path_, bytes));
}

void StoredFile::allocate(std::int64_t bytes) const {
  const Result result = uninterrupted([&] { return storage_.allocate(descriptor_, bytes); });
  if (result < 0) refused(result, fmt::format("cannot reserve {} bytes for {}", bytes, path_));
}

void StoredFile::synchronize() const {
  const Result result = uninterrupted([&] { return storage_.synchronize(descriptor_); });
  if (result < 0) refused(result, "cannot synchronize " + path_);
}

StoredFile::Locked::Locked(const StoredFile* file, Lock how, std::int64_t first, std::int64_t bytes)
    : file_(file), first_(first), bytes_(bytes) {
  if (!file_) return;
  const Result result = uninterrupted([&] { return file_->storage_.lock(file_->descriptor_, how, first_, bytes_); });
  if (result < 0)
    refused(result, fmt::format("cannot lock {} bytes at offset {} of {}, which atomic mode needs", bytes_, first_,
                                file_->path_));
}

StoredFile::Locked::~Locked() {
  if (file_) (void)file_->storage_.lock(file_->descriptor_, Lock::none, first_, bytes_);
}

void remove(storage::Storage& storage, const std::string& path) {
  const Result result = uninterrupted([&] { return storage.remove(path); });
  if (result < 0) refused(result, "cannot delete " + path);
}

}  // namespace antiphon::io
