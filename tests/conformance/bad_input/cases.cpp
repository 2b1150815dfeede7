#include "cases.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>

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

// ---- objects

bool is_running() {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

// What the error handlers of the objects made here are.
MPI_Errhandler current_errhandler() {
  MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
  if (is_running()) MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
  return handler;
}

Word cartesian_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  const int dims = 1, periods = 0;
  if (is_running()) MPI_Cart_create(MPI_COMM_SELF, 1, &dims, &periods, 0, &comm);
  return word(comm);
}

Word graph_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  const int index = 1, edge = 0;
  if (is_running()) MPI_Graph_create(MPI_COMM_SELF, 1, &index, &edge, 0, &comm);
  return word(comm);
}

Word dist_graph_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  const int self = 0, weight = 1;
  if (is_running())
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &self, &weight, 1, &self, &weight, MPI_INFO_NULL, 0, &comm);
  return word(comm);
}

Word own_group() {
  MPI_Group group = MPI_GROUP_EMPTY;
  if (is_running()) MPI_Comm_group(MPI_COMM_SELF, &group);
  return word(group);
}

Word own_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  if (is_running()) MPI_Comm_dup(MPI_COMM_SELF, &comm);
  return word(comm);
}

Word own_datatype() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (is_running()) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  return word(type);
}

Word own_operation() {
  MPI_Op op = MPI_OP_NULL;
  if (is_running()) MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &op);
  return word(op);
}

Word allocated_memory() {
  void* memory = nullptr;
  if (is_running()) MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
  return word(memory);
}

Word some_info() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "name", "value");
  return word(info);
}

Word some_session() {
  MPI_Session session = MPI_SESSION_NULL;
  if (is_running()) MPI_Session_init(MPI_INFO_NULL, current_errhandler(), &session);
  return word(session);
}

// The same one each time, so that the attribute of a good key can be its.
Word some_window() {
  static MPI_Win win = MPI_WIN_NULL;
  if (!is_running()) return word(win);
  void* base = nullptr;
  if (win == MPI_WIN_NULL) MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
  MPI_Win_set_errhandler(win, current_errhandler());
  return word(win);
}

// Without a name, so that nothing of it is left.
Word some_file() {
  static MPI_File file = MPI_FILE_NULL;
  if (!is_running()) return word(file);
  if (file == MPI_FILE_NULL) {
    const std::string path = fmt::format("/tmp/antiphon-bad-input.{}", getpid());
    MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_delete(path.c_str(), MPI_INFO_NULL);
  }
  MPI_File_set_errhandler(file, current_errhandler());
  return word(file);
}

Word fenced_window() {
  const Word window = some_window();
  if (is_running()) MPI_Win_fence(0, (MPI_Win)window);
  return window;
}

// All of whose targets are locked.
Word locked_window() {
  static MPI_Win win = MPI_WIN_NULL;
  if (!is_running()) return word(win);
  void* base = nullptr;
  if (win == MPI_WIN_NULL) {
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
    MPI_Win_lock_all(0, win);
  }
  MPI_Win_set_errhandler(win, current_errhandler());
  return word(win);
}

Word dynamic_window() {
  MPI_Win win = MPI_WIN_NULL;
  if (!is_running()) return word(win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Win_set_errhandler(win, current_errhandler());
  return word(win);
}

Word added_class() {
  int added = 0;
  MPI_Add_error_class(&added);
  return static_cast<Word>(added);
}

Word added_code() {
  int added = 0;
  MPI_Add_error_code(MPI_ERR_OTHER, &added);
  return static_cast<Word>(added);
}

Word described_code() {
  const auto added = static_cast<int>(added_code());
  MPI_Add_error_string(added, "a string");
  return static_cast<Word>(added);
}

// The key of an attribute that the objects have which good calls name.
Word some_keyval(Kind kind) {
  int key = MPI_KEYVAL_INVALID;
  if (!is_running()) return word(key);
  if (kind == Kind::comm_keyval) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  }
  if (kind == Kind::type_keyval) {
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, nullptr);
    MPI_Type_set_attr(MPI_INT, key, nullptr);
  }
  if (kind == Kind::win_keyval) {
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, nullptr);
    MPI_Win_set_attr((MPI_Win)some_window(), key, nullptr);
  }
  return static_cast<Word>(key);
}

void do_nothing() {}

// ---- handles

struct HandleFacts {
  Word (*good)();
  Word null;
  const char* null_name;
  int error_class;
  Word (*freed)() = nullptr;  // null: nothing of this kind can be freed yet
  bool null_is_good = false;
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

Word freed_group() {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_SELF, &group);
  const Word value = word(group);
  MPI_Group_free(&group);
  return value;
}

Word freed_info() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  const Word value = word(info);
  MPI_Info_free(&info);
  return value;
}

Word freed_operation() {
  const Word value = own_operation();
  auto op = (MPI_Op)value;
  MPI_Op_free(&op);
  return value;
}

Word freed_session() {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  const Word value = word(session);
  MPI_Session_finalize(&session);
  return value;
}

Word freed_window() {
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &win);
  const Word value = word(win);
  MPI_Win_free(&win);
  return value;
}

Word closed_file() {
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  const Word value = word(file);
  MPI_File_close(&file);
  return value;
}

Word completed_request() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
  const Word value = word(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return value;
}

// One number sent to ourselves and found by a matched probe.
Word some_message() {
  static const int number = 1;
  MPI_Message message = MPI_MESSAGE_NULL;
  if (is_running()) {
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  }
  return word(message);
}

Word received_message() {
  auto message = reinterpret_cast<MPI_Message>(some_message());
  const Word value = word(message);
  int number = 0;
  MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  return value;
}

Word generalized_request() {
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_running())
    MPI_Grequest_start([](void*, MPI_Status*) { return MPI_SUCCESS; }, [](void*) { return MPI_SUCCESS; },
                       [](void*, int) { return MPI_SUCCESS; }, nullptr, &request);
  return word(request);
}

// Active, with one partition.
Word partitioned_request(decltype(&MPI_Precv_init) init) {
  static int number = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_running()) {
    init(&number, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  return word(request);
}

HandleFacts request_facts(Word (*good)()) {
  return {good, word(MPI_REQUEST_NULL), "MPI_REQUEST_NULL", MPI_ERR_REQUEST, completed_request};
}

HandleFacts facts_of(Kind kind) {
  HandleFacts communicator{[] { return word(MPI_COMM_SELF); }, word(MPI_COMM_NULL), "MPI_COMM_NULL", MPI_ERR_COMM,
                           freed_communicator};
  HandleFacts datatype{[] { return word(MPI_INT); }, word(MPI_DATATYPE_NULL), "MPI_DATATYPE_NULL", MPI_ERR_TYPE,
                       freed_datatype};
  HandleFacts info{some_info, word(MPI_INFO_NULL), "MPI_INFO_NULL", MPI_ERR_INFO, freed_info};
  switch (kind) {
    case Kind::communicator_or_null:
      communicator.null_is_good = true;
      return communicator;
    case Kind::cartesian_communicator:
      communicator.good = cartesian_communicator;
      return communicator;
    case Kind::graph_communicator:
      communicator.good = graph_communicator;
      return communicator;
    case Kind::dist_graph_communicator:
      communicator.good = dist_graph_communicator;
      return communicator;
    case Kind::communicator:
      return communicator;
    case Kind::datatype_or_null:
      datatype.null_is_good = true;
      return datatype;
    case Kind::derived_datatype:
      datatype.good = own_datatype;
      return datatype;
    case Kind::datatype:
      return datatype;
    case Kind::info_or_null:
      info.null_is_good = true;
      return info;
    case Kind::info:
      return info;
    case Kind::operation:
      return {[] { return word(MPI_SUM); }, word(MPI_OP_NULL), "MPI_OP_NULL", MPI_ERR_OP, freed_operation};
    case Kind::group:
    case Kind::group_or_null:
      return {own_group,     word(MPI_GROUP_NULL), "MPI_GROUP_NULL",
              MPI_ERR_GROUP, freed_group,          kind == Kind::group_or_null};
    case Kind::errhandler:
      return {[] { return word(current_errhandler()); }, word(MPI_ERRHANDLER_NULL), "MPI_ERRHANDLER_NULL",
              MPI_ERR_ERRHANDLER};
    case Kind::window:
    case Kind::window_or_null:
      return {some_window, word(MPI_WIN_NULL), "MPI_WIN_NULL",
              MPI_ERR_WIN, freed_window,       kind == Kind::window_or_null};
    case Kind::fenced_window:
      return {fenced_window, word(MPI_WIN_NULL), "MPI_WIN_NULL", MPI_ERR_WIN, freed_window};
    case Kind::locked_window:
      return {locked_window, word(MPI_WIN_NULL), "MPI_WIN_NULL", MPI_ERR_WIN, freed_window};
    case Kind::dynamic_window:
      return {dynamic_window, word(MPI_WIN_NULL), "MPI_WIN_NULL", MPI_ERR_WIN, freed_window};
    case Kind::file:
      return {some_file, word(MPI_FILE_NULL), "MPI_FILE_NULL", MPI_ERR_FILE, closed_file};
    case Kind::file_or_null:
      return {
          [] { return word(MPI_FILE_NULL); }, word(MPI_FILE_NULL), "MPI_FILE_NULL", MPI_ERR_FILE, closed_file, true};
    case Kind::message:
      return {some_message, word(MPI_MESSAGE_NULL), "MPI_MESSAGE_NULL", MPI_ERR_REQUEST, received_message};
    case Kind::generalized_request:
      return request_facts(generalized_request);
    case Kind::partitioned_send:
      return request_facts([] {
        return partitioned_request([](void* buffer, auto... rest) { return MPI_Psend_init(buffer, rest...); });
      });
    case Kind::partitioned_receive: {
      HandleFacts receive = request_facts([] { return partitioned_request(MPI_Precv_init); });
      receive.null_is_good = true;
      return receive;
    }
    case Kind::session:
      return {some_session, word(MPI_SESSION_NULL), "MPI_SESSION_NULL", MPI_ERR_SESSION, freed_session};
    default:
      return {[] { return word(MPI_REQUEST_NULL); },
              word(MPI_REQUEST_NULL),
              "MPI_REQUEST_NULL",
              MPI_ERR_REQUEST,
              completed_request,
              true};
  }
}

// `name` is how the message calls it.
std::vector<BadValue> bad_handles(const std::string& name, Kind kind) {
  const HandleFacts facts = facts_of(kind);
  const std::vector<int> classes{facts.error_class};
  std::vector<BadValue> bad;
  if (!facts.null_is_good)
    bad.push_back(constant(facts.null_name, facts.null, classes, {name, facts.null_name, "need"}));
  // Zero, a predefined value of no kind, an address, an index beyond every table, a generation that never was.
  for (const Word value : {Word{0}, Word{0xfff}, Word{0x7ffd12345678}, Word{0x1fffffff0}, Word{0x7777777700001000}})
    bad.push_back(
        constant(fmt::format("{:#x}", value), value, classes, {fmt::format("{}={:#x} is no", name, value)}));
  if (facts.freed) bad.push_back({"a freed handle", facts.freed, classes, {name, "freed"}});
  return bad;
}

// ---- everything else

std::vector<BadValue> bad_integers(const std::string& name, const std::vector<int>& classes,
                                   std::initializer_list<int> values, const char* valid) {
  std::vector<BadValue> bad;
  for (const int value : values)
    bad.push_back(constant(fmt::format("{}", value), static_cast<Word>(value), classes,
                           {fmt::format("{}={}", name, value), valid}));
  return bad;
}

BadValue null_address(const std::string& name, std::vector<int> classes) {
  return constant("null", 0, std::move(classes), {name + " is null", "address"});
}
// Where arguments were mixed up.
BadValue handle_as_address(const std::string& name, std::vector<int> classes) {
  const Word value = word(MPI_COMM_WORLD);
  return constant("MPI_COMM_WORLD", value, std::move(classes), {name, fmt::format("{:#x}", value), "no address"});
}

std::vector<BadValue> bad_keyvals(const std::string& name) {
  std::vector<BadValue> bad = bad_integers(name, {MPI_ERR_KEYVAL}, {-77, 0x3fffffff}, "");
  bad.push_back(constant("MPI_KEYVAL_INVALID", MPI_KEYVAL_INVALID, {MPI_ERR_KEYVAL},
                         {name + " is MPI_KEYVAL_INVALID", "is needed"}));
  return bad;
}

// An address at which something bad lies, and null.
template <class Stored>
std::vector<BadValue> placed(const std::string& name, std::vector<BadValue> bad, std::size_t position) {
  for (BadValue& value : bad)
    value.make = [position, make = value.make] {
      auto* place = reinterpret_cast<Stored*>(scratch(position));
      *place = static_cast<Stored>(make());
      return word(place);
    };
  const std::string whole = name.substr(0, name.find('['));
  bad.push_back(null_address(whole, {MPI_ERR_ARG}));
  bad.push_back(handle_as_address(whole, {MPI_ERR_ARG}));
  return bad;
}

std::vector<BadValue> bad_values(const Argument& argument, std::size_t position) {
  const std::string name = argument.name;
  switch (argument.kind) {
    case Kind::any_integer:
    case Kind::any_address:
    case Kind::function:
      return {};
    case Kind::needed_function:
      return {constant("null", 0, {MPI_ERR_ARG}, {name + " is null"})};
    case Kind::status_or_ignore:
      return {handle_as_address(name, {MPI_ERR_ARG})};
    case Kind::array:
      return {constant("null", 0, {MPI_ERR_ARG}, {name + " is null"}), handle_as_address(name, {MPI_ERR_ARG})};
    case Kind::result:
    case Kind::status:
      return {null_address(name, {MPI_ERR_ARG}), handle_as_address(name, {MPI_ERR_ARG})};
    case Kind::buffer:
      return {constant("null", 0, {MPI_ERR_BUFFER, MPI_ERR_ARG, MPI_ERR_BASE}, {name, "null"}),
              handle_as_address(name, {MPI_ERR_BUFFER, MPI_ERR_ARG, MPI_ERR_BASE})};
    case Kind::allocated:
      return {constant("an address on the stack", Word{0x7ffd12345678}, {MPI_ERR_BASE},
                       {name + "=0x7ffd12345678", "MPI_Alloc_mem"})};
    case Kind::text:
      return {constant("null", 0, {MPI_ERR_ARG, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE}, {name + " is null"}),
              handle_as_address(name, {MPI_ERR_ARG, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE})};
    case Kind::count:
      return bad_integers(name, {MPI_ERR_COUNT}, {-1, INT_MIN}, "0 or more");
    case Kind::counts:
    case Kind::large_counts: {
      std::vector<BadValue> bad = bad_integers(name + "[0]", {MPI_ERR_COUNT}, {-1, INT_MIN}, "0 or more");
      return argument.kind == Kind::counts ? placed<int>(name + "[0]", std::move(bad), position)
                                           : placed<MPI_Count>(name + "[0]", std::move(bad), position);
    }
    case Kind::length:
      return bad_integers(name, {MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_DIMS, MPI_ERR_TOPOLOGY, MPI_ERR_SIZE},
                          {-1, INT_MIN}, "");
    case Kind::unit:
      return bad_integers(name, {MPI_ERR_DISP}, {0, -1, INT_MIN}, "1 or more bytes");
    case Kind::displacement:
      return bad_integers(name, {MPI_ERR_DISP}, {-1, INT_MIN}, "negative");
    case Kind::offset:
      return bad_integers(name, {MPI_ERR_ARG}, {-1, INT_MIN}, "");
    case Kind::access_mode:
      return bad_integers(name, {MPI_ERR_AMODE}, {-1, 0, 1 << 20, MPI_MODE_RDONLY | MPI_MODE_RDWR}, "MPI_MODE_");
    case Kind::whence:
      return bad_integers(name, {MPI_ERR_ARG}, {-1, 0, 77}, "MPI_SEEK_END");
    case Kind::assertion:
      return bad_integers(name, {MPI_ERR_ASSERT}, {-1, 1, INT_MIN}, "MPI_MODE_");
    case Kind::lock_type:
      return bad_integers(name, {MPI_ERR_LOCKTYPE}, {-1, 0, INT_MIN}, "MPI_LOCK_SHARED");
    case Kind::index:
      return bad_integers(name, {MPI_ERR_ARG, MPI_ERR_DIMS, MPI_ERR_INFO_NOKEY}, {-1, 77}, "");
    case Kind::rank:
      return bad_integers(name, {MPI_ERR_RANK, MPI_ERR_ARG}, {1, INT_MAX, -77}, "0");
    case Kind::destination:
      return bad_integers(name, {MPI_ERR_RANK}, {1, INT_MAX, -77, MPI_ANY_SOURCE}, "(valid: 0 to 0, MPI_PROC_NULL)");
    case Kind::source:
      return bad_integers(name, {MPI_ERR_RANK}, {1, INT_MAX, -77}, "(valid: 0 to 0, MPI_ANY_SOURCE, MPI_PROC_NULL)");
    case Kind::root:
      return bad_integers(name, {MPI_ERR_ROOT}, {1, INT_MAX, -77, MPI_PROC_NULL}, "(valid: 0 to 0)");
    case Kind::send_tag:
      return bad_integers(name, {MPI_ERR_TAG}, {-77, INT_MIN, MPI_ANY_TAG}, "0 to 2147483647");
    case Kind::receive_tag:
      return bad_integers(name, {MPI_ERR_TAG}, {-77, INT_MIN}, "0 to 2147483647 and MPI_ANY_TAG");
    case Kind::thread_level:
      return bad_integers(name, {MPI_ERR_ARG}, {-77, 77}, "MPI_THREAD_MULTIPLE");
    case Kind::color:
      return bad_integers(name, {MPI_ERR_ARG}, {-77}, "0 or more");
    case Kind::error_code:
    case Kind::added_class:
    case Kind::added_code:
    case Kind::described_code:
      return bad_integers(name, {MPI_ERR_ARG}, {-77, 0x3fffffff}, "MPI_Add_error_");
    case Kind::comm_keyval:
    case Kind::type_keyval:
    case Kind::win_keyval:
      return bad_keyvals(name);
    case Kind::keyval_in_place:
      return placed<int>(name, bad_keyvals(name), position);
    case Kind::handle_in_place:
      return placed<Word>(name, bad_handles(name, argument.pointee), position);
    case Kind::request_in_place:
      return placed<Word>(name, bad_handles(name, argument.kind), position);
    case Kind::handles:
      return placed<Word>(name + "[0]", bad_handles(name + "[0]", argument.pointee), position);
    case Kind::requests:
      return placed<Word>(name + "[0]", bad_handles(name + "[0]", argument.kind), position);
    default:
      return bad_handles(name, argument.kind);
  }
}

template <class Stored>
Word place(std::size_t position, Stored value) {
  *reinterpret_cast<Stored*>(scratch(position)) = value;
  return word(scratch(position));
}

// What a call may free, change or complete.
Word own_object(Kind kind) {
  if (kind == Kind::communicator) return own_communicator();
  if (kind == Kind::datatype) return own_datatype();
  if (kind == Kind::operation) return own_operation();
  return facts_of(kind).good();
}

Word good_value(const Argument& argument, std::size_t position) {
  switch (argument.kind) {
    case Kind::any_address:
      return 0;
    case Kind::any_integer:
    case Kind::displacement:
    case Kind::offset:
    case Kind::assertion:
    case Kind::lock_type:
    case Kind::index:
    case Kind::rank:
    case Kind::destination:
    case Kind::source:
    case Kind::root:
    case Kind::send_tag:
    case Kind::receive_tag:
    case Kind::thread_level:
    case Kind::color:
      return argument.good.empty() ? 0 : static_cast<Word>(argument.good.front());
    case Kind::access_mode:
      return MPI_MODE_RDWR;
    case Kind::whence:
      return MPI_SEEK_SET;
    case Kind::count:
    case Kind::unit:
    case Kind::length:
      return argument.good.empty() ? 1 : static_cast<Word>(argument.good.front());
    case Kind::counts:
      return place(position, 1);
    case Kind::large_counts:
      return place(position, MPI_Count{1});
    case Kind::function:
    case Kind::needed_function:
      return word(&do_nothing);
    case Kind::error_code:
      return MPI_ERR_OTHER;
    case Kind::added_class:
      return added_class();
    case Kind::added_code:
      return added_code();
    case Kind::described_code:
      return described_code();
    case Kind::result:
    case Kind::buffer:
    case Kind::status:
    case Kind::status_or_ignore:
    case Kind::array:
      std::ranges::copy(argument.good, reinterpret_cast<int*>(scratch(position)));
      return word(scratch(position));
    case Kind::text:
      std::strcpy(reinterpret_cast<char*>(scratch(position)), argument.good_text);
      return word(scratch(position));
    case Kind::allocated:
      return allocated_memory();
    case Kind::comm_keyval:
    case Kind::type_keyval:
    case Kind::win_keyval:
      return some_keyval(argument.kind);
    case Kind::keyval_in_place:
      return place(position, static_cast<int>(some_keyval(argument.pointee)));
    case Kind::handles:
      return place(position, facts_of(argument.pointee).good());
    case Kind::handle_in_place:
      return place(position, own_object(argument.pointee));
    case Kind::request_in_place:
    case Kind::requests:
      return place(position, facts_of(argument.kind).good());
    default:
      return facts_of(argument.kind).good();
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
