// Puts and gets: MPI 5.0, 12.3.
#include <algorithm>

#include "api/call.hpp"
#include "api/check.hpp"
#include "service/win_create.hpp"

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

// Where in memory the data of `count` elements begins and ends, relative to the buffer.
struct Span {
  std::int64_t begin;
  std::int64_t end;
};

[[noreturn, gnu::cold]] void out_of_range(const Window& window, const Target& target, std::uint64_t bytes) {
  base::fail(
      abi::ERR_RMA_RANGE,
      fmt::format("target_disp={} with target_count={} elements of {}: not all of that is in the {} bytes that "
                  "rank {} exposes in {}",
                  target.displacement, target.count, target.type.description(), bytes, target.rank, window.title()));
}

[[noreturn, gnu::cold]] void negative_displacement(MPI_Aint displacement) {
  base::fail(abi::ERR_DISP, fmt::format("target_disp={} is negative: it counts from the beginning of the target's "
                                        "window",
                                        displacement));
}

Span span_of(const Target& target, std::size_t bytes) {
  if (bytes == 0) return {0, 0};
  if (target.type.in_one_piece()) [[likely]]
    return {0, static_cast<std::int64_t>(bytes)};
  std::int64_t last = 0;
  if (__builtin_mul_overflow(target.count - 1, target.type.extent(), &last))
    check::cold::too_large("target_count", target.count, target.type);
  const std::int64_t begin = target.type.true_lb(), end = begin + target.type.true_extent();
  return {std::min(begin, begin + last), std::max(end, end + last)};
}

// What the target's arguments say, checked against what it exposes.
struct Reach {
  rma::RemoteSide remote;
  std::size_t bytes;
  Span span;  // by address at the target
};

Reach reach(Window& window, const Target& target) {
  const std::size_t bytes = check::bytes("target_count", target.count, target.type);
  const Window::Exposed& exposed = window.of(target.rank);
  const bool dynamic = window.flavor() == Window::Flavor::dynamic;
  Span span = span_of(target, bytes);
  std::int64_t offset = target.displacement;
  if (!dynamic) {
    if (target.displacement < 0) [[unlikely]]
      negative_displacement(target.displacement);
    if (__builtin_mul_overflow(target.displacement, exposed.disp_unit, &offset) || offset + span.begin < 0 ||
        static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(span.end) > exposed.bytes) [[unlikely]]
      out_of_range(window, target, exposed.bytes);
    offset += static_cast<std::int64_t>(exposed.address);
  }
  span = {offset + span.begin, offset + span.end};
  rma::RemoteSide remote{static_cast<std::uint64_t>(offset), {}};
  if (!target.type.in_one_piece()) [[unlikely]] {
    const layout::Layout& layout = target.type.layout();
    if (bytes == 0 || layout.contiguous() || (target.count == 1 && layout.one().is_run()))
      remote.address += static_cast<std::uint64_t>(layout.displacement());
    else
      remote.scattered = {&target.type, target.count};
  }
  return {remote, bytes, span};
}

// In this process's memory; null where it is not.
std::byte* here(Process& process, Window& window, const Target& target, const Reach& reach) {
  if (window.flavor() != Window::Flavor::dynamic) [[likely]] {
    std::byte* base = service::find_exposed(process.window_memory(), window, target.rank);
    return base ? base + (reach.remote.address - window.of(target.rank).address) : nullptr;
  }
  if (target.rank != window.comm().rank()) return nullptr;
  if (!window.is_attached(static_cast<std::uint64_t>(reach.span.begin),
                          static_cast<std::uint64_t>(reach.span.end - reach.span.begin)))
    base::fail(abi::ERR_RMA_RANGE,
               fmt::format("target_disp={}: not all of the data there is in memory that is attached to {}",
                           target.displacement, window.title()));
  return reinterpret_cast<std::byte*>(reach.remote.address);
}

[[noreturn, gnu::cold]] void does_not_fit(const char* from, std::size_t bytes, const char* to, std::size_t room) {
  base::fail(abi::ERR_TRUNCATE,
             fmt::format("{} bytes of the {} do not fit: the {}'s arguments hold {} bytes", bytes, from, to, room));
}

void begin(Process& process, Transfer::Kind kind, const Origin& origin, const Target& target, Window& window) {
  check::target("target_rank", target.rank, window);
  const check::Message local =
      check::message("origin_addr", origin.address, "origin_count", origin.count, origin.type);
  if (target.rank == abi::PROC_NULL) return;
  const Reach remote = reach(window, target);
  const bool is_put = kind == Transfer::Kind::put;
  const std::size_t bytes = is_put ? local.bytes : remote.bytes;
  if (is_put && bytes > remote.bytes) does_not_fit("origin", bytes, "target", remote.bytes);
  if (!is_put && bytes > local.bytes) does_not_fit("target", bytes, "origin", local.bytes);
  rma::ActiveTarget::need_access(window, target.rank);
  process.one_sided().begin(window,
                            {.kind = kind,
                             .target = target.rank,
                             .local = {local.buffer, local.scattered},
                             .remote = remote.remote,
                             .bytes = bytes},
                            here(process, window, target, remote));
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
