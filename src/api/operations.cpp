// Operations for reductions: MPI 5.0, 6.9.5 to 6.9.7.
#include "api/reductions.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Op;
using objects::Ref;

namespace {

// A function of the program's in one of its two forms. More elements than its form can count come in several calls.
template <class Length>
class ProgramsFunction final : public objects::UserFunction {
 public:
  using Function = void(void* left, void* right, Length* length, MPI_Datatype* type);

  explicit ProgramsFunction(Function* function) : function_(function) {}
  void apply(const void* left, void* right, std::int64_t count, const Datatype& type) const override {
    auto handle = reinterpret_cast<MPI_Datatype>(type.handle());
    auto* from = static_cast<std::byte*>(const_cast<void*>(left));
    auto* to = static_cast<std::byte*>(right);
    while (count > 0) {
      const auto now = std::min<std::int64_t>(count, std::numeric_limits<Length>::max());
      auto length = static_cast<Length>(now);
      function_(from, to, &length, &handle);
      from += now * type.extent();
      to += now * type.extent();
      count -= now;
    }
  }

 private:
  Function* function_;
};

std::unique_ptr<const objects::UserFunction> user_function(
    const EitherFunction<MPI_User_function, MPI_User_function_c>& function) {
  const auto value =
      reinterpret_cast<std::uintptr_t>(function.plain) | reinterpret_cast<std::uintptr_t>(function.large);
  if (value < objects::kPredefinedHandles)
    base::fail(abi::ERR_ARG, fmt::format("user_fn is {}: pass the function that combines two vectors",
                                         value == 0 ? "null" : "no function"));
  if (function.large) return std::make_unique<ProgramsFunction<MPI_Count>>(function.large);
  return std::make_unique<ProgramsFunction<int>>(function.plain);
}

}  // namespace

void op_create(Process& process, EitherFunction<MPI_User_function, MPI_User_function_c> user_fn, int commute,
               MPI_Op* op) {
  check::not_null(op, "op");
  *op = reinterpret_cast<MPI_Op>(process.ops.insert(Ref<Op>::adopt(new Op(user_function(user_fn), commute != 0))));
}

void op_free(Process& process, MPI_Op* op) {
  check::not_null(op, "op");
  const auto handle = reinterpret_cast<std::uintptr_t>(*op);
  const Op* found = process.ops.find(handle);
  if (!found) Call::fail_handle(abi::ERR_OP, "operation", "MPI_OP_NULL", abi::OP_NULL, *op, "op");
  if (!found->users()) base::fail(abi::ERR_OP, fmt::format("{} is predefined and cannot be freed", found->name()));
  (void)process.ops.erase(handle);
  *op = MPI_OP_NULL;
}

void op_commutative(Process&, const Op& op, int* commute) {
  check::not_null(commute, "commute");
  *commute = op.commutes() ? 1 : 0;
}

void reduce_local(Process& process, const void* inbuf, void* inoutbuf, MPI_Count count, const Datatype& datatype,
                  const Op& op) {
  const Reducing reducing(op, datatype);
  const coll::Vector left = reducing.vector("inbuf", inbuf, "count", count);
  process.coll().reduce_local(left, reducing.vector("inoutbuf", inoutbuf, "count", count));
}

}  // namespace antiphon::api
