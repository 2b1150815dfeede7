// What a datatype spans, and how many of one a message holds: MPI 5.0, 3.2.5, 5.1.5 to 5.1.11.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/pt2pt/status.hpp"

namespace antiphon::api {

using objects::Datatype;

namespace {

void answer(const char* first_name, MPI_Count* first, MPI_Count first_value, const char* second_name,
            MPI_Count* second, MPI_Count second_value) {
  check::not_null(first, first_name);
  check::not_null(second, second_name);
  *first = first_value;
  *second = second_value;
}

}  // namespace

MPI_Aint aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(disp));
}

MPI_Aint aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) - static_cast<std::uintptr_t>(addr2));
}

void get_address(Process&, const void* location, MPI_Aint* address) {
  check::not_null(address, "address");
  *address = reinterpret_cast<MPI_Aint>(location);
}

void type_size(Process&, const Datatype& datatype, MPI_Count* size) {
  check::not_null(size, "size");
  *size = datatype.size();
}

void type_size_x(Process& process, const Datatype& datatype, MPI_Count* size) { type_size(process, datatype, size); }

void type_get_extent(Process&, const Datatype& datatype, MPI_Count* lb, MPI_Count* extent) {
  answer("lb", lb, datatype.lb(), "extent", extent, datatype.extent());
}

void type_get_extent_x(Process& process, const Datatype& datatype, MPI_Count* lb, MPI_Count* extent) {
  type_get_extent(process, datatype, lb, extent);
}

void type_get_true_extent(Process&, const Datatype& datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  answer("true_lb", true_lb, datatype.true_lb(), "true_extent", true_extent, datatype.true_extent());
}

void type_get_true_extent_x(Process& process, const Datatype& datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  type_get_true_extent(process, datatype, true_lb, true_extent);
}

void get_count(Process&, const MPI_Status* status, const Datatype& datatype, MPI_Count* count) {
  check::not_null(status, "status");
  check::not_null(count, "count");
  const std::int64_t bytes = status_bytes(*status), size = datatype.size();
  if (size == 0)
    *count = bytes == 0 ? 0 : abi::UNDEFINED;
  else
    *count = bytes % size == 0 ? bytes / size : abi::UNDEFINED;
}

void get_elements(Process&, const MPI_Status* status, const Datatype& datatype, MPI_Count* count) {
  check::not_null(status, "status");
  check::not_null(count, "count");
  const std::int64_t bytes = status_bytes(*status);
  const std::int64_t elements = datatype.size() == 0 && bytes != 0 ? -1 : objects::elements_in(datatype, bytes);
  *count = elements < 0 ? abi::UNDEFINED : elements;
}

void get_elements_x(Process& process, const MPI_Status* status, const Datatype& datatype, MPI_Count* count) {
  get_elements(process, status, datatype, count);
}

void status_set_elements(Process&, MPI_Status* status, const Datatype& datatype, MPI_Count count) {
  check::not_null(status, "status");
  if (count < 0) check::cold::bad_count("count", count);
  if (const std::int64_t elements = datatype.signature().elements; elements != 0)
    (void)check::times("count", count / elements, datatype.size(), datatype);
  set_status_bytes(status, objects::bytes_of(datatype, count));
}

void status_set_elements_x(Process& process, MPI_Status* status, const Datatype& datatype, MPI_Count count) {
  status_set_elements(process, status, datatype, count);
}

}  // namespace antiphon::api
