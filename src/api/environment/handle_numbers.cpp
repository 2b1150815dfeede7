// Handles as integers and back, for languages without pointers: MPI 5.0, 20.5. The integer of a predefined handle is
// its ABI value, that of any other its index in the table of its kind, where the rest is found again. No lock is
// taken: the place of a live handle neither moves nor changes (objects/handle_table.hpp), and a Fortran call that
// needs no lane must not take it for its arguments.
#include "api/bodies.hpp"
#include "api/current.hpp"

namespace antiphon::api {

namespace {

template <class Handle>
int to_int(Handle handle) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(handle) & 0x7fffffffu);
}

// Where there are no other handles.
template <class Handle>
Handle predefined(int number) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
}

template <class Handle, class Table>
Handle from_int(const Table& table, int number) {
  return reinterpret_cast<Handle>(table.value_of_number(number));
}

// While there is no process, only predefined handles exist.
template <class Handle, class Object>
Handle from_int(objects::HandleTable<Object> Process::*table, int number) {
  const Process* process = current.process;
  return process ? from_int<Handle>(process->*table, number) : predefined<Handle>(number);
}

}  // namespace

int comm_toint(MPI_Comm comm) { return to_int(comm); }
int errhandler_toint(MPI_Errhandler errhandler) { return to_int(errhandler); }
int file_toint(MPI_File file) { return to_int(file); }
int group_toint(MPI_Group group) { return to_int(group); }
int info_toint(MPI_Info info) { return to_int(info); }
int message_toint(MPI_Message message) { return to_int(message); }
int op_toint(MPI_Op op) { return to_int(op); }
int request_toint(MPI_Request request) { return to_int(request); }
int session_toint(MPI_Session session) { return to_int(session); }
int type_toint(MPI_Datatype datatype) { return to_int(datatype); }
int win_toint(MPI_Win win) { return to_int(win); }

MPI_Comm comm_fromint(int comm) { return from_int<MPI_Comm>(&Process::comms, comm); }
MPI_Group group_fromint(int group) { return from_int<MPI_Group>(&Process::groups, group); }
MPI_Message message_fromint(int message) { return from_int<MPI_Message>(&Process::messages, message); }
MPI_Op op_fromint(int op) { return from_int<MPI_Op>(&Process::ops, op); }
MPI_Request request_fromint(int request) { return from_int<MPI_Request>(&Process::requests, request); }
MPI_Session session_fromint(int session) { return from_int<MPI_Session>(&Process::sessions, session); }
MPI_Datatype type_fromint(int datatype) { return from_int<MPI_Datatype>(&Process::datatypes, datatype); }
MPI_Win win_fromint(int win) { return from_int<MPI_Win>(&Process::windows, win); }

MPI_Errhandler errhandler_fromint(int errhandler) {
  return from_int<MPI_Errhandler>(anytime().errhandlers, errhandler);
}
MPI_Info info_fromint(int info) { return from_int<MPI_Info>(anytime().infos, info); }
MPI_File file_fromint(int file) { return from_int<MPI_File>(&Process::files, file); }

}  // namespace antiphon::api
