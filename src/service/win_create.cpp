#include "service/win_create.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "service/comm_create.hpp"

namespace antiphon::service {

namespace {

using Exposed = Window::Exposed;
using Flavor = Window::Flavor;

// Memory that goes back unless the window comes to be.
struct GiveBack {
  WindowMemory* memory;
  void operator()(void* start) const { memory->free(start); }
};
using Piece = std::unique_ptr<void, GiveBack>;

Piece allocate(WindowMemory& memory, std::uint64_t bytes, std::size_t alignment, WindowMemory::Visible visible) {
  return {memory.allocate(bytes, alignment, visible), GiveBack{&memory}};
}

std::uint64_t address_of(const void* start) { return reinterpret_cast<std::uintptr_t>(start); }

// What a member tells the others about its part.
struct Announcement {
  std::uint64_t address;
  std::uint64_t bytes;
  std::int64_t disp_unit;
  std::int32_t contiguous;
  std::int32_t failed;
};

Announcement announcement(const void* start, const WindowOptions& options, bool failed = false) {
  return {address_of(start), options.bytes, options.disp_unit, options.contiguous ? 1 : 0, failed ? 1 : 0};
}

std::vector<Announcement> exchange(Toolbox tools, Comm& comm, const Announcement& mine) {
  std::vector<Announcement> all(static_cast<std::size_t>(comm.size()));
  tools.coll.allgather(&mine, all.data(), sizeof mine, comm);
  return all;
}

void need_all(const std::vector<Announcement>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank].failed != 0)
      base::fail(abi::ERR_NO_MEM, fmt::format("size={} on rank {}: the system has no {} bytes to give",
                                              all[rank].bytes, rank, all[rank].bytes));
}

// The same question to everybody; true if all say yes.
bool everybody(Toolbox tools, Comm& comm, bool yes) {
  const std::uint8_t mine = yes ? 1 : 0;
  std::vector<std::uint8_t> all(static_cast<std::size_t>(comm.size()));
  tools.coll.allgather(&mine, all.data(), sizeof mine, comm);
  return std::ranges::find(all, 0) == all.end();
}

std::vector<Exposed> exposed(const std::vector<Announcement>& all, const Comm& comm, void* mine) {
  std::vector<Exposed> made;
  made.reserve(all.size());
  for (const Announcement& each : all)
    made.push_back({.address = each.address,
                    .bytes = each.bytes,
                    .disp_unit = each.disp_unit,
                    .home = static_cast<std::int32_t>(made.size())});
  Exposed& own = made[static_cast<std::size_t>(comm.rank())];
  own.looked_for = true;
  own.here = static_cast<std::byte*>(mine);
  return made;
}

Ref<Comm> hidden_comm(Toolbox tools, Comm& parent) {
  return comm_of_members(tools, parent, parent.group_ref(), "window");
}

Ref<Window> window(Flavor flavor, Ref<Comm> comm, const Comm& parent, std::vector<Exposed> exposed,
                   const WindowOptions& options, void* allocated = nullptr) {
  return Ref<Window>::adopt(new Window({.flavor = flavor,
                                        .comm = std::move(comm),
                                        .exposed = std::move(exposed),
                                        .allocated = allocated,
                                        .errhandler = options.errhandler,
                                        .maker = parent.naming()}));
}

[[noreturn]] void cannot_share(const Comm& comm) {
  base::fail(abi::ERR_RMA_SHARED,
             fmt::format("the processes of {} have no memory that all of them can see: is the size of files or of "
                         "address spaces limited (ulimit -f, ulimit -v)?",
                         comm.name()));
}

Piece allocate_shared(WindowMemory& memory, const Comm& comm, std::uint64_t bytes, std::size_t alignment) {
  const bool alone = comm.size() == 1;
  return allocate(memory, bytes, alignment,
                  alone ? WindowMemory::Visible::where_possible : WindowMemory::Visible::always);
}

// One piece, of rank 0, in which everybody has a part.
struct Placement {
  std::uint64_t address;
  std::int32_t failed;
};

std::vector<Exposed> place_contiguously(Toolbox tools, WindowMemory& memory, Comm& comm, const WindowOptions& options,
                                        const std::vector<Announcement>& all, Piece* piece) {
  std::uint64_t total = 0;
  for (const Announcement& each : all)
    if (__builtin_add_overflow(total, each.bytes, &total)) total = UINT64_MAX;
  Placement placement{};
  if (comm.rank() == 0) {
    *piece = allocate_shared(memory, comm, total, options.alignment);
    placement = {address_of(piece->get()), *piece ? 0 : 1};
  }
  tools.coll.bcast(&placement, sizeof placement, 0, comm);
  if (placement.failed != 0)
    base::fail(abi::ERR_NO_MEM,
               fmt::format("the system has no {} bytes to give, which is what all ranks of {} ask for "
                           "together",
                           total, comm.name()));
  std::vector<Exposed> made;
  std::uint64_t address = placement.address;
  for (const Announcement& each : all) {
    made.push_back({.address = address, .bytes = each.bytes, .disp_unit = each.disp_unit});
    address += each.bytes;
  }
  return made;
}

std::vector<Exposed> place_separately(Toolbox tools, WindowMemory& memory, Comm& comm, const WindowOptions& options,
                                      Piece* piece) {
  if (options.bytes != 0) *piece = allocate_shared(memory, comm, options.bytes, options.alignment);
  const auto all = exchange(tools, comm, announcement(piece->get(), options, options.bytes != 0 && !*piece));
  need_all(all);
  return exposed(all, comm, piece->get());
}

}  // namespace

Ref<Window> win_create(Toolbox tools, Comm& parent, void* base, const WindowOptions& options) {
  Ref<Comm> comm = hidden_comm(tools, parent);
  const auto all = exchange(tools, *comm, announcement(base, options));
  auto parts = exposed(all, *comm, base);
  return window(Flavor::create, std::move(comm), parent, std::move(parts), options);
}

Ref<Window> win_create_dynamic(Toolbox tools, Comm& parent, const WindowOptions& options) {
  Ref<Comm> comm = hidden_comm(tools, parent);
  std::vector<Exposed> parts(static_cast<std::size_t>(comm->size()), Exposed{.looked_for = true});
  return window(Flavor::dynamic, std::move(comm), parent, std::move(parts), options);
}

Ref<Window> win_allocate(Toolbox tools, WindowMemory& memory, Comm& parent, const WindowOptions& options) {
  Ref<Comm> comm = hidden_comm(tools, parent);
  Piece piece = allocate(memory, options.bytes, options.alignment, WindowMemory::Visible::where_possible);
  const auto all = exchange(tools, *comm, announcement(piece.get(), options, !piece));
  need_all(all);
  auto parts = exposed(all, *comm, piece.get());
  Ref<Window> made = window(Flavor::allocate, std::move(comm), parent, std::move(parts), options, piece.get());
  (void)piece.release();
  return made;
}

Ref<Window> win_allocate_shared(Toolbox tools, WindowMemory& memory, Comm& parent, const WindowOptions& options) {
  Ref<Comm> comm = hidden_comm(tools, parent);
  const auto all = exchange(tools, *comm, announcement(nullptr, options));
  if (comm->size() > 1 && !memory.can_share()) cannot_share(parent);
  Piece piece{nullptr, GiveBack{&memory}};
  auto parts = all.front().contiguous != 0 ? place_contiguously(tools, memory, *comm, options, all, &piece)
                                           : place_separately(tools, memory, *comm, options, &piece);
  Ref<Window> made = window(Flavor::shared, comm, parent, std::move(parts), options, piece.get());
  bool found_all = true;
  for (int rank = 0; rank < comm->size(); ++rank)
    found_all &= find_exposed(memory, *made, rank) != nullptr || made->of(rank).bytes == 0;
  if (!everybody(tools, *comm, found_all)) cannot_share(parent);
  (void)piece.release();
  return made;
}

std::byte* find_exposed(WindowMemory& memory, Window& window, int rank) {
  Exposed& part = window.of(rank);
  if (!part.looked_for) {
    part.looked_for = true;
    part.here = memory.find(window.comm().world_rank(part.home), part.address, part.bytes);
  }
  return part.here;
}

void win_free(Toolbox tools, WindowMemory& memory, Window& window) {
  tools.coll.barrier(window.comm());
  if (window.allocated()) memory.free(window.allocated());
}

}  // namespace antiphon::service
