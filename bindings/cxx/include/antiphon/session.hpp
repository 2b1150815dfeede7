// MPI without a world: a part of a program that uses MPI for itself, whoever else does (MPI 5.0, 11.3).
#pragma once

#include <mpi.h>

#include "communicator.hpp"
#include "error.hpp"
#include "owned.hpp"

namespace antiphon {

class session_handle {
 public:
  using native_type = MPI_Session;
  explicit session_handle(MPI_Session native) noexcept : native_(native) {}
  operator MPI_Session() const noexcept { return native_; }
  static MPI_Session null() noexcept { return MPI_SESSION_NULL; }
  static void free(MPI_Session& native) { detail::check(MPI_Session_finalize(&native)); }

  // The communicator of the processes of a set; they call this together, with the same tag.
  [[nodiscard]] owned<communicator> communicator_of(const char* process_set, const char* tag = "") const {
    MPI_Group native = MPI_GROUP_NULL;
    detail::check(MPI_Group_from_session_pset(native_, process_set, &native));
    const owned<group> members{group(native)};
    MPI_Comm result = MPI_COMM_NULL;
    detail::check(MPI_Comm_create_from_group(members, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &result));
    return owned(communicator(result));
  }

 private:
  MPI_Session native_;
};

using session = owned<session_handle>;

// Ends with the returned object, before which everything made of it must have ended.
[[nodiscard]] inline session open_session() {
  MPI_Session native = MPI_SESSION_NULL;
  detail::check(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &native));
  return session(session_handle(native));
}

}  // namespace antiphon
