// A reduction operation. The predefined ones: MPI 5.0, 6.9.2.
#pragma once

#include <cstdint>

#include "objects/refcount.hpp"

namespace antiphon::objects {

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
  };

  Op(Kind kind, const char* name) : kind_(kind), name_(name) {}
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const char* name() const { return name_; }

 private:
  Kind kind_;
  const char* name_;
};

}  // namespace antiphon::objects
