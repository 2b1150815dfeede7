#include "service/win_create.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "service/comm_create.hpp"

namespace antiphon::service {

namespace {

using rma::Exposed;
using Flavor = Window::Flavor;

// Memory that goes back unless the window comes to be.
struct GiveBack {
  WindowAllocator* memory;
  void operator()(void* start) const { memory->free_of_window(start); }
};
using Piece = std::unique_ptr<void, GiveBack>;

Piece allocate(WindowAllocator& memory, std::uint64_t bytes, std::size_t alignment,
               WindowAllocator::Visible visible) {
  return {memory.allocate_for_window(bytes, alignment, visible), GiveBack{&memory}};
}

std::uint64_t address_of(const void* start) { return reinterpret_cast<std::uintptr_t>(start); }

// The words that a member keeps for the others. None, where there is no memory: then it keeps them for itself.
Piece allocate_control(WindowAllocator& memory, const Comm& comm, const WindowOptions& options) {
  const std::size_t bytes = rma::Control::bytes(comm.size());
  Piece control = allocate(memory, bytes, rma::Control::kAlignment, WindowAllocator::Visible::where_possible);
  if (!control) return control;
  std::memset(control.get(), 0, bytes);
  rma::Control::decide(static_cast<std::byte*>(control.get()), options.accumulate_granularity);
  return control;
}

// What a member tells the others about its part.
struct Announcement {
  std::uint64_t address;
  std::uint64_t bytes;
  std::int64_t disp_unit;
  std::uint64_t control;
  // Answers, 0 or 1; as many bytes as leave no gap.
  std::uint16_t contiguous;
  std::uint16_t same_size;
  std::uint16_t same_disp_unit;
  std::uint16_t failed;
};

Announcement announcement(const void* start, const WindowOptions& options, const Piece& control,
                          bool failed = false) {
  return {.address = address_of(start),
          .bytes = options.bytes,
          .disp_unit = options.disp_unit,
          .control = address_of(control.get()),
          .contiguous = options.contiguous,
          .same_size = options.same_size,
          .same_disp_unit = options.same_disp_unit,
          .failed = failed};
}

// What is promised by anybody; all find the same.
void need_same(const std::vector<Announcement>& all) {
  const bool same_size = std::ranges::any_of(all, &Announcement::same_size);
  const bool same_disp_unit = std::ranges::any_of(all, &Announcement::same_disp_unit);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (same_size && all[rank].bytes != all[0].bytes)
      base::fail(abi::ERR_SIZE, fmt::format("size={} on rank {}, but {} on rank 0: the hint same_size is true",
                                            all[rank].bytes, rank, all[0].bytes));
    if (same_disp_unit && all[rank].disp_unit != all[0].disp_unit)
      base::fail(abi::ERR_DISP,
                 fmt::format("disp_unit={} on rank {}, but {} on rank 0: the hint same_disp_unit is true",
                             all[rank].disp_unit, rank, all[0].disp_unit));
  }
}

std::vector<Announcement> exchange(Toolbox tools, Comm& comm, const Announcement& mine) {
  std::vector<Announcement> all(static_cast<std::size_t>(comm.size()));
  tools.coll.allgather(&mine, all.data(), sizeof mine, comm);
  need_same(all);
  return all;
}

void need_all(const std::vector<Announcement>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank].failed != 0)
      base::fail(abi::ERR_NO_MEM, fmt::format("size={} on rank {}: the system cannot provide {} bytes",
                                              all[rank].bytes, rank, all[rank].bytes));
}

// Whether all processes say yes.
bool everybody(Toolbox tools, Comm& comm, bool yes) {
  const std::uint8_t mine = yes ? 1 : 0;
  std::vector<std::uint8_t> all(static_cast<std::size_t>(comm.size()));
  tools.coll.allgather(&mine, all.data(), sizeof mine, comm);
  return std::ranges::find(all, 0) == all.end();
}

std::vector<Exposed> exposed(const std::vector<Announcement>& all) {
  std::vector<Exposed> made;
  made.reserve(all.size());
  for (const Announcement& each : all)
    made.push_back({.address = each.address,
                    .bytes = each.bytes,
                    .disp_unit = each.disp_unit,
                    .home = static_cast<std::int32_t>(made.size()),
                    .control = each.control});
  return made;
}

Ref<Comm> hidden_comm(Toolbox tools, Comm& parent) {
  return comm_of_members(tools, parent, parent.group_ref(), "window");
}

Ref<Window> window(const WindowTools& with, Flavor flavor, const Ref<Comm>& comm, const Comm& parent,
                   const std::vector<Exposed>& parts, const WindowOptions& options, Piece control, void* base,
                   void* allocated = nullptr) {
  auto made =
      Ref<Window>::adopt(new Window({.flavor = flavor,
                                     .comm = comm,
                                     .mine = {.base = base, .bytes = options.bytes, .disp_unit = options.disp_unit},
                                     .allocated = allocated,
                                     .errhandler = options.errhandler,
                                     .maker = parent.naming()}));
  with.one_sided.admit(made, parts, options.accumulate_granularity);
  (void)control.release();  // win_free() finds it
  return made;
}

void forget(const WindowTools& with, Window& window) {
  const rma::WindowState& state = window.state();
  const std::uint64_t control = state.of(state.rank()).exposed.control;
  if (control != 0) with.memory.free_of_window(reinterpret_cast<void*>(control));
  with.one_sided.dismiss(window);
}

// Nobody may ask for something here before this process knows the window.
Ref<Window> when_all_know(const WindowTools& with, Ref<Window> made) {
  with.tools.coll.barrier(made->comm());
  return made;
}

[[noreturn]] void cannot_share(const Comm& comm) {
  base::fail(abi::ERR_RMA_SHARED, fmt::format("the processes of {} cannot share memory: is the size of files or of "
                                              "address spaces limited (ulimit -f, ulimit -v)?",
                                              comm.name()));
}

// Everybody finds the same, without asking anybody.
void need_one_node(const bootstrap::ProcessTable& processes, const Comm& comm) {
  const int first = processes.node(comm.world_rank(0));
  std::string elsewhere;
  int count = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int node = processes.node(comm.world_rank(rank));
    if (node == first) continue;
    constexpr int kNamed = 8;
    if (++count <= kNamed) elsewhere += fmt::format("{}rank {} on node {}", count == 1 ? "" : ", ", rank, node);
    if (count == kNamed + 1) elsewhere += " and others elsewhere";
  }
  if (count != 0)
    base::fail(abi::ERR_RMA_SHARED,
               fmt::format("the processes of {} run on several nodes, which do not share memory: rank 0 on node "
                           "{}, {}; MPI_Comm_split_type with MPI_COMM_TYPE_SHARED makes a communicator of each node",
                           comm.name(), first, elsewhere));
}

Piece allocate_shared(WindowAllocator& memory, const Comm& comm, std::uint64_t bytes, std::size_t alignment) {
  const bool alone = comm.size() == 1;
  return allocate(memory, bytes, alignment,
                  alone ? WindowAllocator::Visible::where_possible : WindowAllocator::Visible::always);
}

// One piece, of rank 0, in which everybody has a part.
struct Placement {
  std::uint64_t address;
  std::int32_t failed;
};

std::vector<Exposed> place_contiguously(Toolbox tools, WindowAllocator& memory, Comm& comm,
                                        const WindowOptions& options, const std::vector<Announcement>& all,
                                        Piece* piece) {
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
               fmt::format("the system cannot provide the {} bytes that all ranks of {} ask for together", total,
                           comm.name()));
  std::vector<Exposed> made;
  std::uint64_t address = placement.address;
  for (const Announcement& each : all) {
    made.push_back({.address = address, .bytes = each.bytes, .disp_unit = each.disp_unit, .control = each.control});
    address += each.bytes;
  }
  return made;
}

std::vector<Exposed> place_separately(Toolbox tools, WindowAllocator& memory, Comm& comm,
                                      const WindowOptions& options, const Piece& control, Piece* piece) {
  if (options.bytes != 0) *piece = allocate_shared(memory, comm, options.bytes, options.alignment);
  const auto all = exchange(tools, comm, announcement(piece->get(), options, control, options.bytes != 0 && !*piece));
  need_all(all);
  return exposed(all);
}

}  // namespace

Ref<Window> win_create(const WindowTools& with, Comm& parent, void* base, const WindowOptions& options) {
  const Ref<Comm> comm = hidden_comm(with.tools, parent);
  Piece control = allocate_control(with.memory, *comm, options);
  const auto all = exchange(with.tools, *comm, announcement(base, options, control));
  return when_all_know(with,
                       window(with, Flavor::create, comm, parent, exposed(all), options, std::move(control), base));
}

// Displacements are addresses.
Ref<Window> win_create_dynamic(const WindowTools& with, Comm& parent, const WindowOptions& options) {
  const Ref<Comm> comm = hidden_comm(with.tools, parent);
  Piece control = allocate_control(with.memory, *comm, options);
  auto parts = exposed(exchange(with.tools, *comm, announcement(nullptr, options, control)));
  for (Exposed& part : parts) part.bytes = INT64_MAX;
  return when_all_know(with,
                       window(with, Flavor::dynamic, comm, parent, parts, options, std::move(control), nullptr));
}

Ref<Window> win_allocate(const WindowTools& with, Comm& parent, const WindowOptions& options) {
  const Ref<Comm> comm = hidden_comm(with.tools, parent);
  Piece piece = allocate(with.memory, options.bytes, options.alignment, WindowAllocator::Visible::where_possible);
  Piece control = allocate_control(with.memory, *comm, options);
  const auto all = exchange(with.tools, *comm, announcement(piece.get(), options, control, !piece));
  need_all(all);
  Ref<Window> made = window(with, Flavor::allocate, comm, parent, exposed(all), options, std::move(control),
                            piece.get(), piece.get());
  (void)piece.release();
  return when_all_know(with, std::move(made));
}

Ref<Window> win_allocate_shared(const WindowTools& with, Comm& parent, const WindowOptions& options) {
  need_one_node(with.tools.processes, parent);
  const Ref<Comm> comm = hidden_comm(with.tools, parent);
  Piece control = allocate_control(with.memory, *comm, options);
  const auto all = exchange(with.tools, *comm, announcement(nullptr, options, control));
  if (comm->size() > 1 && !with.memory.can_share()) cannot_share(parent);
  Piece piece{nullptr, GiveBack{&with.memory}};
  const auto parts = all.front().contiguous != 0
                         ? place_contiguously(with.tools, with.memory, *comm, options, all, &piece)
                         : place_separately(with.tools, with.memory, *comm, options, control, &piece);
  Ref<Window> made =
      window(with, Flavor::shared, comm, parent, parts, options, std::move(control), nullptr, piece.get());
  rma::WindowState& state = made->state();
  bool found_all = true;
  for (int rank = 0; rank < comm->size(); ++rank)
    found_all &= with.one_sided.find(state, rank).here != nullptr || state.of(rank).exposed.bytes == 0;
  made->set_base(state.of(comm->rank()).here);
  if (!everybody(with.tools, *comm, found_all)) {
    forget(with, *made);
    cannot_share(parent);
  }
  (void)piece.release();
  return made;
}

Ref<Window> win_of_words(const WindowTools& with, const Ref<Comm>& comm, std::uint64_t bytes) {
  const WindowOptions options{.bytes = comm->rank() == 0 ? bytes : 0, .errhandler = comm->errhandler_ref()};
  Piece piece =
      allocate(with.memory, options.bytes, rma::Control::kAlignment, WindowAllocator::Visible::where_possible);
  if (options.bytes != 0 && piece) std::memset(piece.get(), 0, options.bytes);
  Piece control = options.bytes != 0 ? allocate_control(with.memory, *comm, options) : Piece{nullptr, GiveBack{}};
  const bool failed = options.bytes != 0 && !piece;
  const auto all = exchange(with.tools, *comm, announcement(piece.get(), options, control, failed));
  need_all(all);
  Ref<Window> made = window(with, Flavor::allocate, comm, *comm, exposed(all), options, std::move(control),
                            piece.get(), piece.get());
  (void)piece.release();
  return made;
}

void win_of_words_free(const WindowTools& with, Window& window) {
  if (window.allocated()) with.memory.free_of_window(window.allocated());
  forget(with, window);
}

void win_free(const WindowTools& with, Window& window) {
  with.tools.coll.barrier(window.comm());
  win_of_words_free(with, window);
}

}  // namespace antiphon::service
