// The pointer that all processes share which opened a file together (MPI 5.0, 14.4.4): one word at rank 0, in a
// window that no user sees, fetched and added. Where its memory is mapped, that takes no message, and rank 0 may
// compute. Owned by the state of the file; guarded by the lane's lock.
#pragma once

#include "engine/rma/accumulates.hpp"
#include "engine/rma/passive_target.hpp"

namespace antiphon::io {

class SharedPointer {
 public:
  struct Tools {
    rma::Accumulates& accumulates;
    rma::PassiveTarget& passive_target;
    progress::Progress& progress;
  };
  // The window's rank 0 exposes one element of `offset`, MPI_OFFSET.
  SharedPointer(const Tools& tools, objects::Ref<objects::Window> window, objects::Ref<objects::Datatype> offset);
  // Before the window ends.
  void leave();

  [[nodiscard]] objects::Window& window() const { return *window_; }

  // In etypes of the view. fetch_and_add() returns what it was before.
  [[nodiscard]] std::int64_t fetch_and_add(std::int64_t etypes) { return fetch_and(objects::Op::Kind::sum, etypes); }
  [[nodiscard]] std::int64_t get() { return fetch_and(objects::Op::Kind::no_op, 0); }
  void set(std::int64_t etypes) { (void)fetch_and(objects::Op::Kind::replace, etypes); }

 private:
  std::int64_t fetch_and(objects::Op::Kind op, std::int64_t operand);

  Tools tools_;
  objects::Ref<objects::Window> window_;
  objects::Ref<objects::Datatype> offset_;
};

}  // namespace antiphon::io
