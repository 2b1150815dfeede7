// Windows: MPI 5.0, 12.2.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/environment/memory.hpp"
#include "api/handles.hpp"
#include "api/windows/win_hints.hpp"
#include "service/win_create.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Info;
using objects::Ref;
using objects::Window;
using service::WindowOptions;

namespace {

void check_size(MPI_Aint size) {
  if (size < 0) base::fail(abi::ERR_SIZE, fmt::format("size={} is negative (valid: 0 or more bytes)", size));
}

void check_unit(MPI_Aint disp_unit) {
  if (disp_unit <= 0)
    base::fail(abi::ERR_DISP, fmt::format("disp_unit={} is not positive (valid: 1 or more bytes)", disp_unit));
}

void need_flavor(const Window& window, bool right, const char* makers) {
  if (!right) base::fail(abi::ERR_RMA_FLAVOR, fmt::format("{} was not made by {}", window.title(), makers));
}

void need_memory(const void* base, MPI_Aint size) {
  if (size > 0 && !is_address(base))
    base::fail(abi::ERR_BASE, fmt::format("base is {}, but {} bytes from there are to be exposed: pass their address",
                                          check::shown(base), size));
}

// Everything about a window but its memory; its errors are fatal until the user says otherwise (MPI 5.0, 9.3).
WindowOptions options(Process& process, MPI_Aint size, MPI_Aint disp_unit, const Info* info) {
  const auto fatal = process.anytime().find_errhandler(abi::ERRORS_ARE_FATAL);
  WindowOptions made{.bytes = static_cast<std::uint64_t>(size),
                     .disp_unit = disp_unit,
                     .errhandler = Ref<objects::Errhandler>::share(*fatal)};
  take_wishes(info, &made);
  return made;
}

void hand_out(Process& process, Ref<Window> made, const Info* info, MPI_Win* win) {
  take_first_hints(*made, info);
  *win = reinterpret_cast<MPI_Win>(process.windows.insert(std::move(made)));
}

void check_new(MPI_Aint size, MPI_Aint disp_unit, const Comm& comm, MPI_Win* win) {
  check::not_null(win, "win");
  *win = MPI_WIN_NULL;
  check_size(size);
  check_unit(disp_unit);
  check::intracommunicator("comm", comm);
}

using Allocator = Ref<Window>(const service::WindowTools&, Comm&, const WindowOptions&);

void allocate(Process& process, Allocator* make, MPI_Aint size, MPI_Aint disp_unit, const Info* info, Comm& comm,
              void* baseptr, MPI_Win* win) {
  check_new(size, disp_unit, comm, win);
  check::not_null(baseptr, "baseptr");
  WindowOptions wanted = options(process, size, disp_unit, info);
  wanted.alignment = wanted_alignment(info);
  Ref<Window> made = make(process.window_tools(), comm, wanted);
  *static_cast<void**>(baseptr) = made->mine().base;
  hand_out(process, std::move(made), info, win);
}

// The lowest rank that has memory which this process can use (MPI 5.0, 12.2.3); else any will do.
int lowest_with_memory(Process& process, Window& window) {
  rma::WindowState& state = window.state();
  for (int rank = 0; rank < state.size(); ++rank)
    if (state.of(rank).exposed.bytes > 0 && process.one_sided().find(state, rank).here) return rank;
  return window.comm().rank();
}

}  // namespace

void win_create(Process& process, void* base, MPI_Aint size, MPI_Aint disp_unit, const Info* info, Comm& comm,
                MPI_Win* win) {
  check_new(size, disp_unit, comm, win);
  need_memory(base, size);
  hand_out(process, service::win_create(process.window_tools(), comm, base, options(process, size, disp_unit, info)),
           info, win);
}

void win_allocate(Process& process, MPI_Aint size, MPI_Aint disp_unit, const Info* info, Comm& comm, void* baseptr,
                  MPI_Win* win) {
  allocate(process, service::win_allocate, size, disp_unit, info, comm, baseptr, win);
}

void win_allocate_shared(Process& process, MPI_Aint size, MPI_Aint disp_unit, const Info* info, Comm& comm,
                         void* baseptr, MPI_Win* win) {
  allocate(process, service::win_allocate_shared, size, disp_unit, info, comm, baseptr, win);
}

void win_create_dynamic(Process& process, const Info* info, Comm& comm, MPI_Win* win) {
  check_new(0, 1, comm, win);
  hand_out(process, service::win_create_dynamic(process.window_tools(), comm, options(process, 0, 1, info)), info,
           win);
}

void win_shared_query(Process& process, Window& win, int rank, MPI_Aint* size, MPI_Aint* disp_unit, void* baseptr) {
  check::not_null(size, "size");
  check::not_null(disp_unit, "disp_unit");
  check::not_null(baseptr, "baseptr");
  need_flavor(win, win.flavor() != Window::Flavor::dynamic,
              "MPI_Win_create, MPI_Win_allocate or MPI_Win_allocate_shared");
  check::target("rank", rank, win);
  if (rank == abi::PROC_NULL) rank = lowest_with_memory(process, win);
  std::byte* here = process.one_sided().find(win.state(), rank).here;
  const rma::Exposed& exposed = win.state().of(rank).exposed;
  *size = here ? static_cast<MPI_Aint>(exposed.bytes) : 0;
  *disp_unit = exposed.disp_unit;
  *static_cast<void**>(baseptr) = here;
}

void win_attach(Process&, Window& win, void* base, MPI_Aint size) {
  need_flavor(win, win.flavor() == Window::Flavor::dynamic, "MPI_Win_create_dynamic");
  check_size(size);
  need_memory(base, size);
  win.attach(base, static_cast<std::size_t>(size));
  win.state().tell_attached();
}

void win_detach(Process& process, Window& win, const void* base) {
  need_flavor(win, win.flavor() == Window::Flavor::dynamic, "MPI_Win_create_dynamic");
  if (!win.detach(base))
    base::fail(abi::ERR_BASE,
               fmt::format("base={} is not the start of memory that is attached to {}",
                           is_address(base) ? fmt::format("{}", base) : check::shown(base), win.title()));
  win.state().tell_attached();
  free_what_windows_left(process);
}

void win_get_group(Process& process, Window& win, MPI_Group* group) {
  check::not_null(group, "group");
  *group = group_handle(process, win.comm().group_ref());
}

void win_free(Process& process, MPI_Win* win) {
  check::not_null(win, "win");
  const auto value = reinterpret_cast<std::uintptr_t>(*win);
  Window* found = process.windows.find(value);
  if (!found) Call::fail_handle(abi::ERR_WIN, "window", "MPI_WIN_NULL", abi::WIN_NULL, *win, "win");
  const auto alive = Ref<Window>::share(*found);
  try {
    alive->state().may_end();
    alive->attributes().clear(value);
    service::win_free(process.window_tools(), *alive);
    free_what_windows_left(process);
  } catch (base::Error& error) {
    throw OperationError{std::move(error), alive};
  }
  (void)process.windows.erase(value);
  *win = MPI_WIN_NULL;
}

}  // namespace antiphon::api
