// What constructors that communicate use. Owned by the Process, as is everything in it.
#pragma once

#include "bootstrap/process_table.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/coll/executor.hpp"
#include "engine/pt2pt/messages.hpp"
#include "progress/progress.hpp"
#include "service/contexts.hpp"

namespace antiphon::service {

using objects::Comm;
using objects::Group;
using objects::Ref;

struct Toolbox {
  const bootstrap::ProcessTable& processes;
  pt2pt::Messages& pt2pt;
  coll::Collectives& coll;
  progress::Progress& progress;
  Contexts& contexts;
};

}  // namespace antiphon::service
