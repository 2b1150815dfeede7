// Cartesian topologies: MPI 5.0, 8.5.1, 8.5.2, 8.5.5 to 8.5.8.
#include <algorithm>

#include "api/comms/topologies.hpp"
#include "api/handles.hpp"
#include "objects/dims.hpp"
#include "objects/group_operations.hpp"
#include "service/comm_create.hpp"

namespace antiphon::api {

using objects::Cart;
using objects::Comm;
using objects::Group;
using objects::Ref;
using objects::Topology;

namespace {

// A grid that has room in a communicator of `processes`.
Cart checked_grid(int ndims, const int dims[], const int periods[], int processes) {
  if (ndims < 0) check::cold::bad_count("ndims", ndims);
  check::array("dims", dims, "ndims", ndims, static_cast<std::size_t>(ndims));
  check::array("periods", periods, "ndims", ndims, static_cast<std::size_t>(ndims));
  Cart grid;
  int size = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] <= 0)
      base::fail(abi::ERR_DIMS,
                 fmt::format("dims[{}]={} is not valid: each dimension needs 1 or more processes", i, dims[i]));
    if (__builtin_mul_overflow(size, dims[i], &size) || size > processes)
      base::fail(abi::ERR_DIMS, fmt::format("dims[0] to dims[{}] make a grid of more than the {} processes that the "
                                            "communicator has",
                                            i, processes));
    grid.dims.push_back(dims[i]);
    grid.periodic.push_back(periods[i] != 0);
  }
  return grid;
}

// Wraps coordinates around where the grid does.
std::vector<int> checked_coords(const Cart& grid, const int coords[]) {
  if (!grid.dims.empty()) check::not_null(coords, "coords");
  std::vector<int> inside(grid.dims.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const int extent = grid.dims[i];
    inside[i] = coords[i];
    if (grid.periodic[i])
      inside[i] = (coords[i] % extent + extent) % extent;
    else if (coords[i] < 0 || coords[i] >= extent)
      base::fail(abi::ERR_ARG, fmt::format("coords[{}]={} is outside of the grid (valid: 0 to {}), in a dimension "
                                           "that is not periodic",
                                           i, coords[i], extent - 1));
  }
  return inside;
}

Ref<Topology> topology_of(Cart grid) { return Ref<Topology>::adopt(new Topology(std::move(grid))); }

Ref<Group> first_of(const Comm& comm, int count) {
  if (count == comm.size()) return comm.group_ref();
  const objects::RankRange range{.first = 0, .count = count, .stride = 1};
  return objects::group_include(comm.group(), std::span(&range, 1));
}

}  // namespace

void cart_create(Process& process, Comm& comm_old, int ndims, const int dims[], const int periods[], int,
                 MPI_Comm* comm_cart) {
  check::not_null(comm_cart, "comm_cart");
  *comm_cart = MPI_COMM_NULL;
  check::intracommunicator("comm_old", comm_old);
  Cart grid = checked_grid(ndims, dims, periods, comm_old.size());
  const Ref<Group> group = first_of(comm_old, grid.size());
  *comm_cart = comm_handle(
      process, service::comm_of_members(process.toolbox(), comm_old, group, "grid", topology_of(std::move(grid))));
}

void cartdim_get(Process&, Comm& comm, int* ndims) {
  check::not_null(ndims, "ndims");
  *ndims = static_cast<int>(check::cart(comm).dims.size());
}

void cart_get(Process&, Comm& comm, int maxdims, int dims[], int periods[], int coords[]) {
  const Cart& grid = check::cart(comm);
  check::array("dims", dims, "maxdims", maxdims, grid.dims.size());
  check::array("periods", periods, "maxdims", maxdims, grid.dims.size());
  check::array("coords", coords, "maxdims", maxdims, grid.dims.size());
  std::ranges::copy(grid.dims, dims);
  std::ranges::copy(grid.periodic, periods);
  std::ranges::copy(grid.coords_of(comm.rank()), coords);
}

void cart_rank(Process&, Comm& comm, const int coords[], int* rank) {
  check::not_null(rank, "rank");
  const Cart& grid = check::cart(comm);
  *rank = grid.rank_of(checked_coords(grid, coords));
}

void cart_coords(Process&, Comm& comm, int rank, int maxdims, int coords[]) {
  const Cart& grid = check::cart(comm);
  check::member("rank", rank, comm);
  check::array("coords", coords, "maxdims", maxdims, grid.dims.size());
  std::ranges::copy(grid.coords_of(rank), coords);
}

void cart_shift(Process&, Comm& comm, int direction, int disp, int* rank_source, int* rank_dest) {
  check::not_null(rank_source, "rank_source");
  check::not_null(rank_dest, "rank_dest");
  const Cart& grid = check::cart(comm);
  if (direction < 0 || direction >= static_cast<int>(grid.dims.size()))
    base::fail(abi::ERR_ARG, fmt::format("direction={} is not valid: the grid has {} dimensions, counted from 0",
                                         direction, grid.dims.size()));
  *rank_source = grid.neighbor(comm.rank(), direction, -long{disp});
  *rank_dest = grid.neighbor(comm.rank(), direction, disp);
}

// The processes that share our coordinates in the dimensions that go. Everybody can tell who they are.
void cart_sub(Process& process, Comm& comm, const int remain_dims[], MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  const Cart& grid = check::cart(comm);
  if (!grid.dims.empty()) check::not_null(remain_dims, "remain_dims");

  Cart part;
  std::vector<int> coords = grid.coords_of(comm.rank());
  for (std::size_t i = 0; i < grid.dims.size(); ++i) {
    if (!remain_dims[i]) continue;
    part.dims.push_back(grid.dims[i]);
    part.periodic.push_back(grid.periodic[i]);
  }
  std::vector<int> members(static_cast<std::size_t>(part.size()));
  for (std::size_t member = 0; member < members.size(); ++member) {
    const std::vector<int> place = part.coords_of(static_cast<int>(member));
    auto next = place.begin();
    for (std::size_t i = 0; i < grid.dims.size(); ++i)
      if (remain_dims[i]) coords[i] = *next++;
    members[member] = grid.rank_of(coords);
  }
  const Ref<Group> group = objects::group_include(comm.group(), members);
  *newcomm = comm_handle(process, service::comm_of_members(process.toolbox(), comm, group, "part of the grid",
                                                           topology_of(std::move(part))));
}

// Ranks are not moved: on one node every neighbour is equally near.
void cart_map(Process&, Comm& comm, int ndims, const int dims[], const int periods[], int* newrank) {
  check::not_null(newrank, "newrank");
  const Cart grid = checked_grid(ndims, dims, periods, comm.size());
  *newrank = comm.rank() < grid.size() ? comm.rank() : abi::UNDEFINED;
}

void dims_create(Process&, int nnodes, int ndims, int dims[]) {
  if (nnodes <= 0) base::fail(abi::ERR_ARG, fmt::format("nnodes={} is not valid (valid: 1 or more)", nnodes));
  if (ndims < 0) check::cold::bad_count("ndims", ndims);
  check::array("dims", dims, "ndims", ndims, static_cast<std::size_t>(ndims));
  long given = 1;
  int open = 0;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] < 0)
      base::fail(abi::ERR_DIMS,
                 fmt::format("dims[{}]={} is negative: 0 lets MPI choose, 1 or more is kept", i, dims[i]));
    if (dims[i] == 0)
      ++open;
    else if (given <= nnodes)
      given *= dims[i];
  }
  if (given > nnodes || nnodes % given != 0 || (open == 0 && given != nnodes && ndims > 0))
    base::fail(abi::ERR_DIMS, fmt::format("nnodes={} is not {}the product of the dimensions that are given", nnodes,
                                          open == 0 ? "" : "a multiple of "));
  if (open == 0) return;
  const std::vector<int> chosen = objects::balanced_dims(nnodes / static_cast<int>(given), open);
  auto next = chosen.begin();
  for (int i = 0; i < ndims; ++i)
    if (dims[i] == 0) dims[i] = *next++;
}

}  // namespace antiphon::api
