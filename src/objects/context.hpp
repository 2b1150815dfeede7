// The numbers that keep the messages of different communicators apart, as objects hold them. A communicator has eight
// in a row, its context being the first, a multiple of eight; who hands them out is service/contexts.hpp. A
// ContextSet knows which contexts this process's communicators use at present, for the day on which numbers run out
// and have to be used again. Owned by the Process, which it outlives no communicator of; guarded by the lane's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace antiphon::objects {

inline constexpr std::uint32_t kContextsEach = 8;
// Those that nobody has to hand out. All processes meet in the assembly, which no user sees; a duplicate is undecided
// until its members have agreed.
inline constexpr std::uint32_t kWorldContext = 0, kSelfContext = 8, kAssemblyContext = 16, kUndecidedContext = 24;
inline constexpr std::uint32_t kFirstFreeContext = 32;

// A set of contexts in which neighbours share a page of bits: to add and to remove one costs a few instructions.
class ContextSet {
 public:
  void insert(std::uint32_t context);
  void erase(std::uint32_t context);
  [[nodiscard]] bool contains(std::uint32_t context) const;
  [[nodiscard]] std::size_t size() const;

 private:
  static constexpr std::uint32_t kPerPage = 4096;
  struct Page {
    std::array<std::uint64_t, kPerPage / 64> bits{};
    std::uint32_t used = 0;
  };
  Page& page(std::uint32_t number);

  std::unordered_map<std::uint32_t, Page> pages_;
  Page* recent_ = nullptr;
  std::uint32_t recent_number_ = 0;
};

// Holds a context for as long as it lives. Empty by default.
class ContextLease {
 public:
  ContextLease() = default;
  // A number that no ContextSet knows: those of predefined communicators and of tests.
  explicit ContextLease(std::uint32_t context) : context_(context) {}
  ContextLease(ContextSet& used, std::uint32_t context) : used_(&used), context_(context) { used.insert(context); }
  ContextLease(ContextLease&& other) noexcept
      : used_(std::exchange(other.used_, nullptr)), context_(std::exchange(other.context_, 0)) {}
  ContextLease& operator=(ContextLease&& other) noexcept {
    std::swap(used_, other.used_);
    std::swap(context_, other.context_);
    return *this;
  }
  ~ContextLease() {
    if (used_) used_->erase(context_);
  }

  [[nodiscard]] std::uint32_t context() const { return context_; }

 private:
  ContextSet* used_ = nullptr;
  std::uint32_t context_ = 0;
};

}  // namespace antiphon::objects
