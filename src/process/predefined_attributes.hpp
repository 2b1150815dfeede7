// What the process tells about its environment through the predefined attributes of communicators (MPI 5.0, 9.1.2).
// Users get the addresses of these numbers, which therefore stay where they are.
#pragma once

#include "abi/constants.hpp"

namespace antiphon::process {

struct PredefinedAttributes {
  int tag_ub = 0x7fffffff;
  int io = abi::ANY_SOURCE;   // every process can do the usual input and output
  int host = abi::PROC_NULL;  // no process is special
  int wtime_is_global = 1;    // one node, one clock
  int appnum;                 // which of mpiexec's programs this is
  const int* last_used_code;  // of the table of error codes
  int universe_size;

  // Null for what is none of them.
  [[nodiscard]] const int* find(int keyval) const {
    switch (keyval) {
      case abi::TAG_UB:
        return &tag_ub;
      case abi::IO:
        return &io;
      case abi::HOST:
        return &host;
      case abi::WTIME_IS_GLOBAL:
        return &wtime_is_global;
      case abi::APPNUM:
        return &appnum;
      case abi::LASTUSEDCODE:
        return last_used_code;
      case abi::UNIVERSE_SIZE:
        return &universe_size;
      default:
        return nullptr;
    }
  }
};

}  // namespace antiphon::process
