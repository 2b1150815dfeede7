// Attribute caching: MPI 5.0, 7.7 and 16.1 (the names of MPI-1), and the predefined attributes, 9.1.2.
#include "api/comms/attributes.hpp"

#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

using objects::Attributes;
using objects::Comm;
using objects::Datatype;
using objects::Keyval;
using objects::Ref;
using objects::Window;

namespace {

const char* objects_of(Keyval::Kind kind) {
  switch (kind) {
    case Keyval::Kind::comm:
      return "communicators";
    case Keyval::Kind::datatype:
      return "datatypes";
    case Keyval::Kind::window:
      return "windows";
  }
  return "";
}

bool of_the_world(int keyval) { return keyval >= abi::TAG_UB && keyval <= abi::UNIVERSE_SIZE; }

bool predefined(int keyval) { return of_the_world(keyval) || (keyval >= abi::WIN_BASE && keyval <= abi::WIN_MODEL); }

[[noreturn, gnu::cold, gnu::noinline]] void bad_keyval(const Process& process, int number, const KeyKind& wanted,
                                                       const char* argument) {
  if (number == abi::KEYVAL_INVALID)
    base::fail(abi::ERR_KEYVAL, fmt::format("{} is MPI_KEYVAL_INVALID; an attribute key is needed here", argument));
  if (predefined(number))
    base::fail(abi::ERR_KEYVAL, fmt::format("{}={} is the key of a predefined attribute, which can only be read, on "
                                            "the object that has it",
                                            argument, number));
  if (const Keyval* other = process.keyvals.find(number))
    base::fail(abi::ERR_KEYVAL,
               fmt::format("{}={} is a key for {}; a key for {} is needed here, created by {}", argument, number,
                           objects_of(other->kind()), objects_of(wanted.kind), wanted.create));
  base::fail(abi::ERR_KEYVAL, fmt::format("{}={} is not an attribute key: {} creates one, which is valid until it is "
                                          "freed and no object has its attribute",
                                          argument, number, wanted.create));
}

Keyval& resolve(Process& process, int number, const KeyKind& wanted, const char* argument) {
  Keyval* found = process.keyvals.find(number);
  if (!found || found->kind() != wanted.kind) bad_keyval(process, number, wanted, argument);
  return *found;
}

// The first page holds no function; of its addresses the ABI gives some to predefined ones.
template <class Function>
void check_function(Function* function, std::uintptr_t last_predefined, const char* argument) {
  const auto value = reinterpret_cast<std::uintptr_t>(function);
  if (value > last_predefined && value < objects::kPredefinedHandles)
    base::fail(abi::ERR_ARG,
               fmt::format("{}={:#x} is neither a function of the program nor a predefined one", argument, value));
}

template <class Handle, class CopyFunction, class DeleteFunction>
void create(Process& process, const KeyKind& kind, CopyFunction* copy, DeleteFunction* remove, int* keyval,
            void* extra_state) {
  check_function(copy, abi::COMM_DUP_FN, "copy function");
  check_function(remove, abi::COMM_NULL_DELETE_FN, "delete function");
  check::not_null(keyval, kind.argument);
  *keyval =
      process.keyvals.create(kind.kind, attribute_callbacks<Handle>(process, copy, remove, extra_state)).number();
}

void free(Process& process, const KeyKind& kind, int* keyval, const char* argument) {
  check::not_null(keyval, argument);
  process.keyvals.free(resolve(process, *keyval, kind, argument));
  *keyval = abi::KEYVAL_INVALID;
}

// A value that is there proves that its key lives, so the table of keys is looked at only on a miss.
inline bool found(const Attributes& attributes, int keyval, void* attribute_val, int* flag) {
  check::not_null(attribute_val, "attribute_val");
  check::not_null(flag, "flag");
  void* const* value = attributes.find(keyval);
  if (!value) return false;
  *static_cast<void**>(attribute_val) = *value;
  *flag = 1;
  return true;
}

[[gnu::noinline]] void get_predefined_or_none(Process& process, const Comm& comm, int keyval, const char* argument,
                                              void* attribute_val, int* flag) {
  const int* value = process.predefined_attribute(comm, keyval);
  if (!value && !of_the_world(keyval)) (void)resolve(process, keyval, kCommKeys, argument);
  *flag = value != nullptr;
  if (value) *static_cast<const void**>(attribute_val) = value;
}

inline void look_up(Process& process, const Comm& comm, int keyval, const char* argument, void* attribute_val,
                    int* flag) {
  if (!found(comm.attributes(), keyval, attribute_val, flag))
    get_predefined_or_none(process, comm, keyval, argument, attribute_val, flag);
}

// Callbacks may free the object's handle: a reference keeps it until they are over.
template <class Object>
void set(Process& process, Object& object, const KeyKind& kind, int keyval, const char* argument, void* value) {
  const auto alive = Ref<Object>::share(object);
  object.attributes().set(resolve(process, keyval, kind, argument), value, object.handle());
}

template <class Object>
void remove(Process& process, Object& object, const KeyKind& kind, int keyval, const char* argument) {
  (void)resolve(process, keyval, kind, argument);
  if (!object.attributes().find(keyval))
    base::fail(abi::ERR_KEYVAL, fmt::format("{}={}: this object has no attribute with this key", argument, keyval));
  const auto alive = Ref<Object>::share(object);
  object.attributes().remove(keyval, object.handle());
}

}  // namespace

void comm_create_keyval(Process& process, MPI_Comm_copy_attr_function* comm_copy_attr_fn,
                        MPI_Comm_delete_attr_function* comm_delete_attr_fn, int* comm_keyval, void* extra_state) {
  create<MPI_Comm>(process, kCommKeys, comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
}

void comm_free_keyval(Process& process, int* comm_keyval) { free(process, kCommKeys, comm_keyval, "comm_keyval"); }

void comm_set_attr(Process& process, Comm& comm, int comm_keyval, void* attribute_val) {
  set(process, comm, kCommKeys, comm_keyval, "comm_keyval", attribute_val);
}

void comm_get_attr(Process& process, Comm& comm, int comm_keyval, void* attribute_val, int* flag) {
  look_up(process, comm, comm_keyval, "comm_keyval", attribute_val, flag);
}

void comm_delete_attr(Process& process, Comm& comm, int comm_keyval) {
  remove(process, comm, kCommKeys, comm_keyval, "comm_keyval");
}

void type_create_keyval(Process& process, MPI_Type_copy_attr_function* type_copy_attr_fn,
                        MPI_Type_delete_attr_function* type_delete_attr_fn, int* type_keyval, void* extra_state) {
  create<MPI_Datatype>(process, kTypeKeys, type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state);
}

void type_free_keyval(Process& process, int* type_keyval) { free(process, kTypeKeys, type_keyval, "type_keyval"); }

void type_set_attr(Process& process, Datatype& datatype, int type_keyval, void* attribute_val) {
  set(process, datatype, kTypeKeys, type_keyval, "type_keyval", attribute_val);
}

void type_get_attr(Process& process, const Datatype& datatype, int type_keyval, void* attribute_val, int* flag) {
  if (found(datatype.attributes(), type_keyval, attribute_val, flag)) return;
  (void)resolve(process, type_keyval, kTypeKeys, "type_keyval");
  *flag = 0;
}

void type_delete_attr(Process& process, Datatype& datatype, int type_keyval) {
  remove(process, datatype, kTypeKeys, type_keyval, "type_keyval");
}

void win_create_keyval(Process& process, MPI_Win_copy_attr_function* win_copy_attr_fn,
                       MPI_Win_delete_attr_function* win_delete_attr_fn, int* win_keyval, void* extra_state) {
  create<MPI_Win>(process, kWinKeys, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state);
}

void win_free_keyval(Process& process, int* win_keyval) { free(process, kWinKeys, win_keyval, "win_keyval"); }

void win_set_attr(Process& process, Window& win, int win_keyval, void* attribute_val) {
  set(process, win, kWinKeys, win_keyval, "win_keyval", attribute_val);
}

void win_get_attr(Process& process, Window& win, int win_keyval, void* attribute_val, int* flag) {
  if (found(win.attributes(), win_keyval, attribute_val, flag)) return;
  const std::optional<void*> value = win.predefined_attribute(win_keyval);
  if (!value) (void)resolve(process, win_keyval, kWinKeys, "win_keyval");
  *flag = value ? 1 : 0;
  if (value) *static_cast<void**>(attribute_val) = *value;
}

void win_delete_attr(Process& process, Window& win, int win_keyval) {
  remove(process, win, kWinKeys, win_keyval, "win_keyval");
}

void keyval_create(Process& process, MPI_Copy_function* copy_fn, MPI_Delete_function* delete_fn, int* keyval,
                   void* extra_state) {
  create<MPI_Comm>(process, kCommKeys, copy_fn, delete_fn, keyval, extra_state);
}

void keyval_free(Process& process, int* keyval) { free(process, kCommKeys, keyval, "keyval"); }

void attr_put(Process& process, Comm& comm, int keyval, void* attribute_val) {
  set(process, comm, kCommKeys, keyval, "keyval", attribute_val);
}

void attr_get(Process& process, Comm& comm, int keyval, void* attribute_val, int* flag) {
  look_up(process, comm, keyval, "keyval", attribute_val, flag);
}

void attr_delete(Process& process, Comm& comm, int keyval) { remove(process, comm, kCommKeys, keyval, "keyval"); }

}  // namespace antiphon::api
