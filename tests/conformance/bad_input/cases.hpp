// One call with one bad argument, and what must come of it. Tables of them: generated from spec/ (every procedure
// that the library exports, every argument, every kind of wrong value), and written by hand where a value is wrong
// only together with others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace antiphon::bad_input {

// A C argument of any type: MPI's are integers of at most 64 bits and addresses.
using Word = std::uint64_t;
using Words = std::vector<Word>;

// What an argument is, as far as it matters for what can be wrong with it.
enum class Kind {
  any_integer,   // every value is valid, or unknown to this test
  any_address,   // null is valid, too
  function,      // of the user's
  result,        // address of a variable that the call writes
  buffer,        // address of data
  text,          // a string to read
  status,        // to read
  count,         // 0 or more
  destination,   // rank, or MPI_PROC_NULL
  source,        // rank, MPI_PROC_NULL, or MPI_ANY_SOURCE
  root,          // rank
  send_tag,      // 0 or more
  receive_tag,   // the same, or MPI_ANY_TAG
  thread_level,  // one of four
  color,         // 0 or more, or MPI_UNDEFINED
  error_code,    // one that MPI returned
  communicator,  // these are handles by value; the null handle is wrong
  datatype,
  errhandler,
  group,
  info,  // MPI_INFO_NULL is valid
  operation,
  handle_in_place,   // address of a handle that the call ends or changes; null inside is wrong
  request_in_place,  // the same, where MPI_REQUEST_NULL is valid
  requests,          // array of them
};

struct Argument {
  const char* name;
  Kind kind;
  Kind pointee = Kind::any_integer;  // of handle_in_place: which handle
};

struct Procedure {
  const char* name;
  bool before_init;  // valid before MPI_Init and after MPI_Finalize
  std::vector<Argument> arguments;
  int (*call)(const Words&);
};

// Calls `function` with each word as the type that its parameter has.
template <class... Parameters>
int apply(int (*function)(Parameters...), const Words& words) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return function((Parameters)(words[i])...);  // integer or pointer: only a C-style cast does both
  }
  (std::index_sequence_for<Parameters...>{});
}
template <auto kFunction>
int call(const Words& words) {
  return apply(kFunction, words);
}

struct Case {
  std::string title;
  std::string procedure;               // that the message must name
  std::vector<int> classes;            // one of these comes back
  std::vector<std::string> fragments;  // of the message
  std::function<int()> call;
};

// Generated: every procedure that the library has, but for those that exceptions.toml leaves out.
[[nodiscard]] std::vector<Procedure> procedures();

// One case for each argument of `procedure` and each value that is wrong for it.
[[nodiscard]] std::vector<Case> cases_of(const Procedure& procedure);
// `procedure` with good arguments only.
[[nodiscard]] std::function<int()> good_call(const Procedure& procedure);

// Written by hand.
[[nodiscard]] std::vector<Case> special_cases();

}  // namespace antiphon::bad_input
