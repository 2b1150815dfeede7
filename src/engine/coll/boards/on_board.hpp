// Collectives over a board, if the communicator has one and the data is not too long: in lines, or on pages, in as
// many turns as it takes. Reductions combine in the order in which messages do (orders.hpp), so the bits are the
// same. All ranks decide alike whether a board is used. If a function returns false, it has done nothing, and
// messages must be used. With `later`, a nonblocking exchange begins if it is short.
#pragma once

#include <optional>

#include "engine/coll/attempt.hpp"
#include "engine/coll/boards/boards.hpp"
#include "engine/coll/deferred.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::coll::on_board {

// For a rank whose call has failed.
[[nodiscard]] bool take_part_without_data(Boards& boards, const Attempt& attempt, objects::Comm& comm,
                                          Deferred* later);

[[nodiscard]] bool barrier(Boards& boards, objects::Comm& comm, Deferred* later);
[[nodiscard]] bool bcast(Boards& boards, const Region& buffer, int root, objects::Comm& comm);
[[nodiscard]] bool reduce(Boards& boards, const std::optional<Vector>& mine, const Vector& result, int root,
                          objects::Comm& comm);
[[nodiscard]] bool allreduce(Boards& boards, const std::optional<Vector>& mine, const Vector& result,
                             objects::Comm& comm, Deferred* later);
[[nodiscard]] bool reduce_scatter(Boards& boards, const Vector& all, const Shares& shares, const Vector& share,
                                  objects::Comm& comm, Deferred* later);
[[nodiscard]] bool scan(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm);
[[nodiscard]] bool exscan(Boards& boards, const std::optional<Vector>& mine, const Vector& result,
                          objects::Comm& comm);
[[nodiscard]] bool gather(Boards& boards, const std::optional<Region>& mine, const Region& all, int root,
                          objects::Comm& comm);
[[nodiscard]] bool scatter(Boards& boards, const Region& all, const std::optional<Region>& mine, int root,
                           objects::Comm& comm);
[[nodiscard]] bool allgather(Boards& boards, const std::optional<Region>& mine, const Region& all,
                             objects::Comm& comm, Deferred* later);
[[nodiscard]] bool alltoall(Boards& boards, const std::optional<Region>& out, const Region& in, objects::Comm& comm,
                            Deferred* later);

}  // namespace antiphon::coll::on_board
