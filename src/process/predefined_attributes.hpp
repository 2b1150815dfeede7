// The values of the predefined attributes of communicators (MPI 5.0, 9.1.2). Users get the addresses of these
// numbers, so they never move.
#pragma once

#include <array>

#include "abi/constants.hpp"
#include "bootstrap/job.hpp"

namespace antiphon::process {

// Whether all processes share one clock, as those of one node do.
enum class Clocks { one, several };

class PredefinedAttributes {
 public:
  // `last_used_code` belongs to the table of error codes.
  PredefinedAttributes(const bootstrap::Job::Identity& identity, Clocks clocks, const int* last_used_code)
      : wtime_is_global_(clocks == Clocks::one ? 1 : 0),
        appnum_(identity.appnum),
        universe_size_(identity.universe_size) {
    at(abi::TAG_UB) = &tag_ub_;
    at(abi::IO) = &io_;
    at(abi::HOST) = &host_;
    at(abi::WTIME_IS_GLOBAL) = &wtime_is_global_;
    at(abi::APPNUM) = &appnum_;
    at(abi::LASTUSEDCODE) = last_used_code;
    at(abi::UNIVERSE_SIZE) = &universe_size_;
  }
  PredefinedAttributes(const PredefinedAttributes&) = delete;
  PredefinedAttributes& operator=(const PredefinedAttributes&) = delete;

  // Null if `keyval` is not the key of a predefined attribute.
  [[nodiscard]] const int* find(int keyval) const {
    const auto index = static_cast<unsigned>(keyval) - kFirst;
    return index < values_.size() ? values_[index] : nullptr;
  }

 private:
  static constexpr unsigned kFirst = abi::TAG_UB, kLast = abi::UNIVERSE_SIZE;

  const int*& at(int keyval) { return values_[static_cast<unsigned>(keyval) - kFirst]; }

  int tag_ub_ = 0x7fffffff;
  int io_ = abi::ANY_SOURCE;   // every process can perform I/O
  int host_ = abi::PROC_NULL;  // there is no host process
  int wtime_is_global_;
  int appnum_;
  int universe_size_;
  std::array<const int*, kLast - kFirst + 1> values_{};
};

}  // namespace antiphon::process
