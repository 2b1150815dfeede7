// The buffer arguments of collectives with a count for each rank, such as MPI_Gatherv: checks them, and makes
// lists of blocks of them.
#pragma once

#include <string>
#include <vector>

#include "api/collectives/blocks.hpp"

namespace antiphon::api {

inline std::string element(const char* array, int index) { return fmt::format("{}[{}]", array, index); }

// Arithmetic on addresses as numbers: MPI_BOTTOM is null.
inline const void* displaced(const void* buffer, MPI_Count number, std::int64_t each) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                       static_cast<std::uintptr_t>(number) * static_cast<std::uintptr_t>(each));
}

// What a rank sends itself has the same length on both sides.
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
inline void check_same(const Amount& given, const Amount& taken) {
  if (given.bytes == taken.bytes) [[likely]]
    return;
  base::fail(given.bytes > taken.bytes ? abi::ERR_TRUNCATE : abi::ERR_COUNT,
             fmt::format("{} are {} bytes, {} are {}: a rank must send itself as much as it receives from itself",
                         given.shown(), given.bytes, taken.shown(), taken.bytes));
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
  [[nodiscard]] coll::BlockList blocks(int number, const objects::Datatype* type) const {
    const objects::Datatype& every = needed(type, type_name);
    return listed(number, every.extent(), [&](int) { return &every; });
  }
  [[nodiscard]] coll::BlockList blocks(Process& process, int number, const MPI_Datatype types[]) const {
    check::array(type_name, types, static_cast<std::size_t>(number));
    return listed(number, 1, [&](int rank) { return type_of(process, types, rank); });
  }
  [[nodiscard]] Amount amount(int rank, const coll::BlockList& mine) const {
    return {counts_name, rank, counts[rank], mine[rank].bytes};
  }

 private:
  template <class TypeOf>
  [[nodiscard]] coll::BlockList listed(int number, std::int64_t unit, TypeOf type_for) const {
    check::array(counts_name, counts.data(), static_cast<std::size_t>(number));
    check::array(displacements_name, displacements.data(), static_cast<std::size_t>(number));
    if (check::in_place(buffer) && number > 0) check::cold::bad_buffer(buffer_name, buffer, counts[0]);
    std::vector<coll::Region> regions;
    regions.reserve(static_cast<std::size_t>(number));
    for (int rank = 0; rank < number; ++rank) {
      const objects::Datatype* type = type_for(rank);
      if (type)
        regions.push_back(block(rank, *type, displaced(buffer, displacements[rank], unit)));
      else
        regions.emplace_back();
    }
    return coll::BlockList(std::move(regions));
  }

  [[nodiscard]] coll::Region block(int rank, const objects::Datatype& type, const void* start) const {
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
    // Null may be MPI_BOTTOM, of which a displacement may make an address.
    if (buffer || !is_address(start)) check::data(buffer_name, buffer, count, type);
    return coll::Region(data::Buffer(start, count, type));
  }

  // Null if nothing is moved and no datatype is given.
  const objects::Datatype* type_of(Process& process, const MPI_Datatype types[], int rank) const {
    const objects::Datatype* found = process.datatypes.find(reinterpret_cast<std::uintptr_t>(types[rank]));
    const bool is_needed = types[rank] != MPI_DATATYPE_NULL || counts[rank] != 0;
    if (!found && is_needed)
      Call::fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, types[rank],
                        element(type_name, rank).c_str());
    return found;
  }
};

inline Varying send_side(const void* buffer, CountArray counts, DisplacementArray displacements,
                         const char* displacements_name, const char* type_name = "sendtype") {
  return {buffer, counts, displacements, "sendbuf", "sendcounts", displacements_name, type_name};
}
inline Varying receive_side(const void* buffer, CountArray counts, DisplacementArray displacements,
                            const char* displacements_name, const char* type_name = "recvtype") {
  return {buffer, counts, displacements, "recvbuf", "recvcounts", displacements_name, type_name};
}

}  // namespace antiphon::api
