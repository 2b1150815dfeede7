// A reduction operation: a predefined one (MPI 5.0, 6.9.2), or a function of the user's (6.9.5).
#pragma once

#include <cstdint>
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

  Op(Kind kind, const char* name) : kind_(kind), name_(name) {}
  Op(std::unique_ptr<const UserFunction> function, bool commutes)
      : kind_(Kind::users), commutes_(commutes), name_("a user-defined operation"), users_(std::move(function)) {}
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool commutes() const { return commutes_; }
  [[nodiscard]] const char* name() const { return name_; }
  [[nodiscard]] const UserFunction* users() const { return users_.get(); }  // null if predefined

 private:
  Kind kind_;
  bool commutes_ = true;
  const char* name_;
  std::unique_ptr<const UserFunction> users_;
};

}  // namespace antiphon::objects
