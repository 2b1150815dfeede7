// Names of objects: MPI 5.0, 7.8. Longer ones than MPI_MAX_OBJECT_NAME allows are cut.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/copy_out.hpp"

namespace antiphon::api {

namespace {

std::string shortened(const char* name, const char* argument) {
  check::not_null(name, argument);
  return {name, strnlen(name, abi::MAX_OBJECT_NAME - 1)};
}

void tell(std::string_view name, char* target, const char* argument, int* resultlen) {
  check::not_null(target, argument);
  check::not_null(resultlen, "resultlen");
  copy_text(target, resultlen, name, abi::MAX_OBJECT_NAME);
}

}  // namespace

void comm_set_name(Process&, objects::Comm& comm, const char* comm_name) {
  comm.set_name(shortened(comm_name, "comm_name"));
}

void comm_get_name(Process&, objects::Comm* comm, char* comm_name, int* resultlen) {
  tell(comm ? comm->given_name() : "MPI_COMM_NULL", comm_name, "comm_name", resultlen);
}

void win_set_name(Process&, objects::Window& win, const char* win_name) {
  win.set_name(shortened(win_name, "win_name"));
}

void win_get_name(Process&, objects::Window* win, char* win_name, int* resultlen) {
  tell(win ? win->given_name() : "MPI_WIN_NULL", win_name, "win_name", resultlen);
}

void type_set_name(Process&, objects::Datatype& datatype, const char* type_name) {
  datatype.set_name(shortened(type_name, "type_name"));
}

void type_get_name(Process&, const objects::Datatype* datatype, char* type_name, int* resultlen) {
  tell(datatype ? datatype->name() : "MPI_DATATYPE_NULL", type_name, "type_name", resultlen);
}

}  // namespace antiphon::api
