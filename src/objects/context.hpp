// Context ids, which keep the messages of different communicators apart, as objects hold them. Each communicator
// has one; service/contexts.hpp assigns them. A ContextSet knows which ids this process's communicators use,
// because ids have to be reused when they run out. Owned by the Process, and outlives all its communicators; the
// lane's lock protects it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace antiphon::objects {

// What messages of a communicator are for. Those of different kinds never match each other.
enum class MessageKind : std::uint32_t {
  user,        // point-to-point communication
  collective,  // tag 0 the blocking ones, then a tag each for those that are not
  group,       // MPI_Comm_create_group, with the user's tags; of an intercommunicator: its local group's collectives
  leader,      // of MPI_Intercomm_create, with the user's tags
  partition_offer,   // partitioned communication: offers, with the user's tags,
  partition_answer,  // answers,
  partition,         // and partitions
  unused
};

// The messages that can match each other: of one communicator and of one kind. One word, as packets carry it and as
// matching compares it.
class MessageSpace {
 public:
  static constexpr std::uint32_t kKindBits = 3;
  static constexpr std::uint32_t kContexts = std::uint32_t{1} << (32 - kKindBits);

  constexpr MessageSpace() = default;
  constexpr MessageSpace(std::uint32_t context, MessageKind kind)
      : word_(context << kKindBits | static_cast<std::uint32_t>(kind)) {}
  static constexpr MessageSpace of_word(std::uint32_t word) {
    MessageSpace space;
    space.word_ = word;
    return space;
  }

  [[nodiscard]] constexpr std::uint32_t word() const { return word_; }
  [[nodiscard]] constexpr std::uint32_t context() const { return word_ >> kKindBits; }
  // Of the same communicator. For one of kind `user`.
  [[nodiscard]] constexpr MessageSpace of_kind(MessageKind kind) const {
    return of_word(word_ + static_cast<std::uint32_t>(kind));
  }
  constexpr bool operator==(const MessageSpace&) const = default;

 private:
  std::uint32_t word_ = 0;
};
static_assert(static_cast<std::uint32_t>(MessageKind::unused) < (1u << MessageSpace::kKindBits));

// Those that nobody has to hand out. All processes meet in the assembly, which no user sees; a duplicate is undecided
// until its members have agreed.
inline constexpr std::uint32_t kWorldContext = 0, kSelfContext = 1, kAssemblyContext = 2, kUndecidedContext = 3;
inline constexpr std::uint32_t kFirstFreeContext = 4;

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
