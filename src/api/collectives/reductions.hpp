// The arguments that all reductions have: an operation, a datatype on which it is defined, and vectors of its
// elements.
#pragma once

#include "api/collectives/blocks.hpp"
#include "api/collectives/without_data.hpp"

namespace antiphon::api {

// A checked operation on elements of a datatype. Lives as long as the call, and keeps what the user's code, which
// runs in the middle of it, may free.
class Reducing {
 public:
  Reducing(const objects::Op& op, const objects::Datatype& type) : type_(type), reduction_(checked(op, type)) {
    if (!reduction_.runs_user_code()) [[likely]]
      return;
    kept_op_ = objects::Ref<objects::Op>::share(const_cast<objects::Op&>(op));  // counting is no change of them
    kept_type_ = objects::Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(type));
  }
  Reducing(const Reducing&) = delete;
  Reducing& operator=(const Reducing&) = delete;

  // The elements of one of the call's buffers, which must be there unless it is empty.
  [[nodiscard]] coll::Vector vector(const char* argument, const void* buffer, const char* count_argument,
                                    MPI_Count count) const {
    if (reduction_.runs_user_code())
      (void)check::message(argument, buffer, count_argument, count, type_);
    else
      (void)check::buffer(argument, buffer, count, type_, count_argument);
    return {buffer, static_cast<std::size_t>(count), reduction_};
  }
  // Elements that nobody looks at, wherever they are.
  [[nodiscard]] coll::Vector unused(MPI_Count count, const void* buffer = nullptr) const {
    return {buffer, static_cast<std::size_t>(count), reduction_};
  }

 private:
  static coll::Reduction checked(const objects::Op& op, const objects::Datatype& type) {
    const std::optional<coll::Reduction> reduction = coll::Reduction::of(op, type);
    if (!reduction) check::cold::undefined_operation(op, type);
    return *reduction;
  }

  const objects::Datatype& type_;
  coll::Reduction reduction_;
  objects::Ref<objects::Op> kept_op_;
  objects::Ref<objects::Datatype> kept_type_;
};

// What a rank gives to one, unless that is in place, and where the result goes.
struct Reduced {
  Reducing reducing;
  coll::Vector result;
  std::optional<coll::Vector> mine;

  // `fill` sets the vectors, which point to `reducing`.
  template <class Fill>
  Reduced(const objects::Op& op, const objects::Datatype& type, Fill fill)
      : reducing(op, type), result(reducing.unused(0)) {
    fill(*this);
  }
  Reduced(const Reduced&) = delete;
  Reduced& operator=(const Reduced&) = delete;

  void give(const void* sendbuf, MPI_Count count) { mine = reducing.vector("sendbuf", sendbuf, "count", count); }
  // Where there is a result.
  void need_apart() const {
    if (mine) check_apart(mine->region(), result.region());
  }
};

// What the others do, wherever this rank's operation or buffers are wrong. On derived types only the user's
// operations are defined.
inline coll::Attempt at_reduction(coll::Operation what, const objects::Comm& comm, MPI_Count count,
                                  const objects::Datatype& type, const objects::Op& op, int root = 0) {
  const std::size_t packed = check::bytes("count", count, type);
  const auto elements = static_cast<std::size_t>(count);
  const bool users = op.users() || !type.predefined();
  return {.what = {.operation = what,
                   .ranks = comm.size(),
                   .bytes = users ? packed : elements * static_cast<std::size_t>(type.extent()),
                   .elements = elements,
                   .commutes = !op.users() || op.commutes()},
          .root = root,
          .runs_user_code = users,
          .in_one_piece = type.in_one_piece()};
}

}  // namespace antiphon::api
