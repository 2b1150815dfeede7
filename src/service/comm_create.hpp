// Constructors of communicators that their members call together: MPI 5.0, 7.4.2.
#pragma once

#include "service/contexts.hpp"

namespace antiphon::service {

// Same group, new context.
[[nodiscard]] objects::Ref<objects::Comm> comm_dup(coll::Collectives& coll, Contexts& contexts,
                                                   objects::Comm& parent);

// One communicator for each color, ranks ordered by key, then by rank in the parent. Null for abi::UNDEFINED.
[[nodiscard]] objects::Ref<objects::Comm> comm_split(coll::Collectives& coll, Contexts& contexts,
                                                     objects::Comm& parent, int color, int key);

}  // namespace antiphon::service
