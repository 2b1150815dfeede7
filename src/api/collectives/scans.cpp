// Reductions of which every rank gets a part, or the one up to itself: MPI 5.0, 6.10 and 6.11.
#include <optional>
#include <vector>

#include "api/collectives/reductions.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Op;

namespace {

struct Counted {
  const char* name;
  MPI_Count count;
};

// Of `total` elements that everybody contributes, this rank gets `mine`.
struct ScatterReduced {
  Reducing reducing;
  bool in_place;
  coll::Vector share, all;

  ScatterReduced(const void* sendbuf, void* recvbuf, Counted total, Counted mine, const Datatype& datatype,
                 const Op& op, const Comm& comm)
      : reducing(op, datatype),
        in_place(!comm.is_inter() && check::in_place(sendbuf)),
        share(reducing.vector("recvbuf", recvbuf, mine.name, mine.count)),
        all(in_place ? reducing.vector("recvbuf", recvbuf, total.name, total.count)
                     : reducing.vector("sendbuf", sendbuf, total.name, total.count)) {}
  void need_apart() const {
    if (!in_place) check_apart(all.region(), share.region());
  }
};

// What all ranks together get.
MPI_Count total_of(MPI_Count recvcount, const Datatype& datatype, const Comm& comm) {
  if (recvcount < 0) check::cold::bad_count("recvcount", recvcount);
  MPI_Count total = 0;
  if (__builtin_mul_overflow(recvcount, comm.size(), &total))
    check::cold::too_large("recvcount", recvcount, datatype);
  return total;
}

}  // namespace

void reduce_scatter_block(Process& process, const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                          const Datatype& datatype, const Op& op, Comm& comm, coll::Deferred* later) {
  const MPI_Count total = total_of(recvcount, datatype, comm);
  const ScatterReduced it = checked(
      process, comm, later, [&] { return at_reduction(coll::Operation::reduce_scatter, comm, total, datatype, op); },
      [&] {
        return ScatterReduced(sendbuf, recvbuf, {"recvcount times the number of ranks", total},
                              {"recvcount", recvcount}, datatype, op, comm);
      });
  it.need_apart();
  process.coll().reduce_scatter(it.all, coll::Shares(static_cast<std::size_t>(recvcount)), it.share, comm, later);
}

void reduce_scatter(Process& process, const void* sendbuf, void* recvbuf, CountArray recvcounts,
                    const Datatype& datatype, const Op& op, Comm& comm, coll::Deferred* later) {
  check::array("recvcounts", recvcounts.data(), static_cast<std::size_t>(comm.size()));
  std::vector<std::size_t> starts{0};
  starts.reserve(static_cast<std::size_t>(comm.size()) + 1);
  MPI_Count total = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const MPI_Count count = recvcounts[rank];
    if (count < 0) check::cold::bad_count(fmt::format("recvcounts[{}]", rank).c_str(), count);
    if (__builtin_add_overflow(total, count, &total)) check::cold::too_large("recvcounts", count, datatype);
    starts.push_back(static_cast<std::size_t>(total));
  }
  const ScatterReduced it(sendbuf, recvbuf, {"the sum of recvcounts", total}, {"recvcounts", recvcounts[comm.rank()]},
                          datatype, op, comm);
  it.need_apart();
  process.coll().reduce_scatter(it.all, coll::Shares(std::move(starts)), it.share, comm, later);
}

void scan(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
          const Op& op, Comm& comm, coll::Deferred* later) {
  check::intracommunicator("comm", comm);
  const Reduced it = checked(
      process, comm, later, [&] { return at_reduction(coll::Operation::scan, comm, count, datatype, op); },
      [&] {
        return Reduced(op, datatype, [&](Reduced& given) {
          given.result = given.reducing.vector("recvbuf", recvbuf, "count", count);
          if (!check::in_place(sendbuf)) given.give(sendbuf, count);
        });
      });
  it.need_apart();
  process.coll().scan(it.mine, it.result, comm, later);
}

// Rank 0 gets nothing, so its recvbuf matters only in place.
void exscan(Process& process, const void* sendbuf, void* recvbuf, MPI_Count count, const Datatype& datatype,
            const Op& op, Comm& comm, coll::Deferred* later) {
  check::intracommunicator("comm", comm);
  const Reduced it = checked(
      process, comm, later, [&] { return at_reduction(coll::Operation::exscan, comm, count, datatype, op); },
      [&] {
        return Reduced(op, datatype, [&](Reduced& given) {
          const bool in_place = check::in_place(sendbuf);
          given.result = comm.rank() == 0 && !in_place ? given.reducing.unused(count, recvbuf)
                                                       : given.reducing.vector("recvbuf", recvbuf, "count", count);
          if (!in_place) given.give(sendbuf, count);
        });
      });
  it.need_apart();
  process.coll().exscan(it.mine, it.result, comm, later);
}

}  // namespace antiphon::api
