// Operations for reductions: MPI 5.0, 6.9.5 to 6.9.7.
#include <mutex>

#include "api/collectives/reductions.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Op;
using objects::Ref;

namespace {

// What a function of the program's is told a datatype by. The program may have freed its own handle since the
// operation began: then there is another one for as long as the function runs, which it does without the lane.
class HandleOfType {
 public:
  HandleOfType(Process& process, const Datatype& type) : process_(process), value_(type.handle()) {
    const std::scoped_lock lane(process_.lane());
    if (process_.datatypes.find(value_) == &type) [[likely]]
      return;
    value_ = process_.datatypes.insert(Ref<Datatype>::share(const_cast<Datatype&>(type)));
    is_own_ = true;
  }
  HandleOfType(const HandleOfType&) = delete;
  HandleOfType& operator=(const HandleOfType&) = delete;
  ~HandleOfType() {
    if (!is_own_) [[likely]]
      return;
    const std::scoped_lock lane(process_.lane());
    (void)process_.datatypes.erase(value_);
  }
  [[nodiscard]] MPI_Datatype handle() const { return reinterpret_cast<MPI_Datatype>(value_); }

 private:
  Process& process_;
  std::uintptr_t value_;
  bool is_own_ = false;
};

// A function of the program's in one of its two forms. More elements than its form can count come in several calls.
template <class Length>
class ProgramsFunction final : public objects::UserFunction {
 public:
  using Function = void(void* left, void* right, Length* length, MPI_Datatype* type);

  explicit ProgramsFunction(Function* function) : function_(function) {}
  void apply(const void* left, void* right, std::int64_t count, const Datatype& type) const override {
    const HandleOfType named(*current.running.load(), type);
    MPI_Datatype handle = named.handle();
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

// What a program's function throws is caught by the library's own copy of the unwinder, which knows the registers of
// the processor once it has thrown something itself.
void prepare_to_catch() {
  try {
    throw 0;
  } catch (int) {
  }
}

std::unique_ptr<const objects::UserFunction> user_function(
    const EitherFunction<MPI_User_function, MPI_User_function_c>& function) {
  const auto value =
      reinterpret_cast<std::uintptr_t>(function.plain) | reinterpret_cast<std::uintptr_t>(function.large);
  if (value < objects::kPredefinedHandles)
    base::fail(abi::ERR_ARG, fmt::format("user_fn is {}: pass the function that combines two vectors",
                                         value == 0 ? "null" : "no function"));
  prepare_to_catch();
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
  const coll::Vector right = reducing.vector("inoutbuf", inoutbuf, "count", count);
  check_apart(left.region(), right.region(), "inbuf", "inoutbuf");
  process.coll().reduce_local(left, right);
}

}  // namespace antiphon::api
