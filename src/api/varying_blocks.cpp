// Blocking collectives with a count for each rank: MPI 5.0, 6.5 to 6.8.
#include <optional>
#include <string>
#include <vector>

#include "api/blocks.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;

namespace {

std::string element(const char* array, int index) { return fmt::format("{}[{}]", array, index); }

// Arithmetic on addresses as numbers: MPI_BOTTOM is null.
const void* displaced(const void* buffer, MPI_Count number, std::int64_t each) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                       static_cast<std::uintptr_t>(number) * static_cast<std::uintptr_t>(each));
}

// What a rank gives to itself has one length on both sides.
struct Amount {
  const char* name;
  int index;  // in an array, or kNone
  MPI_Count count;
  std::size_t bytes;

  static constexpr int kNone = -1;
  [[nodiscard]] std::string shown() const {
    return fmt::format("{}={}", index == kNone ? name : element(name, index), count);
  }
};
void check_same(const Amount& given, const Amount& taken) {
  if (given.bytes == taken.bytes) [[likely]]
    return;
  base::fail(given.bytes > taken.bytes ? abi::ERR_TRUNCATE : abi::ERR_COUNT,
             fmt::format("{} are {} bytes, {} are {}: what a rank gives to itself has one length", given.shown(),
                         given.bytes, taken.shown(), taken.bytes));
}

// One side of a call, with the names of its arguments. Displacements are elements, or bytes if every block has a
// datatype of its own.
struct Varying {
  const void* buffer;
  CountArray counts;
  DisplacementArray displacements;
  const char* buffer_name;
  const char* counts_name;
  const char* displacements_name;
  const char* type_name;

  // A block for each of so many ranks.
  [[nodiscard]] coll::BlockList blocks(int number, const Datatype* type) const {
    const Datatype& every = needed(type, type_name);
    return listed(number, every.extent(), [&](int) { return &every; });
  }
  [[nodiscard]] coll::BlockList blocks(Process& process, int number, const MPI_Datatype types[]) const {
    check::not_null(types, type_name);
    return listed(number, 1, [&](int rank) { return type_of(process, types, rank); });
  }
  [[nodiscard]] Amount amount(int rank, const coll::BlockList& mine) const {
    return {counts_name, rank, counts[rank], mine[rank].bytes};
  }

 private:
  template <class TypeOf>
  [[nodiscard]] coll::BlockList listed(int number, std::int64_t unit, TypeOf type_for) const {
    check::not_null(counts.data(), counts_name);
    check::not_null(displacements.data(), displacements_name);
    if (check::in_place(buffer)) check::cold::bad_buffer(buffer_name, buffer, counts[0]);
    std::vector<coll::Region> regions;
    regions.reserve(static_cast<std::size_t>(number));
    for (int rank = 0; rank < number; ++rank) {
      const Datatype* type = type_for(rank);
      if (type)
        regions.push_back(block(rank, *type, displaced(buffer, displacements[rank], unit)));
      else
        regions.emplace_back();
    }
    return coll::BlockList(std::move(regions));
  }

  [[nodiscard]] coll::Region block(int rank, const Datatype& type, const void* start) const {
    const MPI_Count count = counts[rank];
    std::int64_t bytes = 0, span = 0;
    const bool countable = count >= 0 && !__builtin_mul_overflow(count, type.size(), &bytes) &&
                           !__builtin_mul_overflow(count, type.extent(), &span);
    if (!countable) [[unlikely]] {  // only then is the name of an element needed
      const std::string name = element(counts_name, rank);
      if (count < 0) check::cold::bad_count(name.c_str(), count);
      check::cold::too_large(name.c_str(), count, type);
    }
    if (!type.committed()) [[unlikely]]
      check::cold::uncommitted(type);
    check::data(buffer_name, buffer, count, type);
    return coll::Region(data::Buffer(start, count, type));
  }

  // Null where nothing is moved, and no type is given for it.
  const Datatype* type_of(Process& process, const MPI_Datatype types[], int rank) const {
    const Datatype* found = process.datatypes.find(reinterpret_cast<std::uintptr_t>(types[rank]));
    const bool is_needed = types[rank] != MPI_DATATYPE_NULL || counts[rank] != 0;
    if (!found && is_needed)
      Call::fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, types[rank],
                        element(type_name, rank).c_str());
    return found;
  }
};

Varying send_side(const void* buffer, CountArray counts, DisplacementArray displacements,
                  const char* displacements_name, const char* type_name = "sendtype") {
  return {buffer, counts, displacements, "sendbuf", "sendcounts", displacements_name, type_name};
}
Varying receive_side(const void* buffer, CountArray counts, DisplacementArray displacements,
                     const char* displacements_name, const char* type_name = "recvtype") {
  return {buffer, counts, displacements, "recvbuf", "recvcounts", displacements_name, type_name};
}

void exchange(Process& process, const Varying& send, const coll::BlockList& out, const Varying& receive,
              const coll::BlockList& in, Comm& comm) {
  if (!comm.is_inter()) check_same(send.amount(comm.rank(), out), receive.amount(comm.rank(), in));
  process.coll().alltoall(out, in, comm);
}

}  // namespace

void gatherv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
             CountArray recvcounts, DisplacementArray displs, const Datatype* recvtype, int root, Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block send = send_side(sendbuf, sendcount, sendtype);
  if (!is_root(comm, root)) return process.coll().gather(send.blocks(1), coll::BlockList({}), root, comm);
  const Varying receive = receive_side(recvbuf, recvcounts, displs, "displs");
  const coll::BlockList all = receive.blocks(comm.peers(), recvtype);
  std::optional<coll::Region> mine;
  if (!comm.is_inter() && !check::in_place(sendbuf)) {
    mine = send.blocks(1);
    check_same({send.count_name, Amount::kNone, sendcount, mine->bytes}, receive.amount(root, all));
  }
  process.coll().gather(mine, all, root, comm);
}

void scatterv(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray displs,
              const Datatype* sendtype, void* recvbuf, MPI_Count recvcount, const Datatype* recvtype, int root,
              Comm& comm) {
  check::root(root, comm);
  if (!takes_part(root)) return;
  const Block receive = receive_side(recvbuf, recvcount, recvtype);
  if (!is_root(comm, root)) return process.coll().scatter(coll::BlockList({}), receive.blocks(1), root, comm);
  const Varying send = send_side(sendbuf, sendcounts, displs, "displs");
  const coll::BlockList all = send.blocks(comm.peers(), sendtype);
  std::optional<coll::Region> mine;
  if (!comm.is_inter() && !check::in_place(recvbuf)) {
    mine = receive.blocks(1);
    check_same(send.amount(root, all), {receive.count_name, Amount::kNone, recvcount, mine->bytes});
  }
  process.coll().scatter(all, mine, root, comm);
}

void allgatherv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
                CountArray recvcounts, DisplacementArray displs, const Datatype* recvtype, Comm& comm) {
  const Varying receive = receive_side(recvbuf, recvcounts, displs, "displs");
  const coll::BlockList all = receive.blocks(comm.peers(), recvtype);
  if (!comm.is_inter() && check::in_place(sendbuf)) return process.coll().allgather({}, all, comm);
  const Block send = send_side(sendbuf, sendcount, sendtype);
  const coll::Region mine = send.blocks(1);
  if (!comm.is_inter())
    check_same({send.count_name, Amount::kNone, sendcount, mine.bytes}, receive.amount(comm.rank(), all));
  process.coll().allgather(mine, all, comm);
}

void alltoallv(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray sdispls,
               const Datatype* sendtype, void* recvbuf, CountArray recvcounts, DisplacementArray rdispls,
               const Datatype* recvtype, Comm& comm) {
  const Varying send = send_side(sendbuf, sendcounts, sdispls, "sdispls");
  const Varying receive = receive_side(recvbuf, recvcounts, rdispls, "rdispls");
  const coll::BlockList in = receive.blocks(comm.peers(), recvtype);
  if (!comm.is_inter() && check::in_place(sendbuf)) return process.coll().alltoall({}, in, comm);
  exchange(process, send, send.blocks(comm.peers(), sendtype), receive, in, comm);
}

void alltoallw(Process& process, const void* sendbuf, CountArray sendcounts, DisplacementArray sdispls,
               const MPI_Datatype sendtypes[], void* recvbuf, CountArray recvcounts, DisplacementArray rdispls,
               const MPI_Datatype recvtypes[], Comm& comm) {
  const Varying send = send_side(sendbuf, sendcounts, sdispls, "sdispls", "sendtypes");
  const Varying receive = receive_side(recvbuf, recvcounts, rdispls, "rdispls", "recvtypes");
  const coll::BlockList in = receive.blocks(process, comm.peers(), recvtypes);
  if (!comm.is_inter() && check::in_place(sendbuf)) return process.coll().alltoall({}, in, comm);
  exchange(process, send, send.blocks(process, comm.peers(), sendtypes), receive, in, comm);
}

}  // namespace antiphon::api
