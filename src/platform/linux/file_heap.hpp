// Memory given out from a part of a file, so that other processes that have the file see it. The pages are there
// before the memory is given out: a system that has none says so, and nobody gets a SIGBUS later. In whole pages;
// freed memory goes back to the system at once. One owner, one thread at a time.
#pragma once

#include <atomic>
#include <map>

#include "platform/linux/file_part.hpp"

namespace antiphon::platform {

class FileHeap {
 public:
  enum class Outcome { given, no_room, no_memory };  // no_room: neither addresses nor part of the file are left
  struct Allocation {
    Outcome outcome;
    void* start;
  };

  // Where the part begins in this process goes to `address`, for those who translate addresses of this process into
  // offsets; when that is known, with the first allocation. `address` stays 0 before.
  FileHeap(const FilePart& part, std::atomic<std::uint64_t>& address);
  ~FileHeap();
  FileHeap(const FileHeap&) = delete;
  FileHeap& operator=(const FileHeap&) = delete;

  // `alignment` is a power of two.
  [[nodiscard]] Allocation allocate(std::size_t bytes, std::size_t alignment);
  // False for what is not the start of an allocation.
  bool free(void* start);

 private:
  using Places = std::map<std::size_t, std::size_t>;  // from where in the part to how many bytes

  [[nodiscard]] bool populate(std::size_t place, std::size_t bytes);
  void give_back(std::size_t place, std::size_t bytes);
  void add_free(std::size_t place, std::size_t bytes);

  FilePart part_;
  std::atomic<std::uint64_t>& address_;
  AddressRange range_;
  Places free_, used_;
};

}  // namespace antiphon::platform
