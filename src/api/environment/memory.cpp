// Memory: MPI 5.0, 9.2.
#include <charconv>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/environment/memory.hpp"

namespace antiphon::api {

namespace {

constexpr const char* kAlignmentKey = "mpi_minimum_memory_alignment";

}  // namespace

std::size_t wanted_alignment(const objects::Info* info) {
  const std::string* text = info ? info->find(kAlignmentKey) : nullptr;
  if (!text) return 1;
  std::size_t alignment = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), alignment);
  if (error != std::errc() || end != text->data() + text->size() || (alignment & (alignment - 1)) != 0 ||
      alignment == 0)
    base::fail(abi::ERR_INFO_VALUE, fmt::format("info: {}=\"{}\" is not a power of two", kAlignmentKey, *text));
  return alignment;
}

void alloc_mem(Process& process, MPI_Aint size, const objects::Info* info, void* baseptr) {
  check::not_null(baseptr, "baseptr");
  if (size < 0) base::fail(abi::ERR_ARG, fmt::format("size={} is negative (valid: 0 or more bytes)", size));
  void* start = process.allocations().allocate(static_cast<std::size_t>(size), wanted_alignment(info));
  if (!start) base::fail(abi::ERR_NO_MEM, fmt::format("size={}: the system cannot provide {} bytes", size, size));
  *static_cast<void**>(baseptr) = start;
}

void free_mem(Process& process, void* base) {
  using Owner = process::Allocations::Owner;
  const process::Allocations::Piece* piece = process.allocations().find(base);
  if (!piece)
    base::fail(abi::ERR_BASE, fmt::format("base={} is not what MPI_Alloc_mem returned, or was freed before",
                                          base ? fmt::format("{}", base) : "null"));
  if (piece->owner == Owner::window)
    base::fail(abi::ERR_BASE, fmt::format("base={} is memory of a window: MPI_Win_free gives it back", base));
  // Programs free memory and then the window over it, so until then it stays where others may still reach it.
  if (process.one_sided().exposes(base, piece->bytes)) return process.allocations().free_later(base);
  process.allocations().free(base);
}

void free_what_windows_left(Process& process) {
  process.allocations().free_late(
      [&](const void* start, std::size_t bytes) { return process.one_sided().exposes(start, bytes); });
}

}  // namespace antiphon::api
