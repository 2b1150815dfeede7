#include "cases.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <climits>

namespace antiphon::bad_input {

namespace {

constexpr std::size_t kScratchBytes = std::size_t{16} << 10;
constexpr std::size_t kMostArguments = 16;

// Zeroed memory of its own for every argument that is an address. Each case runs in a fresh process.
std::byte* scratch(std::size_t position) {
  alignas(64) static std::array<std::byte, kScratchBytes * kMostArguments> memory;
  return memory.data() + position * kScratchBytes;
}

template <class T>
Word word(T value) {
  return (Word)value;  // integer or pointer
}

// A value that is wrong, made when it is needed: some are handles of objects that existed.
struct BadValue {
  std::string shown;  // in the title of the case
  std::function<Word()> make;
  std::vector<int> classes;
  std::vector<std::string> fragments;
};

BadValue constant(std::string shown, Word value, std::vector<int> classes, std::vector<std::string> fragments) {
  return {std::move(shown), [value] { return value; }, std::move(classes), std::move(fragments)};
}

// ---- handles

struct HandleFacts {
  Word good;
  Word null;
  const char* null_name;
  int error_class;
  Word (*freed)();  // null: nothing of this kind can be freed yet
};

Word freed_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  const Word value = word(comm);
  MPI_Comm_free(&comm);
  return value;
}

Word freed_datatype() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_INT, &type);
  const Word value = word(type);
  MPI_Type_free(&type);
  return value;
}

Word completed_request() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
  const Word value = word(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return value;
}

HandleFacts facts_of(Kind kind) {
  switch (kind) {
    case Kind::communicator:
      return {word(MPI_COMM_SELF), word(MPI_COMM_NULL), "MPI_COMM_NULL", MPI_ERR_COMM, freed_communicator};
    case Kind::datatype:
      return {word(MPI_INT), word(MPI_DATATYPE_NULL), "MPI_DATATYPE_NULL", MPI_ERR_TYPE, freed_datatype};
    case Kind::operation:
      return {word(MPI_SUM), word(MPI_OP_NULL), "MPI_OP_NULL", MPI_ERR_OP, nullptr};
    case Kind::group:
      return {word(MPI_GROUP_EMPTY), word(MPI_GROUP_NULL), "MPI_GROUP_NULL", MPI_ERR_GROUP, nullptr};
    case Kind::info:
      return {word(MPI_INFO_NULL), word(MPI_INFO_NULL), "MPI_INFO_NULL", MPI_ERR_INFO, nullptr};
    case Kind::errhandler:
      return {word(MPI_ERRORS_RETURN), word(MPI_ERRHANDLER_NULL), "MPI_ERRHANDLER_NULL", MPI_ERR_ERRHANDLER, nullptr};
    default:
      return {word(MPI_REQUEST_NULL), word(MPI_REQUEST_NULL), "MPI_REQUEST_NULL", MPI_ERR_REQUEST, completed_request};
  }
}

// `name` is how the message calls it.
std::vector<BadValue> bad_handles(const std::string& name, Kind kind) {
  const HandleFacts facts = facts_of(kind);
  const std::vector<int> classes{facts.error_class};
  std::vector<BadValue> bad;
  if (facts.null != facts.good)
    bad.push_back(constant(facts.null_name, facts.null, classes, {name, facts.null_name, "is needed"}));
  // Zero, a predefined value of no kind, an address, an index beyond every table, a generation that never was.
  for (const Word value : {Word{0}, Word{0xfff}, Word{0x7ffd12345678}, Word{0x1fffffff0}, Word{0x7777777700001000}})
    bad.push_back(
        constant(fmt::format("{:#x}", value), value, classes, {fmt::format("{}={:#x} is no", name, value)}));
  if (facts.freed) bad.push_back({"a freed handle", facts.freed, classes, {name, "freed"}});
  return bad;
}

// ---- everything else

std::vector<BadValue> bad_integers(const std::string& name, int error_class, std::initializer_list<int> values,
                                   const char* valid) {
  std::vector<BadValue> bad;
  for (const int value : values)
    bad.push_back(constant(fmt::format("{}", value), static_cast<Word>(value), {error_class},
                           {fmt::format("{}={}", name, value), valid}));
  return bad;
}

BadValue null_address(const std::string& name, std::vector<int> classes) {
  return constant("null", 0, std::move(classes), {name + " is null", "address"});
}

// An address at which a bad handle lies.
std::vector<BadValue> with_bad_handles_inside(const std::string& name, Kind kind, std::size_t position) {
  std::vector<BadValue> bad = bad_handles(name, kind);
  for (BadValue& value : bad)
    value.make = [position, make = value.make] {
      auto* place = reinterpret_cast<Word*>(scratch(position));
      *place = make();
      return word(place);
    };
  bad.push_back(null_address(name.substr(0, name.find('[')), {MPI_ERR_ARG}));
  return bad;
}

std::vector<BadValue> bad_values(const Argument& argument, std::size_t position) {
  const std::string name = argument.name;
  switch (argument.kind) {
    case Kind::any_integer:
    case Kind::any_address:
    case Kind::function:
      return {};
    case Kind::result:
    case Kind::status:
      return {null_address(name, {MPI_ERR_ARG})};
    case Kind::buffer:
      return {null_address(name, {MPI_ERR_BUFFER})};
    case Kind::text:
      return {constant("null", 0, {MPI_ERR_ARG, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE}, {name + " is null"})};
    case Kind::count:
      return bad_integers(name, MPI_ERR_COUNT, {-1, INT_MIN}, "0 or more");
    case Kind::destination:
      return bad_integers(name, MPI_ERR_RANK, {1, INT_MAX, -77, MPI_ANY_SOURCE}, "(0 to 0) or MPI_PROC_NULL");
    case Kind::source:
      return bad_integers(name, MPI_ERR_RANK, {1, INT_MAX, -77}, "(0 to 0), MPI_ANY_SOURCE or MPI_PROC_NULL");
    case Kind::root:
      return bad_integers(name, MPI_ERR_ROOT, {1, INT_MAX, -77, MPI_PROC_NULL}, "(0 to 0)");
    case Kind::send_tag:
      return bad_integers(name, MPI_ERR_TAG, {-77, INT_MIN, MPI_ANY_TAG}, "0 to 2147483647");
    case Kind::receive_tag:
      return bad_integers(name, MPI_ERR_TAG, {-77, INT_MIN}, "0 to 2147483647 and MPI_ANY_TAG");
    case Kind::thread_level:
      return bad_integers(name, MPI_ERR_ARG, {-77, 77}, "MPI_THREAD_MULTIPLE");
    case Kind::color:
      return bad_integers(name, MPI_ERR_ARG, {-77}, "0 or more");
    case Kind::error_code:
      return bad_integers(name, MPI_ERR_ARG, {-77, 0x3fffffff}, "MPI returned");
    case Kind::handle_in_place:
      return with_bad_handles_inside(name, argument.pointee, position);
    case Kind::request_in_place:
      return with_bad_handles_inside(name, Kind::request_in_place, position);
    case Kind::requests:
      return with_bad_handles_inside(name + "[0]", Kind::request_in_place, position);
    default:
      return bad_handles(name, argument.kind);
  }
}

Word good_value(const Argument& argument, std::size_t position) {
  switch (argument.kind) {
    case Kind::any_integer:
    case Kind::destination:
    case Kind::source:
    case Kind::root:
    case Kind::send_tag:
    case Kind::receive_tag:
    case Kind::thread_level:
    case Kind::color:
    case Kind::error_code:
    case Kind::function:
    case Kind::any_address:
      return 0;
    case Kind::count:
      return 1;
    case Kind::result:
    case Kind::buffer:
    case Kind::text:
    case Kind::status:
      return word(scratch(position));
    case Kind::handle_in_place:
    case Kind::request_in_place:
    case Kind::requests: {
      auto* place = reinterpret_cast<Word*>(scratch(position));
      *place = facts_of(argument.kind == Kind::handle_in_place ? argument.pointee : argument.kind).good;
      return word(place);
    }
    default:
      return facts_of(argument.kind).good;
  }
}

Words good_values(const Procedure& procedure) {
  Words words;
  for (std::size_t i = 0; i < procedure.arguments.size(); ++i) words.push_back(good_value(procedure.arguments[i], i));
  return words;
}

}  // namespace

std::vector<Case> cases_of(const Procedure& procedure) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < procedure.arguments.size(); ++i)
    for (const BadValue& bad : bad_values(procedure.arguments[i], i))
      cases.push_back(
          {.title = fmt::format("{} with {} = {}", procedure.name, procedure.arguments[i].name, bad.shown),
           .procedure = procedure.name,
           .classes = bad.classes,
           .fragments = bad.fragments,
           .call = [procedure, i, make = bad.make] {
             Words words = good_values(procedure);
             words[i] = make();
             return procedure.call(words);
           }});
  return cases;
}

std::function<int()> good_call(const Procedure& procedure) {
  return [procedure] { return procedure.call(good_values(procedure)); };
}

}  // namespace antiphon::bad_input
