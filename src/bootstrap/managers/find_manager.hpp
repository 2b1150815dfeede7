// Which process manager a process has, as its environment tells.
#pragma once

#include <memory>

#include "bootstrap/environment.hpp"
#include "bootstrap/managers/process_manager.hpp"

namespace antiphon::bootstrap {

// Null where no launcher that speaks PMI or PMIx has started more than this one process. Fails with ERR_OTHER where
// one has, and does not answer as it should.
std::unique_ptr<ProcessManager> find_manager(const Environment& environment);

}  // namespace antiphon::bootstrap
