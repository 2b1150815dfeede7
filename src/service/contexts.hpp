// Assigns context ids to communicators. Each process of the job has a block of ids of its own, from which it takes
// one for each communicator that it leads, without asking anybody: an id that is used for the first time is in use
// nowhere. When the block is used up, it starts again from its beginning, with ids that are free here but may
// still be in use in other processes, which then have to be asked (Agreement). docs/decisions/0006 has the
// reasons. Belongs to the Process; the lane's lock protects it.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/context.hpp"

namespace antiphon::service {

class Contexts {
 public:
  // Communicators that a process can lead before it has to ask: as many as there is room for.
  static constexpr std::uint32_t kAsManyAsThereAre = 0;
  static constexpr std::uint32_t kNone = 0;  // a number never drawn

  Contexts(int self, int processes, std::uint32_t block = kAsManyAsThereAre);

  struct Drawn {
    objects::ContextLease lease;
    bool fresh = true;  // nobody can be using it
  };
  // kNone, and fresh, where every number of this process's block is in use here.
  [[nodiscard]] Drawn draw();
  // A fresh number that was not needed after all, and that nobody has begun to use.
  void give_back(Drawn drawn);

  // For a communicator whose number another process drew.
  [[nodiscard]] objects::ContextLease take(std::uint32_t context) { return {used_, context}; }
  [[nodiscard]] bool in_use(std::uint32_t context) const { return used_.contains(context); }
  // Communicators of this process that have not ended.
  [[nodiscard]] std::size_t alive() const { return used_.size(); }

 private:
  objects::ContextSet used_;
  std::uint32_t begin_, end_;  // of my block
  std::uint32_t next_;
  bool fresh_ = true;                     // next_ was never drawn
  std::vector<std::uint32_t> untouched_;  // fresh numbers that were given back
};

}  // namespace antiphon::service
