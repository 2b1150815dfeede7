// A choice buffer of mpi_f08 that datatypes cannot describe when it is not contiguous: several blocks, or operands of
// a reduction. It is copied, and copied back when the call is over, or, for a nonblocking one, when the program's
// request is. A persistent operation is copied for each time that it begins.
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
  // The copy ends with this request, which is in the program's hands now.
  void keep_until(int request);
  // The same, of a request that begins later, any number of times (requests_begin).
  void keep_for_rounds_of(int request);

 private:
  void* address_;
  std::unique_ptr<Copy> copy_;
};

// What persistent operations are about to read is copied.
void requests_begin(const int* requests, int count);

}  // namespace antiphon::fortran
