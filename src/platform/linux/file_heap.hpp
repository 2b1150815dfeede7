// Allocates memory, in whole pages, from a part of a file, so that other processes with the file can map it. The
// pages exist before an allocation returns: if the system has no memory or the file system is full, the allocation
// fails, instead of a SIGBUS later. Freed memory keeps its pages and is allocated again as it is, until the owner
// gives it back to the system. One owner; one thread at a time.
#pragma once

#include <atomic>
#include <map>

#include "platform/linux/file_part.hpp"

namespace antiphon::platform {

class FileHeap {
 public:
  enum class Outcome { given, no_room, no_memory };  // no_room: address space, the file system or the part is full
  struct Allocation {
    Outcome outcome;
    void* start;
  };

  // The first allocation stores the part's start in this process into `address`, for processes that translate
  // addresses of this process into offsets. Before that `address` is 0.
  FileHeap(const FilePart& part, std::atomic<std::uint64_t>& address);
  ~FileHeap();
  FileHeap(const FileHeap&) = delete;
  FileHeap& operator=(const FileHeap&) = delete;

  // Allocates the smallest fitting piece of freed memory; null if none fits. `alignment` is a power of two.
  [[nodiscard]] void* allocate_kept(std::size_t bytes, std::size_t alignment);
  // Allocates with new pages from the system.
  [[nodiscard]] Allocation allocate(std::size_t bytes, std::size_t alignment);
  // False if `start` is not the start of an allocation.
  bool free(void* start);

  // kept(): freed bytes that still have pages. give_back(): returns that many of them to the system, rounded up to
  // whole pages.
  [[nodiscard]] std::size_t kept() const { return kept_bytes_; }
  void give_back(std::size_t bytes);

 private:
  using Places = std::map<std::size_t, std::size_t>;  // from an offset in the part to a number of bytes

  [[nodiscard]] Outcome populate(std::size_t place, std::size_t bytes);
  void give_back(std::size_t place, std::size_t bytes);
  static void take(Places& from, Places::iterator hole, std::size_t place, std::size_t bytes);
  static void add(Places& to, std::size_t place, std::size_t bytes);

  FilePart part_;
  std::atomic<std::uint64_t>& address_;
  AddressRange range_;
  Places used_;
  Places kept_;   // free, with pages; adjacent ranges are merged
  Places empty_;  // free, without pages
  std::size_t kept_bytes_ = 0;
};

}  // namespace antiphon::platform
