// Accumulates, MPI 5.0, 12.3.4: accumulate, get_accumulate, fetch_and_op, compare_and_swap. If this process has
// mapped the target's memory and words, the origin carries them out; otherwise it sends packets, and the target
// carries them out when it polls. Both hold the section of the target's Control that the element belongs to, so one
// process at a time changes an element, whichever way origins take. Belongs to the Engines; guarded by the lane's
// lock.
//
// All accumulates from one origin to one target use the same way, so they are in order (MPI 5.0, 12.7.2).
#pragma once

#include <array>

#include "engine/rma/elements.hpp"
#include "engine/rma/one_sided.hpp"

namespace antiphon::rma {

struct Accumulation {
  Combining combining;
  int target;
  LocalSide operand;  // not used if the operation has none
  LocalSide result;   // where the old values go; empty if they are not wanted
  RemoteSide remote;
  std::size_t bytes;  // packed

  [[nodiscard]] bool fetches() const { return result.buffer != nullptr || result.scattered; }
};

class Accumulates {
 public:
  Accumulates(OneSided& one_sided, links::Links& links, transport::Dispatcher& dispatcher,
              progress::Progress& progress);
  Accumulates(const Accumulates&) = delete;
  Accumulates& operator=(const Accumulates&) = delete;

  // Begins an accumulate of `bytes` packed bytes. `result` is empty if the old values are not wanted. Creates
  // *request, if `request` is not null and the accumulate is not complete at once. Fails as OneSided::begin does.
  void begin(WindowState& state, const Combining& combining, const LocalSide& operand, const LocalSide& result,
             const Wanted& remote, std::size_t bytes, objects::Ref<OperationRequest>* request = nullptr);
  // For one element of a dense shape, of at most kMostCompared bytes. The caller may change `value` and `compared`
  // afterwards.
  static constexpr std::size_t kMostCompared = 16;
  void compare_and_swap(WindowState& state, const Shape& shape, const std::byte* value, const std::byte* compared,
                        std::byte* result, const Wanted& remote);

  // The function that combines elements in memory with operands, for callers that do so themselves
  // (plain_elements.hpp). Null if the operation is not defined on the type, or is user-defined.
  [[nodiscard]] coll::Kernel* kernel(objects::Op::Kind op, objects::Element kind) const noexcept {
    return kernels_[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)];
  }

 private:
  class Out;
  // A result that this process waits for.
  struct Fetch {
    Operation operation;
    LocalSide result;
    std::size_t bytes;
    data::KeptType type;
    std::size_t asked = 0;    // bytes of the elements that the target has been asked for
    std::size_t arrived = 0;  // bytes that it has answered for
  };
  // Holds one section at a time.
  class Holding;

  void on_accumulate(int source, const transport::PacketHeader&, transport::Payload);
  void on_compare_and_swap(int source, const transport::PacketHeader&, transport::Payload);
  void on_fetched(int source, const transport::PacketHeader&, transport::Payload);

  [[gnu::cold]] void keep_promise(WindowState& state, const char* op, const Shape& shape, const Wanted& wanted,
                                  const RemoteSide& remote, std::size_t bytes);
  void do_directly(const WindowState& state, const Accumulation& what, std::byte* here);
  void answer(int process, links::Cookie cookie, std::span<const std::byte> fetched);
  [[nodiscard]] links::Cookie expect(const Operation& operation, const LocalSide& result, std::size_t bytes);

  OneSided& one_sided_;
  links::Links& links_;
  progress::Progress& progress_;
  std::array<std::array<coll::Kernel*, kElements>, Combining::kOps> kernels_{};
  links::Pending<Fetch, links::PendingKind::fetch> fetches_;
  std::vector<std::byte> fetched_;  // the next answer
};

}  // namespace antiphon::rma
