// A reduction operation: a predefined one (MPI 5.0, 6.9.2), or a function of the user's (6.9.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Datatype;

class UserFunction {
 public:
  virtual ~UserFunction() = default;
  // right[i] = left[i] op right[i]. Runs code of the user's: no lock may be held.
  virtual void apply(const void* left, void* right, std::int64_t count, const Datatype& type) const = 0;
};

class Op : public Refcounted {
 public:
  enum class Kind : std::uint8_t {
    sum,
    min,
    max,
    prod,
    band,
    bor,
    bxor,
    land,
    lor,
    lxor,
    minloc,
    maxloc,
    replace,
    no_op,
    users,
  };

  explicit Op(Kind kind) : kind_(kind), name_(name_of(kind)) {}
  Op(std::unique_ptr<const UserFunction> function, bool commutes)
      : kind_(Kind::users), commutes_(commutes), name_(name_of(Kind::users)), users_(std::move(function)) {}
  // "MPI_SUM".
  [[nodiscard]] static constexpr const char* name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool commutes() const { return commutes_; }
  [[nodiscard]] const char* name() const { return name_; }
  [[nodiscard]] const UserFunction* users() const { return users_.get(); }  // null if predefined

 private:
  static constexpr const char* kNames[] = {
      "MPI_SUM",    "MPI_MIN",    "MPI_MAX",     "MPI_PROD",  "MPI_BAND",
      "MPI_BOR",    "MPI_BXOR",   "MPI_LAND",    "MPI_LOR",   "MPI_LXOR",
      "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP", "a user-defined operation"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Kind::users) + 1);

  Kind kind_;
  bool commutes_ = true;
  const char* name_;
  std::unique_ptr<const UserFunction> users_;
};

}  // namespace antiphon::objects
