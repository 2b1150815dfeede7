// Collectives in which each rank needs the data of all, if it fits into lines: what a rank writes into its line, and
// what it computes from all lines. Values; the memory that they point to outlives them.
#pragma once

#include <optional>
#include <variant>

#include "engine/coll/boards/board_memory.hpp"
#include "engine/coll/boards/title.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::coll {

// Packs a region into a line; unpacks a line into a region.
void write(const Region& from, std::byte* line);
void read(const std::byte* line, const Region& to);

struct BarrierExchange {
  [[nodiscard]] Agreed agreed() const { return {Operation::barrier}; }
  void bring(std::byte*) const {}
  void take(const Lines&, int) const {}
};

struct AllreduceExchange {
  AllreduceExchange(const std::optional<Vector>& mine, const Vector& to)
      : given((mine ? *mine : to).region()), result(to) {}
  [[nodiscard]] Agreed agreed() const { return {Operation::allreduce, given.bytes, 0, result.reduction().op()}; }
  void bring(std::byte* line) const { write(given, line); }
  void take(const Lines& lines, int rank) const;

  Region given;
  Vector result;
};

struct ReduceScatterExchange {
  ReduceScatterExchange(const Vector& brought, const Shares& shares, const Vector& own, int rank)
      : all(brought), first(shares.start(rank)), share(own) {}
  [[nodiscard]] Agreed agreed() const {
    return {Operation::reduce_scatter, all.region().bytes, 0, all.reduction().op()};
  }
  void bring(std::byte* line) const { write(all.region(), line); }
  void take(const Lines& lines, int rank) const;

  Vector all;
  std::size_t first;  // of this rank's share in `all`
  Vector share;
};

struct AllgatherExchange {
  AllgatherExchange(const std::optional<Region>& mine, const Region& to, int rank, int ranks)
      : given(mine ? *mine : to.block(rank, ranks)), all(to), in_place(!mine) {}
  [[nodiscard]] Agreed agreed() const { return {Operation::allgather, given.bytes}; }
  void bring(std::byte* line) const { write(given, line); }
  void take(const Lines& lines, int rank) const;

  Region given, all;
  bool in_place;
};

struct AlltoallExchange {
  AlltoallExchange(const std::optional<Region>& out, const Region& to) : given(out ? *out : to), in(to) {}
  [[nodiscard]] Agreed agreed() const { return {Operation::alltoall, given.bytes}; }
  void bring(std::byte* line) const { write(given, line); }
  void take(const Lines& lines, int rank) const;

  Region given, in;
};

// What a rank publishes whose call has failed.
struct NoExchange {
  [[nodiscard]] Agreed agreed() const { return {Operation::none}; }
  void bring(std::byte*) const {}
  void take(const Lines&, int) const {}
};

using Exchange = std::variant<BarrierExchange, AllreduceExchange, ReduceScatterExchange, AllgatherExchange,
                              AlltoallExchange, NoExchange>;

}  // namespace antiphon::coll
