// Operations that combine with what is at the target: MPI 5.0, 12.3.4 and 12.3.5.
#include "api/windows/rma_arguments.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Op;
using objects::Window;
using rma::Combining;
using rma::Shape;

namespace {

using RequestPlace = objects::Ref<rma::OperationRequest>*;

const Datatype& elements_of(const char* argument, const Datatype& type) {
  const Datatype* const elements = type.only_type();
  if (!elements)
    base::fail(abi::ERR_TYPE, fmt::format("{} is {}, whose data is not all of one predefined datatype: only such can "
                                          "be accumulated",
                                          argument, type.description()));
  return *elements;
}

void need_same_elements(const Shape& shape, const char* argument, const Datatype& type, const Datatype& target) {
  const Datatype& elements = elements_of(argument, type);
  if (Shape::of(elements) != shape)
    base::fail(abi::ERR_TYPE, fmt::format("{} is of {} and target_datatype of {}: both have to be of the same "
                                          "predefined datatype",
                                          argument, elements.description(), target.description()));
}

// What an operation does to elements of the target's type.
Combining combining(const Op& op, const Datatype& elements) {
  if (op.users())
    base::fail(abi::ERR_OP, "op is a user-defined operation: one-sided calls take predefined operations only");
  const Combining made(op.kind(), Shape::of(elements));
  if (!made.is_defined()) check::cold::undefined_operation(op, elements);
  return made;
}

void need_operand(const Op& op) {
  if (op.kind() == Op::Kind::no_op)
    base::fail(abi::ERR_OP,
               "op=MPI_NO_OP is only valid in MPI_Get_accumulate, MPI_Rget_accumulate and MPI_Fetch_and_op");
}

void accumulate(Process& process, const LocalArguments& origin, const TargetArguments& target, const Op& op,
                Window& window, RequestPlace request = nullptr) {
  check::target("target_rank", target.rank, window);
  const check::Message local = origin.checked();
  need_operand(op);
  const std::size_t there = check::bytes("target_count", target.count, target.type);
  if (target.rank == abi::PROC_NULL || there == 0) return;
  const Datatype& elements = elements_of("target_datatype", target.type);
  const Combining combined = combining(op, elements);
  if (local.bytes != 0) need_same_elements(combined.shape(), "origin_datatype", origin.type, elements);
  need_room("origin", local.bytes, "target", there);
  process.accumulates().begin(window.state(), combined, local_side(local), {}, target.wanted(there), local.bytes,
                              request);
}

// `origin` is null where the operation does not look at it.
void get_accumulate(Process& process, const LocalArguments* origin, const LocalArguments& result,
                    const TargetArguments& target, const Op& op, Window& window, RequestPlace request = nullptr) {
  check::target("target_rank", target.rank, window);
  const check::Message back = result.checked();
  const check::Message local = origin ? origin->checked() : check::Message{};
  const std::size_t there = check::bytes("target_count", target.count, target.type);
  if (target.rank == abi::PROC_NULL || there == 0) return;
  const Datatype& elements = elements_of("target_datatype", target.type);
  const Combining combined = combining(op, elements);
  need_same_elements(combined.shape(), "result_datatype", result.type, elements);
  if (origin && local.bytes != 0) need_same_elements(combined.shape(), "origin_datatype", origin->type, elements);
  if (origin) need_room("origin", local.bytes, "target", there);
  const std::size_t bytes = origin ? local.bytes : there;
  need_room("target", bytes, "result", back.bytes);
  process.accumulates().begin(window.state(), combined, local_side(local), local_side(back), target.wanted(there),
                              bytes, request);
}

// The origin's arguments, which mean nothing for MPI_NO_OP.
class OriginUnlessIgnored {
 public:
  OriginUnlessIgnored(const void* address, MPI_Count count, const Datatype* type, const Op& op) {
    if (op.kind() == Op::Kind::no_op) return;
    if (!type)
      Call::fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, MPI_DATATYPE_NULL,
                        "origin_datatype");
    arguments_.emplace(origin_arguments(address, count, *type));
  }
  [[nodiscard]] const LocalArguments* get() const { return arguments_ ? &*arguments_ : nullptr; }

 private:
  std::optional<LocalArguments> arguments_;
};

void need_predefined(const Datatype& type) {
  if (!type.predefined())
    base::fail(abi::ERR_TYPE, fmt::format("datatype is {}: one element of a predefined datatype is needed here",
                                          type.description()));
}

}  // namespace

void accumulate(Process& process, const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
                int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype,
                const Op& op, Window& win) {
  accumulate(process, origin_arguments(origin_addr, origin_count, origin_datatype),
             {target_rank, target_disp, target_count, target_datatype}, op, win);
}

void raccumulate(Process& process, const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
                 int target_rank, MPI_Aint target_disp, MPI_Count target_count, const Datatype& target_datatype,
                 const Op& op, Window& win, MPI_Request* request) {
  Requested requested(process, win, target_rank, request);
  accumulate(process, origin_arguments(origin_addr, origin_count, origin_datatype),
             {target_rank, target_disp, target_count, target_datatype}, op, win, requested.place());
  requested.hand_out();
}

void get_accumulate(Process& process, const void* origin_addr, MPI_Count origin_count,
                    const Datatype* origin_datatype, void* result_addr, MPI_Count result_count,
                    const Datatype& result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                    const Datatype& target_datatype, const Op& op, Window& win) {
  get_accumulate(process, OriginUnlessIgnored(origin_addr, origin_count, origin_datatype, op).get(),
                 result_arguments(result_addr, result_count, result_datatype),
                 {target_rank, target_disp, target_count, target_datatype}, op, win);
}

void rget_accumulate(Process& process, const void* origin_addr, MPI_Count origin_count,
                     const Datatype* origin_datatype, void* result_addr, MPI_Count result_count,
                     const Datatype& result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                     const Datatype& target_datatype, const Op& op, Window& win, MPI_Request* request) {
  Requested requested(process, win, target_rank, request);
  get_accumulate(process, OriginUnlessIgnored(origin_addr, origin_count, origin_datatype, op).get(),
                 result_arguments(result_addr, result_count, result_datatype),
                 {target_rank, target_disp, target_count, target_datatype}, op, win, requested.place());
  requested.hand_out();
}

void fetch_and_op(Process& process, const void* origin_addr, void* result_addr, const Datatype& datatype,
                  int target_rank, MPI_Aint target_disp, const Op& op, Window& win) {
  need_predefined(datatype);
  get_accumulate(process, OriginUnlessIgnored(origin_addr, 1, &datatype, op).get(),
                 result_arguments(result_addr, 1, datatype), {target_rank, target_disp, 1, datatype}, op, win);
}

void compare_and_swap(Process& process, const void* origin_addr, const void* compare_addr, void* result_addr,
                      const Datatype& datatype, int target_rank, MPI_Aint target_disp, Window& win) {
  check::target("target_rank", target_rank, win);
  need_predefined(datatype);
  if (!rma::can_be_compared(datatype.element()) ||
      datatype.size() > static_cast<std::int64_t>(rma::Accumulates::kMostCompared))
    base::fail(abi::ERR_TYPE, fmt::format("datatype={} cannot be compared (valid: integer, logical and byte types)",
                                          datatype.description()));
  const auto address = [&](const char* name, const void* buffer) {
    return check::message(name, buffer, "count", 1, datatype).buffer;
  };
  const std::byte* const value = address("origin_addr", origin_addr);
  const std::byte* const compared = address("compare_addr", compare_addr);
  std::byte* const result = address("result_addr", result_addr);
  if (target_rank == abi::PROC_NULL) return;
  const TargetArguments target{target_rank, target_disp, 1, datatype};
  process.accumulates().compare_and_swap(win.state(), Shape::of(datatype), value, compared, result,
                                         target.wanted(static_cast<std::size_t>(datatype.size())));
}

}  // namespace antiphon::api
