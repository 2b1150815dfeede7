// Memory given out from a part of a file, so that other processes that have the file see it. The pages are there
// before the memory is given out: a system that has none says so, and nobody gets a SIGBUS later. In whole pages.
// What is freed keeps its pages, and is given out again as it is, until the owner gives it back to the system. One
// owner, one thread at a time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>

#include "platform/linux/file_part.hpp"

namespace antiphon::platform {

class FileHeap {
 public:
  struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const Identity&) const = default;
  };

  enum class Outcome { given, no_room, no_memory };  // no_room: addresses, the file or its part are gone
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

  // `alignment` is a power of two. Null unless the smallest piece that was freed and fits is there.
  [[nodiscard]] void* allocate_kept(std::size_t bytes, std::size_t alignment);
  // With pages from the system.
  [[nodiscard]] Allocation allocate(std::size_t bytes, std::size_t alignment);
  // False for what is not the start of an allocation. Needs no memory.
  bool free(void* start) noexcept;

  // How many bytes have pages that nobody uses; and gives so many of them back, in whole pages.
  [[nodiscard]] std::size_t kept() const { return kept_bytes_; }
  // Fewer, where there is no memory to note them in.
  void give_back(std::size_t bytes) noexcept;

 private:
  using Places = std::map<std::size_t, std::size_t>;  // from where in the part to how many bytes

  [[nodiscard]] bool has_file() const;
  [[nodiscard]] Outcome populate(std::size_t place, std::size_t bytes);
  void give_back(std::size_t place, std::size_t bytes);
  // Takes a place out of a hole, with nodes for what is used and for what is left of the hole.
  using Node = Places::node_type;
  static Node made_node();
  void use(Places& from, Places::iterator hole, std::size_t place, std::size_t bytes, Node used, Node rest);
  static void add(Places& to, std::size_t place, std::size_t bytes, Node node) noexcept;

  FilePart part_;
  std::atomic<std::uint64_t>& address_;
  Identity file_;
  AddressRange range_;
  Places used_;
  Places kept_;   // free, with pages; neighbours are one
  Places empty_;  // free, without
  std::size_t kept_bytes_ = 0;
};

}  // namespace antiphon::platform
