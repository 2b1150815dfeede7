// Datatypes: MPI 5.0, chapter 5.
#include <cstring>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/status.hpp"

namespace antiphon::api {

using objects::Datatype;

void type_contiguous(Process& process, MPI_Count count, const Datatype& oldtype, MPI_Datatype* newtype) {
  check::not_null(newtype, "newtype");
  if (count < 0) check::cold::bad_count("count", count);
  const auto n = static_cast<std::size_t>(count);
  std::size_t extent = 0;
  if (__builtin_mul_overflow(n, oldtype.extent(), &extent) || extent > PTRDIFF_MAX)
    check::cold::too_large("count", count, oldtype);
  const Datatype::Shape shape{oldtype.size() * n, extent, oldtype.element(), oldtype.elements() * count};
  auto made = objects::Ref<Datatype>::adopt(new Datatype(shape, "", false));
  *newtype = reinterpret_cast<MPI_Datatype>(process.datatypes.insert(std::move(made)));
}

namespace {

Datatype& live_datatype(Process& process, const MPI_Datatype* handle) {
  check::not_null(handle, "datatype");
  const auto value = reinterpret_cast<std::uintptr_t>(*handle);
  Datatype* found = process.datatypes.find(value);
  if (!found)
    Call::fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, *handle, "datatype");
  return *found;
}

}  // namespace

void type_commit(Process& process, MPI_Datatype* datatype) { live_datatype(process, datatype).commit(); }

void type_free(Process& process, MPI_Datatype* datatype) {
  if (live_datatype(process, datatype).predefined())
    base::fail(abi::ERR_TYPE,
               fmt::format("{} is predefined and cannot be freed", live_datatype(process, datatype).name()));
  const auto alive = objects::Ref<Datatype>::share(live_datatype(process, datatype));
  alive->attributes().clear(alive->handle());
  (void)process.datatypes.erase(reinterpret_cast<std::uintptr_t>(*datatype));
  *datatype = MPI_DATATYPE_NULL;
}

void type_size(Process&, const Datatype& datatype, MPI_Count* size) {
  check::not_null(size, "size");
  *size = static_cast<MPI_Count>(datatype.size());
}

void get_count(Process&, const MPI_Status* status, const Datatype& datatype, MPI_Count* count) {
  check::not_null(status, "status");
  check::not_null(count, "count");
  const auto extent = static_cast<std::int64_t>(datatype.extent());
  const std::int64_t bytes = status_bytes(*status);
  if (extent == 0)
    *count = bytes == 0 ? 0 : abi::UNDEFINED;
  else
    *count = bytes % extent == 0 ? bytes / extent : abi::UNDEFINED;
}

}  // namespace antiphon::api
