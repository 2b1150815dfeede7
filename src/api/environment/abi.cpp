// What programs and bindings ask about the binary interface: MPI 5.0, chapter 20. Valid at any time.
#include <cstring>

#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Info;
using objects::Ref;

namespace {

using Lock = std::lock_guard<std::mutex>;

void check_logical_size(int size) {
  if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16)
    base::fail(abi::ERR_ARG,
               fmt::format("logical_size={} is not a size of LOGICAL (valid: 1, 2, 4, 8 and 16 bytes)", size));
}

}  // namespace

void abi_get_version(Call&, int* abi_major, int* abi_minor) {
  check::not_null(abi_major, "abi_major");
  check::not_null(abi_minor, "abi_minor");
  *abi_major = abi::ABI_VERSION;
  *abi_minor = abi::ABI_SUBVERSION;
}

void abi_get_info(Call&, MPI_Info* info) {
  check::not_null(info, "info");
  const auto made = Ref<Info>::adopt(new Info);
  made->set("mpi_aint_size", std::to_string(sizeof(MPI_Aint)));
  made->set("mpi_count_size", std::to_string(sizeof(MPI_Count)));
  made->set("mpi_offset_size", std::to_string(sizeof(MPI_Offset)));
  *info = reinterpret_cast<MPI_Info>(anytime().add_info(made));
}

// What Fortran is like, its binding says, once. The library itself knows no Fortran compiler.
void abi_get_fortran_info(Call&, MPI_Info* info) {
  check::not_null(info, "info");
  const Lock lock(anytime().mutex);
  *info = anytime().fortran.info
              ? reinterpret_cast<MPI_Info>(anytime().infos.insert(Info::copy_of(*anytime().fortran.info)))
              : MPI_INFO_NULL;
}

void abi_set_fortran_info(Call&, const Info& info) {
  const Lock lock(anytime().mutex);
  if (anytime().fortran.info)
    base::fail(abi::ERR_ABI, "the properties of Fortran have been set already: a program may set them once");
  anytime().fortran.info = Info::copy_of(info);
}

void abi_get_fortran_booleans(Call&, int logical_size, void* logical_true, void* logical_false, int* is_set) {
  check_logical_size(logical_size);
  check::not_null(logical_true, "logical_true");
  check::not_null(logical_false, "logical_false");
  check::not_null(is_set, "is_set");
  const Lock lock(anytime().mutex);
  const auto& known = anytime().fortran;
  *is_set = known.logical_size != 0;
  if (known.logical_size == 0) return;
  if (known.logical_size != logical_size)
    base::fail(abi::ERR_ABI, fmt::format("logical_size={}: the values that were set have {} bytes", logical_size,
                                         known.logical_size));
  std::memcpy(logical_true, known.logical_true.data(), static_cast<std::size_t>(logical_size));
  std::memcpy(logical_false, known.logical_false.data(), static_cast<std::size_t>(logical_size));
}

void abi_set_fortran_booleans(Call&, int logical_size, void* logical_true, void* logical_false) {
  check_logical_size(logical_size);
  check::not_null(logical_true, "logical_true");
  check::not_null(logical_false, "logical_false");
  const Lock lock(anytime().mutex);
  auto& known = anytime().fortran;
  if (known.logical_size != 0)
    base::fail(abi::ERR_ABI, "the values of .TRUE. and .FALSE. have been set already: a program may set them once");
  known.logical_size = logical_size;
  std::memcpy(known.logical_true.data(), logical_true, static_cast<std::size_t>(logical_size));
  std::memcpy(known.logical_false.data(), logical_false, static_cast<std::size_t>(logical_size));
}

}  // namespace antiphon::api
