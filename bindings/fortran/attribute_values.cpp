#include "attribute_values.hpp"

#include <bit>
#include <mutex>
#include <unordered_set>

namespace antiphon::fortran {

static_assert(std::endian::native == std::endian::little, "an int is read from a cell that holds an MPI_Aint");

namespace {

std::mutex mutex;
std::unordered_set<void*> cells;

}  // namespace

void* make_cell(MPI_Aint value) {
  void* const cell = new MPI_Aint(value);
  const std::lock_guard lock(mutex);
  cells.insert(cell);
  return cell;
}

void end_cell(void* attribute) {
  const std::lock_guard lock(mutex);
  if (cells.erase(attribute) > 0) delete static_cast<MPI_Aint*>(attribute);
}

MPI_Aint value_of(void* attribute) {
  const std::lock_guard lock(mutex);
  return cells.contains(attribute) ? *static_cast<MPI_Aint*>(attribute) : reinterpret_cast<MPI_Aint>(attribute);
}

MPI_Aint comm_value(int keyval, void* attribute) {
  switch (keyval) {
    case MPI_TAG_UB:
    case MPI_IO:
    case MPI_HOST:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
    case MPI_LASTUSEDCODE:
    case MPI_UNIVERSE_SIZE:
      return *static_cast<int*>(attribute);
    default:
      return value_of(attribute);
  }
}

MPI_Aint type_value(int, void* attribute) { return value_of(attribute); }

MPI_Aint win_value(int keyval, void* attribute) {
  switch (keyval) {
    case MPI_WIN_BASE:
      return reinterpret_cast<MPI_Aint>(attribute);
    case MPI_WIN_SIZE:
      return *static_cast<MPI_Aint*>(attribute);
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL:
      return *static_cast<int*>(attribute);
    default:
      return value_of(attribute);
  }
}

}  // namespace antiphon::fortran
