// The functions of generalized requests: C's are told an extra state, which leads to those of C++.
#pragma once

#include <memory>

namespace MPI {
namespace detail {

struct GrequestFunctions {
  Grequest::Query_function* query;
  Grequest::Free_function* free;
  Grequest::Cancel_function* cancel;
  void* extra_state;
};

inline int query_grequest(void* state, MPI_Status* status) {
  const GrequestFunctions& functions = *static_cast<GrequestFunctions*>(state);
  return guarded([&] {
    Status in_cxx(*status);
    const int code = functions.query(functions.extra_state, in_cxx);
    *status = in_cxx;
    return code;
  });
}

inline int free_grequest(void* state) {
  const std::unique_ptr<GrequestFunctions> functions(static_cast<GrequestFunctions*>(state));
  return guarded([&] { return functions->free(functions->extra_state); });
}

inline int cancel_grequest(void* state, int complete) {
  const GrequestFunctions& functions = *static_cast<GrequestFunctions*>(state);
  return guarded([&] { return functions.cancel(functions.extra_state, complete != 0); });
}

inline Grequest start_grequest(Grequest::Query_function* query, Grequest::Free_function* free,
                               Grequest::Cancel_function* cancel, void* extra_state) {
  MPI_Request request = MPI_REQUEST_NULL;
  std::unique_ptr<GrequestFunctions> functions(new GrequestFunctions{query, free, cancel, extra_state});
  const int code = MPI_Grequest_start(query_grequest, free_grequest, cancel_grequest, functions.get(), &request);
  if (code == MPI_SUCCESS) functions.release();  // to free_grequest
  check(code);
  return request;
}

}  // namespace detail
}  // namespace MPI
