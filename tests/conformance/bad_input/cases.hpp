// One call with one bad argument, and what must come of it. Tables of them: generated from spec/ (every procedure
// that the library exports, every argument, every kind of wrong value), and written by hand where a value is wrong
// only together with others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace antiphon::bad_input {

// A C argument of any type: MPI's are integers of at most 64 bits and addresses.
using Word = std::uint64_t;
using Words = std::vector<Word>;

// What an argument is, as far as it matters for what can be wrong with it.
enum class Kind {
  any_integer,  // every value is valid, or unknown to this test
  any_address,  // null is valid, too
  function,     // of the user's; null is valid, too
  needed_function,
  result,            // address of a variable, or of several, that the call writes
  array,             // of integers to read
  counts,            // array of numbers of elements, an int each: 0 or more
  large_counts,      // array of them, of 64 bits
  buffer,            // address of data
  allocated,         // what MPI_Alloc_mem returned
  text,              // a string to read
  status,            // to read
  status_or_ignore,  // one or several, to write; MPI_STATUS_IGNORE is null
  count,             // of elements: 0 or more
  length,            // of an array or a grid: 0 or more
  unit,              // of displacements: 1 or more
  displacement,      // 0 or more
  offset,            // in a file: 0 or more
  access_mode,       // of a file: a sum of constants
  whence,            // MPI_SEEK_SET or another
  assertion,         // a sum of constants
  lock_type,
  index,  // of one of few things
  rank,
  destination,     // rank, or MPI_PROC_NULL
  source,          // rank, MPI_PROC_NULL, or MPI_ANY_SOURCE
  root,            // rank
  send_tag,        // 0 or more
  receive_tag,     // the same, or MPI_ANY_TAG
  thread_level,    // one of four
  color,           // 0 or more, or MPI_UNDEFINED
  error_code,      // any that exists
  added_class,     // an error class that the user added
  added_code,      // an error code that the user added
  described_code,  // the same, with a string
  comm_keyval,
  type_keyval,
  win_keyval,
  keyval_in_place,  // address of a key that the call ends
  // Handles by value. The null handle is wrong unless the name says otherwise.
  communicator,
  communicator_or_null,
  cartesian_communicator,
  graph_communicator,
  dist_graph_communicator,
  datatype,
  datatype_or_null,
  derived_datatype,
  errhandler,
  file,
  file_or_null,
  group,
  group_or_null,
  info,
  info_or_null,
  operation,
  session,
  window,
  window_or_null,
  fenced_window,
  locked_window,
  dynamic_window,
  message,
  request_or_null,
  generalized_request,
  partitioned_send,
  partitioned_receive,
  handle_in_place,   // address of a handle that the call ends or changes; null inside is wrong
  request_in_place,  // the same, where MPI_REQUEST_NULL is valid
  handles,           // array of handles to read
  requests,          // array of them
};

struct Argument {
  const char* name;
  Kind kind;
  Kind pointee = Kind::any_integer;  // of handle_in_place, keyval_in_place, handles
  std::vector<int> good = {};        // instead of the kind's own: the value, or what an array begins with
  const char* good_text = "name";    // of a text
};

struct Procedure {
  const char* name;
  bool good_call_succeeds;
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

// Generated: the error classes that the manual page of each procedure names.
[[nodiscard]] std::map<std::string, std::set<int>> documented_classes();

// One case for each argument of `procedure` and each value that is wrong for it.
[[nodiscard]] std::vector<Case> cases_of(const Procedure& procedure);
// `procedure` with good arguments only.
[[nodiscard]] std::function<int()> good_call(const Procedure& procedure);

// Written by hand.
[[nodiscard]] std::vector<Case> special_cases();
[[nodiscard]] std::vector<Case> datatype_cases();

}  // namespace antiphon::bad_input
