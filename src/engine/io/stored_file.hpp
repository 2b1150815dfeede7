// An open file of the storage. Goes on where a call of the system moved fewer bytes than asked or was interrupted,
// and turns the system's refusals into errors that name the operation, the path, the offset and what the system said.
// Shared by the state of the file and its operations under way; closed with the last. Any thread may call it, with
// the lane or without.
#pragma once

#include <memory>
#include <string>

#include "storage/storage.hpp"

namespace antiphon::io {

class StoredFile {
 public:
  // `flags` are open(2)'s.
  StoredFile(storage::Storage& storage, std::string path, int flags, unsigned permissions);
  ~StoredFile();
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  // Returns how many bytes it has read: fewer than the pieces hold only where the file ends.
  [[nodiscard]] std::int64_t read(storage::Pieces into, std::int64_t offset) const;
  void write(storage::Pieces from, std::int64_t offset) const;
  [[nodiscard]] std::int64_t read(std::byte* into, std::int64_t bytes, std::int64_t offset) const;
  void write(const std::byte* from, std::int64_t bytes, std::int64_t offset) const;

  [[nodiscard]] std::int64_t size() const;
  void set_size(std::int64_t bytes) const;
  void allocate(std::int64_t bytes) const;
  void synchronize() const;
  // Reports what the system tells at the end only, such as that it had no space after all.
  void close();

  // Holds a range for as long as it lives (atomic mode: MPI 5.0, 14.6.1); nothing if `file` is null.
  class Locked {
   public:
    using Lock = storage::Storage::Lock;
    Locked(const StoredFile* file, Lock how, std::int64_t first, std::int64_t bytes);
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    const StoredFile* file_;
    std::int64_t first_, bytes_;
  };

 private:
  storage::Storage& storage_;
  std::string path_;
  int descriptor_;
};

using StoredFileRef = std::shared_ptr<StoredFile>;

// Fails if the system refuses.
void remove(storage::Storage& storage, const std::string& path);

// The class that the standard has for an error number of the system.
[[nodiscard]] int class_of_system_error(int number);

}  // namespace antiphon::io
