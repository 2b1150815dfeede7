// What a process finds before it can send a byte: the job that it belongs to, and the memory that it shares with
// the other processes of its node. Made once, in MPI_Init or by the first session.
#pragma once

#include <memory>

#include "bootstrap/environment.hpp"
#include "bootstrap/job.hpp"
#include "bootstrap/node_segment.hpp"

namespace antiphon::bootstrap {

struct Bootstrap {
  std::unique_ptr<NodeSegment> node;
  std::unique_ptr<Job> job;  // may use the node's memory, so it is declared after it and destroyed first

  [[nodiscard]] std::uint32_t rank_on_node() const {
    return static_cast<std::uint32_t>(job->place_of(job->rank()).rank_on_node);
  }
  [[nodiscard]] RankSlot& my_slot() const { return node->slot(rank_on_node()); }
};

// Native under our mpiexec, a singleton without any launcher. Fails, with a sentence that says what to do, if another
// launcher started the process, or if another process has this rank already. `alone`: the settings of a singleton;
// those of a job are in the header of its segment.
Bootstrap discover(const Environment& environment, const settings::Values& alone = {});

}  // namespace antiphon::bootstrap
