// The ways to call a collective. C has up to three procedures for one: MPI_Gather_c blocks, MPI_Igather_c takes a
// request, too, and MPI_Gather_init_c an info and a request; their other arguments are the same. So these are written
// once, by a function object that hands them to what it is given: arguments(mine, result, call) returns what
// call(address, count, ...) returned.
#pragma once

#include <mpi.h>

#include <utility>

#include "error.hpp"
#include "future.hpp"
#include "persistent.hpp"

namespace antiphon::detail {

// Arguments that MPI knows of until the operation is over, so they stay where they are.
template <class Arguments>
struct staying : Arguments {};
template <class Arguments>
inline constexpr bool stays = false;
template <class Arguments>
inline constexpr bool stays<staying<Arguments>> = true;

template <class Buffer, class Arguments>
struct buffer_and_arguments {
  Buffer buffer;
  Arguments arguments;
};

// With MPI_Gather_c and its kin.
template <class In, class Out, class Procedure, class Arguments>
void at_once(Procedure procedure, const In& mine, Out& result, Arguments arguments) {
  check(arguments(mine, result, procedure));
}

// With MPI_Igather_c and its kin: get() returns the result.
template <class In, class Out, class Procedure, class Arguments>
auto in_future(Procedure procedure, In&& mine, Out&& result, Arguments arguments) {
  if constexpr (explain_keeping<In>() && explain_keeping<Out>()) {
    const auto with = [&](MPI_Request* request) {
      return [=](auto... argument) { return procedure(argument..., request); };
    };
    if constexpr (stays<Arguments>)
      return future<kept<Out>>(
          kept<Out>(std::forward<Out>(result)),
          buffer_and_arguments<kept<In>, Arguments>{std::forward<In>(mine), std::move(arguments)},
          [&](auto& out, auto& in, MPI_Request* request) { return in.arguments(in.buffer, out, with(request)); });
    else
      return future<kept<Out>>(
          kept<Out>(std::forward<Out>(result)), kept<In>(std::forward<In>(mine)),
          [&](auto& out, auto& in, MPI_Request* request) { return arguments(in, out, with(request)); });
  }
}

// With MPI_Gather_init_c and its kin: each round takes buffer() and fills result().
template <class In, class Out, class Procedure, class Arguments>
auto in_rounds(Procedure procedure, In&& mine, Out&& result, Arguments arguments) {
  if constexpr (explain_keeping<In>() && explain_keeping<Out>()) {
    using Rounds = persistent<kept<In>, kept<Out>>;
    const auto with = [&](MPI_Request* request) {
      return [=](auto... argument) { return procedure(argument..., MPI_INFO_NULL, request); };
    };
    if constexpr (stays<Arguments>)
      return Rounds(
          kept<In>(std::forward<In>(mine)), kept<Out>(std::forward<Out>(result)), std::move(arguments),
          [&](auto& in, auto& out, auto& held, MPI_Request* request) { return held(in, out, with(request)); });
    else
      return Rounds(kept<In>(std::forward<In>(mine)), kept<Out>(std::forward<Out>(result)),
                    [&](auto& in, auto& out, MPI_Request* request) { return arguments(in, out, with(request)); });
  }
}

}  // namespace antiphon::detail
