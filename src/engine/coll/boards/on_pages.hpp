// Collectives on a board whose data does not fit into lines. It is cut into parts; each turn of the board moves one
// part of each rank's data, on pages.
#pragma once

#include <optional>

#include "engine/coll/boards/board.hpp"
#include "engine/coll/model.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::coll::on_pages {

void bcast(Board& board, const Region& buffer, int root);
void gather(Board& board, const std::optional<Region>& mine, const Region& all, int root);
void scatter(Board& board, const Region& all, const std::optional<Region>& mine, int root);
void allgather(Board& board, const std::optional<Region>& mine, const Region& all);
void alltoall(Board& board, const std::optional<Region>& out, const Region& in);

// Reductions (combined_on_pages.cpp).
void reduce(Board& board, const std::optional<Vector>& mine, const Vector& result, int root);
void allreduce(Board& board, const std::optional<Vector>& mine, const Vector& result);
void scan(Board& board, const std::optional<Vector>& mine, const Vector& result);
void exscan(Board& board, const std::optional<Vector>& mine, const Vector& result);
void reduce_scatter(Board& board, const Vector& all, const Shares& shares, const Vector& share);

// How many turns a collective has, for a rank that takes part without data. Assumes that all shares are equal.
[[nodiscard]] std::size_t turns(const Board& board, const Case& what);

}  // namespace antiphon::coll::on_pages
