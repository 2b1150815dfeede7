// Antiphon's interface for C++20, over the C interface of any MPI with the standard ABI. docs/cxx.md is its tour.
//
// Six ideas carry it, one or two headers each:
//   buffers        a range, or a value; its datatype follows from its C++ type (buffer, datatype, members)
//   handles        a handle is a view that copies as the C handle does; owned<handle> frees it (owned)
//   options        what has a name in MPI has a name in the call: comm.send(x, {.to = 1, .tag = 7}) (options)
//   futures        what does not block keeps its buffer until it is over, and gives it back (future, when_all, task)
//   rounds         what is done again and again, and who has its buffer when (persistent, partitioned)
//   errors         are exceptions, or results where attempt() says so (error, result)
//
// What fewer programs use, they include beside it: file.hpp, topology.hpp, shared_window.hpp, dynamic_window.hpp,
// serialization.hpp.
#pragma once

#include "collectives.hpp"
#include "communicator.hpp"
#include "datatype.hpp"
#include "environment.hpp"
#include "error.hpp"
#include "future.hpp"
#include "nonblocking_collectives.hpp"
#include "operation.hpp"
#include "result.hpp"
#include "session.hpp"
#include "task.hpp"
#include "when_all.hpp"
#include "window.hpp"
