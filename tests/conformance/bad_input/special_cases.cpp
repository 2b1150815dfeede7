// Arguments that are wrong together, or wrong for what they stand for: one line a case.
#include <mpi.h>

#include <limits>

#include "cases.hpp"

namespace antiphon::bad_input {

namespace {

const MPI_Comm kSelf = MPI_COMM_SELF;
MPI_Status* const kNoStatus = MPI_STATUS_IGNORE;

int numbers[64];
int others[64];
constexpr MPI_Count kMost = std::numeric_limits<MPI_Count>::max();

MPI_Datatype uncommitted() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &type);
  return type;
}

// Messages to oneself that do not fit where they are received.
MPI_Request message_of(int ints, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(numbers, ints, MPI_INT, 0, tag, kSelf, &request);
  return request;
}
int truncated_receive(int ints) {
  MPI_Request sent = message_of(ints, 5);
  const int error = MPI_Recv(others, 1, MPI_INT, 0, 5, kSelf, kNoStatus);
  MPI_Wait(&sent, kNoStatus);
  return error;
}
MPI_Request truncated_request() {
  MPI_Request receive = MPI_REQUEST_NULL;
  MPI_Irecv(others, 1, MPI_INT, 0, 6, kSelf, &receive);
  MPI_Send(numbers, 3, MPI_INT, 0, 6, kSelf);
  return receive;
}
int truncated_wait() {
  MPI_Request receive = truncated_request();
  return MPI_Wait(&receive, kNoStatus);
}
int truncated_waitany() {
  MPI_Request receive = truncated_request();
  int index = 0;
  return MPI_Waitany(1, &receive, &index, kNoStatus);
}
int truncated_waitall() {
  MPI_Request receives[2] = {MPI_REQUEST_NULL, truncated_request()};
  MPI_Status statuses[2];
  const int error = MPI_Waitall(2, receives, statuses);
  return error == MPI_ERR_IN_STATUS ? statuses[1].MPI_ERROR : MPI_ERR_INTERN;
}

int same_request_twice() {
  MPI_Request receive = MPI_REQUEST_NULL;
  MPI_Irecv(others, 3, MPI_INT, 0, 6, kSelf, &receive);
  MPI_Send(numbers, 3, MPI_INT, 0, 6, kSelf);
  MPI_Request receives[2] = {receive, receive};
  return MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
}

// What is freed is a copy of the handle: the constant itself stays.
template <class Handle>
int freed(int (*free)(Handle*), Handle handle) {
  return free(&handle);
}

}  // namespace

std::vector<Case> special_cases() {
  const std::vector<std::string> truncated{"12 bytes", "rank 0", "tag 6", "does not fit", "holds 4 bytes"};
  return {
      {"a message of 2 ints into 1",
       "MPI_Recv",
       {MPI_ERR_TRUNCATE},
       {"8 bytes", "tag 5", "holds 4 bytes"},
       [] { return truncated_receive(2); }},
      {"a receive that was truncated, in Wait", "MPI_Wait", {MPI_ERR_TRUNCATE}, truncated, truncated_wait},
      {"a receive that was truncated, in Waitany", "MPI_Waitany", {MPI_ERR_TRUNCATE}, truncated, truncated_waitany},
      {"a receive that was truncated, in Waitall", "MPI_Waitall", {MPI_ERR_TRUNCATE}, truncated, truncated_waitall},
      {"the same request twice, in Waitall",
       "MPI_Waitall",
       {MPI_ERR_REQUEST},
       {"array_of_requests[1]", "is complete already"},
       same_request_twice},

      {"MPI_COMM_WORLD to be freed",
       "MPI_Comm_free",
       {MPI_ERR_COMM},
       {"MPI_COMM_WORLD cannot be freed"},
       [] { return freed(MPI_Comm_free, MPI_COMM_WORLD); }},
      {"MPI_COMM_SELF to be freed",
       "MPI_Comm_free",
       {MPI_ERR_COMM},
       {"MPI_COMM_SELF cannot be freed"},
       [] { return freed(MPI_Comm_free, MPI_COMM_SELF); }},
      {"MPI_INT to be freed",
       "MPI_Type_free",
       {MPI_ERR_TYPE},
       {"MPI_INT is predefined and cannot be freed"},
       [] { return freed(MPI_Type_free, MPI_INT); }},
      {"MPI_SUM to be freed",
       "MPI_Op_free",
       {MPI_ERR_OP},
       {"MPI_SUM is predefined and cannot be freed"},
       [] { return freed(MPI_Op_free, MPI_SUM); }},
      {"MPI_REQUEST_NULL to be freed",
       "MPI_Request_free",
       {MPI_ERR_REQUEST},
       {"MPI_REQUEST_NULL", "is needed here"},
       [] { return freed(MPI_Request_free, MPI_REQUEST_NULL); }},

      {"memory of a window to be freed",
       "MPI_Free_mem",
       {MPI_ERR_BASE},
       {"memory of a window", "MPI_Win_free"},
       [] {
         void* base = nullptr;
         MPI_Win win = MPI_WIN_NULL;
         MPI_Win_allocate(64, 1, MPI_INFO_NULL, kSelf, &base, &win);
         return MPI_Free_mem(base);
       }},

      {"a second MPI_Init",
       "MPI_Init",
       {MPI_ERR_OTHER},
       {"initialized already"},
       [] { return MPI_Init(nullptr, nullptr); }},
      {"a second MPI_Init_thread",
       "MPI_Init_thread",
       {MPI_ERR_OTHER},
       {"initialized already"},
       [] { return MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, numbers); }},
      {"a thread level that is none",
       "MPI_Init_thread",
       {MPI_ERR_ARG},
       {"required=17", "MPI_THREAD_MULTIPLE"},
       [] { return MPI_Init_thread(nullptr, nullptr, 17, numbers); }},
      {"a null thread level",
       "MPI_Init_thread",
       {MPI_ERR_ARG},
       {"provided is null", "address"},
       [] { return MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, nullptr); }},

      {"more bytes than memory has",
       "MPI_Send_c",
       {MPI_ERR_COUNT},
       {"count=9223372036854775807", "MPI_INT"},
       [] { return MPI_Send_c(numbers, kMost, MPI_INT, 0, 0, kSelf); }},
      {"a count beyond what one can hold",
       "MPI_Send_c",
       {MPI_ERR_COUNT},
       {"count=9223372036854775808 is more than 2^63-1"},
       [] { return MPI_Send_c(numbers, static_cast<MPI_Count>(std::uint64_t{1} << 63), MPI_INT, 0, 0, kSelf); }},
      {"more elements than a status can count",
       "MPI_Status_set_elements_c",
       {MPI_ERR_COUNT},
       {"count=9223372036854775807", "MPI_INT"},
       [] {
         MPI_Status status;
         return MPI_Status_set_elements_c(&status, MPI_INT, kMost);
       }},
      {"a datatype of more bytes than memory has",
       "MPI_Type_contiguous_c",
       {MPI_ERR_COUNT},
       {"count=9223372036854775807", "MPI_INT"},
       [] {
         MPI_Datatype type = MPI_DATATYPE_NULL;
         return MPI_Type_contiguous_c(kMost, MPI_INT, &type);
       }},
      {"a datatype that is not committed",
       "MPI_Send",
       {MPI_ERR_TYPE},
       {": the datatype from MPI_Type_contiguous is not committed", "MPI_Type_commit"},
       [] { return MPI_Send(numbers, 1, uncommitted(), 0, 0, kSelf); }},
      {"MPI_IN_PLACE to be sent",
       "MPI_Send",
       {MPI_ERR_BUFFER},
       {"buf is MPI_IN_PLACE"},
       [] { return MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, kSelf); }},
      {"MPI_IN_PLACE to be received into",
       "MPI_Recv",
       {MPI_ERR_BUFFER},
       {"buf is MPI_IN_PLACE"},
       [] { return MPI_Recv(MPI_IN_PLACE, 1, MPI_INT, 0, 0, kSelf, kNoStatus); }},
      {"MPI_IN_PLACE as recvbuf",
       "MPI_Allreduce",
       {MPI_ERR_BUFFER},
       {"recvbuf is MPI_IN_PLACE"},
       [] { return MPI_Allreduce(numbers, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, kSelf); }},
      {"MPI_IN_PLACE for a broadcast",
       "MPI_Bcast",
       {MPI_ERR_BUFFER},
       {"buffer is MPI_IN_PLACE"},
       [] { return MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, kSelf); }},

      {"vectors that share memory",
       "MPI_Allreduce",
       {MPI_ERR_BUFFER},
       {"sendbuf and recvbuf share memory", "8 and 8 bytes", "MPI_IN_PLACE"},
       [] { return MPI_Allreduce(numbers, numbers + 1, 2, MPI_INT, MPI_SUM, kSelf); }},
      {"vectors of one process that share memory",
       "MPI_Reduce_local",
       {MPI_ERR_BUFFER},
       {"inbuf and inoutbuf share memory"},
       [] { return MPI_Reduce_local(numbers, numbers, 1, MPI_INT, MPI_SUM); }},
      {"blocks that share memory",
       "MPI_Scatter",
       {MPI_ERR_BUFFER},
       {"recvbuf and sendbuf share memory"},
       [] { return MPI_Scatter(numbers, 1, MPI_INT, numbers, 1, MPI_INT, 0, kSelf); }},
      {"blocks of any lengths that share memory",
       "MPI_Ialltoallv",
       {MPI_ERR_BUFFER},
       {"sendbuf and recvbuf share memory"},
       [] {
         const int two = 2, zero = 0;
         MPI_Request request = MPI_REQUEST_NULL;
         return MPI_Ialltoallv(numbers, &two, &zero, MPI_INT, numbers, &two, &zero, MPI_INT, kSelf, &request);
       }},
      {"neighbours where there is no topology",
       "MPI_Neighbor_alltoall",
       {MPI_ERR_TOPOLOGY},
       {"comm is MPI_COMM_SELF", "MPI_Cart_create"},
       [] { return MPI_Neighbor_alltoall(numbers, 1, MPI_INT, others, 1, MPI_INT, kSelf); }},

      {"an operation on a datatype that has none",
       "MPI_Allreduce",
       {MPI_ERR_OP},
       {"op=MPI_BAND", "MPI_DOUBLE"},
       [] { return MPI_Allreduce(numbers, others, 1, MPI_DOUBLE, MPI_BAND, kSelf); }},
      {"MPI_REPLACE in a reduction",
       "MPI_Allreduce",
       {MPI_ERR_OP},
       {"op=MPI_REPLACE"},
       [] { return MPI_Allreduce(numbers, others, 1, MPI_INT, MPI_REPLACE, kSelf); }},
      {"a pair operation on numbers",
       "MPI_Reduce",
       {MPI_ERR_OP},
       {"op=MPI_MAXLOC", "MPI_INT"},
       [] { return MPI_Reduce(numbers, others, 1, MPI_INT, MPI_MAXLOC, 0, kSelf); }},
      {"a pair operation on numbers of one process",
       "MPI_Reduce_local",
       {MPI_ERR_OP},
       {"op=MPI_MINLOC", "MPI_INT"},
       [] { return MPI_Reduce_local(numbers, others, 1, MPI_INT, MPI_MINLOC); }},
      {"more sent than received",
       "MPI_Allgather",
       {MPI_ERR_TRUNCATE},
       {"sendcount=2", "recvcount=1", "8 bytes"},
       [] { return MPI_Allgather(numbers, 2, MPI_INT, others, 1, MPI_INT, kSelf); }},
      {"more given to oneself than taken",
       "MPI_Alltoallv",
       {MPI_ERR_TRUNCATE},
       {"sendcounts[0]=2 are 8 bytes", "recvcounts[0]=1 are 4"},
       [] {
         const int two = 2, one = 1, zero = 0;
         return MPI_Alltoallv(numbers, &two, &zero, MPI_INT, others, &one, &zero, MPI_INT, kSelf);
       }},
      {"less given to the root by itself than it takes",
       "MPI_Gatherv",
       {MPI_ERR_COUNT},
       {"sendcount=1 are 4 bytes", "recvcounts[0]=2 are 8"},
       [] {
         const int two = 2, zero = 0;
         return MPI_Gatherv(numbers, 1, MPI_INT, others, &two, &zero, MPI_INT, 0, kSelf);
       }},
      {"more bytes for one rank than memory has",
       "MPI_Allgatherv_c",
       {MPI_ERR_COUNT},
       {"recvcounts[0]=9223372036854775807", "MPI_INT"},
       [] {
         const MPI_Aint zero = 0;
         return MPI_Allgatherv_c(numbers, 1, MPI_INT, others, &kMost, &zero, MPI_INT, kSelf);
       }},
      {"less sent than received",
       "MPI_Alltoall",
       {MPI_ERR_COUNT},
       {"sendcount=1", "recvcount=2"},
       [] { return MPI_Alltoall(numbers, 1, MPI_INT, others, 2, MPI_INT, kSelf); }},
  };
}

}  // namespace antiphon::bad_input
