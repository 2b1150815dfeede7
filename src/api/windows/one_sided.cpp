// Puts and gets: MPI 5.0, 12.3.1, 12.3.2 and 12.3.5.
#include "api/windows/rma_arguments.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Window;
using rma::Transfer;

namespace {

using RequestPlace = objects::Ref<rma::OperationRequest>*;

void begin(Process& process, Transfer::Kind kind, const LocalArguments& origin, const TargetArguments& target,
           Window& window, RequestPlace request = nullptr) {
  check::target("target_rank", target.rank, window);
  const check::Message local = origin.checked();
  if (target.rank == abi::PROC_NULL) return;
  const std::size_t there = check::bytes("target_count", target.count, target.type);
  const bool is_put = kind == Transfer::Kind::put;
  if (is_put)
    need_room("origin", local.bytes, "target", there);
  else
    need_room("target", there, "origin", local.bytes);
  process.one_sided().begin(window.state(), kind, local_side(local), target.wanted(there),
                            is_put ? local.bytes : there, request);
}

}  // namespace

void put(Process& process, const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
         int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype,
         Window& win) {
  begin(process, Transfer::Kind::put, origin_arguments(origin_addr, origin_count, origin_datatype),
        {target_rank, target_disp, target_count, target_datatype}, win);
}

void get(Process& process, void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
         int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype,
         Window& win) {
  begin(process, Transfer::Kind::get, origin_arguments(origin_addr, origin_count, origin_datatype),
        {target_rank, target_disp, target_count, target_datatype}, win);
}

void rput(Process& process, const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
          int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype, Window& win,
          MPI_Request* request) {
  Requested requested(process, win, target_rank, request);
  begin(process, Transfer::Kind::put, origin_arguments(origin_addr, origin_count, origin_datatype),
        {target_rank, target_disp, target_count, target_datatype}, win, requested.place());
  requested.hand_out();
}

void rget(Process& process, void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
          int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype, Window& win,
          MPI_Request* request) {
  Requested requested(process, win, target_rank, request);
  begin(process, Transfer::Kind::get, origin_arguments(origin_addr, origin_count, origin_datatype),
        {target_rank, target_disp, target_count, target_datatype}, win, requested.place());
  requested.hand_out();
}

}  // namespace antiphon::api
