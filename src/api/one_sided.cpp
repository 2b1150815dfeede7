// Puts and gets: MPI 5.0, 12.3.
#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Window;
using rma::Transfer;

namespace {

struct Origin {
  const void* address;
  MPI_Count count;
  const Datatype& type;
};
struct Target {
  int rank;
  MPI_Aint displacement;
  MPI_Count count;
  const Datatype& type;
};

[[noreturn, gnu::cold]] void does_not_fit(const char* from, std::size_t bytes, const char* to, std::size_t room) {
  base::fail(abi::ERR_TRUNCATE,
             fmt::format("{} bytes of the {} do not fit: the {}'s arguments hold {} bytes", bytes, from, to, room));
}

void begin(Process& process, Transfer::Kind kind, const Origin& origin, const Target& target, Window& window) {
  check::target("target_rank", target.rank, window);
  const check::Message local =
      check::message("origin_addr", origin.address, "origin_count", origin.count, origin.type);
  if (target.rank == abi::PROC_NULL) return;
  const std::size_t there = check::bytes("target_count", target.count, target.type);
  const bool is_put = kind == Transfer::Kind::put;
  const std::size_t bytes = is_put ? local.bytes : there;
  if (is_put && bytes > there) does_not_fit("origin", bytes, "target", there);
  if (!is_put && bytes > local.bytes) does_not_fit("target", bytes, "origin", local.bytes);
  process.one_sided().begin(window.state(), kind, {local.buffer, local.scattered},
                            {.target = target.rank,
                             .displacement = target.displacement,
                             .count = target.count,
                             .type = target.type,
                             .bytes = there},
                            bytes);
}

}  // namespace

void put(Process& process, const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
         int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype,
         Window& win) {
  begin(process, Transfer::Kind::put, {origin_addr, origin_count, origin_datatype},
        {target_rank, target_disp, target_count, target_datatype}, win);
}

void get(Process& process, void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
         int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype,
         Window& win) {
  begin(process, Transfer::Kind::get, {origin_addr, origin_count, origin_datatype},
        {target_rank, target_disp, target_count, target_datatype}, win);
}

}  // namespace antiphon::api
