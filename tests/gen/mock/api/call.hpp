// The face of api::Call that generated entry points use, without anything behind it: enough to compile them.
#pragma once

#include "api/bodies.hpp"

namespace antiphon::api {

class Call {
 public:
  explicit Call(const char* procedure);
  Process& process();
  static void check_status(const MPI_Status* status, const char* argument);
  static void needs_memory();
  objects::Comm& comm(MPI_Comm handle, const char* argument);
  objects::Comm& comm_of_new_file(MPI_Comm handle, const char* argument);
  objects::Comm* comm_or_null(MPI_Comm handle, const char* argument);
  objects::Datatype& datatype(MPI_Datatype handle, const char* argument);
  objects::Datatype& datatype(MPI_Datatype handle, const char* argument, int peer);
  objects::Datatype* datatype_or_null(MPI_Datatype handle, const char* argument);
  objects::Errhandler& errhandler(MPI_Errhandler handle, const char* argument);
  objects::Errhandler& errhandler_of_new_comm(MPI_Errhandler handle, const char* argument);
  objects::Errhandler& errhandler_of_new_session(MPI_Errhandler handle, const char* argument);
  objects::File& file(MPI_File handle, const char* argument);
  objects::File* file_or_null(MPI_File handle, const char* argument);
  objects::Group& group(MPI_Group handle, const char* argument);
  objects::Group* group_or_null(MPI_Group handle, const char* argument);
  objects::Info& info(MPI_Info handle, const char* argument);
  objects::Info* info_of_new_file_or_null(MPI_Info handle, const char* argument);
  objects::Info* info_or_null(MPI_Info handle, const char* argument);
  objects::Op& op(MPI_Op handle, const char* argument);
  objects::Session& session(MPI_Session handle, const char* argument);
  objects::Window& win(MPI_Win handle, const char* argument);
  objects::Window* win_or_null(MPI_Win handle, const char* argument);
  int succeed();
  void fail();
  void fail_in_collective();
  void fail_in_later_collective();
  int raise();
};

}  // namespace antiphon::api
