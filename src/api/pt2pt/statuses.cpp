// What is in a status, for languages and libraries that do not know its layout: MPI 5.0, 3.2.5 and 13.3.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/pt2pt/status.hpp"

namespace antiphon::api {

void status_get_source(Process&, const MPI_Status* status, int* source) {
  check::not_null(status, "status");
  check::not_null(source, "source");
  *source = status->MPI_SOURCE;
}

void status_get_tag(Process&, const MPI_Status* status, int* tag) {
  check::not_null(status, "status");
  check::not_null(tag, "tag");
  *tag = status->MPI_TAG;
}

void status_get_error(Process&, const MPI_Status* status, int* error) {
  check::not_null(status, "status");
  check::not_null(error, "error");
  *error = status->MPI_ERROR;
}

void status_set_source(Process&, MPI_Status* status, int source) {
  check::not_null(status, "status");
  status->MPI_SOURCE = source;
}

void status_set_tag(Process&, MPI_Status* status, int tag) {
  check::not_null(status, "status");
  status->MPI_TAG = tag;
}

void status_set_error(Process&, MPI_Status* status, int error) {
  check::not_null(status, "status");
  status->MPI_ERROR = error;
}

void status_set_cancelled(Process&, MPI_Status* status, int flag) {
  check::not_null(status, "status");
  set_status_cancelled(status, flag != 0);
}

}  // namespace antiphon::api
