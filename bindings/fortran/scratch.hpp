// A choice buffer of mpi_f08 that datatypes cannot describe when it is not contiguous: several blocks, or operands of
// a reduction. It is copied, and copied back when the call is over, or, for a nonblocking one, when the program's
// request is.
#pragma once

#include <memory>

#include "descriptor.hpp"
#include "section.hpp"
#include "sentinels.hpp"

namespace antiphon::fortran {

class Copy;

class Scratch {
 public:
  enum class Use { read, written };

  Scratch(const CFI_cdesc_t* array, Use use);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] bool is_copy() const { return copy_ != nullptr; }
  // The copy ends with this request, which is in the program's hands now.
  void keep_until(int request);

 private:
  void* address_;
  std::unique_ptr<Copy> copy_;
};

// For operations that begin again and again, whose buffer can be neither: an error if it is not contiguous.
class Contiguous {
 public:
  explicit Contiguous(const CFI_cdesc_t* array)
      : address_(buffer_address(array->base_addr)), is_right_(is_contiguous(array)) {}
  [[nodiscard]] int error() const;
  [[nodiscard]] void* address() const { return address_; }

 private:
  void* address_;
  bool is_right_;
};

}  // namespace antiphon::fortran
