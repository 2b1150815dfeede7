// Keys and attributes of communicators, datatypes and windows, and those of MPI 1, whose values are plain integers.
#include <forward_list>
#include <mutex>

#include "arguments.hpp"
#include "attribute_values.hpp"
#include "fortran.hpp"
#include "handles.hpp"

namespace antiphon::fortran {

namespace {

// Fortran's functions of a key. Integer is the type of its attributes.
template <class Integer>
struct Key {
  using Copy = void(int* object, int* keyval, Integer* extra_state, Integer* in, Integer* out, int* flag,
                    int* ierror);
  using Delete = void(int* object, int* keyval, Integer* attribute, Integer* extra_state, int* ierror);

  Copy* copy;
  Delete* drop;
  Integer extra_state;
};

template <class Handle, class Integer>
int copy_attribute(Handle object, int keyval, void* extra_state, void* in, void* out, int* flag) {
  auto* const key = static_cast<Key<Integer>*>(extra_state);
  int number = Numbers<Handle>::to(object), logical = logical_of(0), ierror = MPI_SUCCESS;
  auto value_in = static_cast<Integer>(value_of(in)), value_out = Integer{};
  key->copy(&number, &keyval, &key->extra_state, &value_in, &value_out, &logical, &ierror);
  *flag = ierror == MPI_SUCCESS && truth(&logical);
  if (*flag) *static_cast<void**>(out) = make_cell(value_out);
  return ierror;
}

template <class Handle, class Integer>
int delete_attribute(Handle object, int keyval, void* attribute, void* extra_state) {
  auto* const key = static_cast<Key<Integer>*>(extra_state);
  int number = Numbers<Handle>::to(object), ierror = MPI_SUCCESS;
  auto value = static_cast<Integer>(value_of(attribute));
  key->drop(&number, &keyval, &value, &key->extra_state, &ierror);
  if (ierror == MPI_SUCCESS) end_cell(attribute);
  return ierror;
}

// MPI does not say when a key's last attribute is gone, so what is known of a key stays, where checkers for leaks
// find it.
template <class Integer>
Key<Integer>* keep(const Key<Integer>& key) {
  static std::mutex mutex;
  static auto& known = *new std::forward_list<Key<Integer>>;
  const std::lock_guard guard(mutex);
  return &known.emplace_front(key);
}

template <class Handle, class Integer, class Create>
int create(Create create, typename Key<Integer>::Copy* copy, typename Key<Integer>::Delete* drop, int* keyval,
           const Integer* extra_state) {
  Key<Integer>* const key = keep(Key<Integer>{copy, drop, *extra_state});
  return create(copy_attribute<Handle, Integer>, delete_attribute<Handle, Integer>, keyval, key);
}

template <class Set, class Handle>
int set(Set set, Handle object, int keyval, MPI_Aint value) {
  void* const cell = make_cell(value);
  const int code = set(object, keyval, cell);
  if (code != MPI_SUCCESS) end_cell(cell);
  return code;
}

template <class Get, class Handle, class Integer>
int get(Get get, MPI_Aint value(int, void*), Handle object, int keyval, Integer* attribute, int* flag) {
  void* found = nullptr;
  int is_found = 0;
  const int code = get(object, keyval, &found, &is_found);
  if (code != MPI_SUCCESS) return code;
  *flag = logical_of(is_found);
  if (is_found) *attribute = static_cast<Integer>(value(keyval, found));
  return code;
}

}  // namespace

extern "C" {

#define ANTIPHON_ATTRIBUTES(name, Name, Handle)                                                                 \
  void ANTIPHON_ENTRY(mpi_##name##_create_keyval_)(Key<MPI_Aint>::Copy * copy, Key<MPI_Aint>::Delete * drop,    \
                                                   int* keyval, const MPI_Aint* extra_state, int* ierror) {     \
    give(ierror,                                                                                                \
         create<Handle, MPI_Aint>(ANTIPHON_CALL(MPI_##Name##_create_keyval), copy, drop, keyval, extra_state)); \
  }                                                                                                             \
  void ANTIPHON_ENTRY(mpi_##name##_set_attr_)(const int* object, const int* keyval, const MPI_Aint* value,      \
                                              int* ierror) {                                                    \
    give(ierror, set(ANTIPHON_CALL(MPI_##Name##_set_attr), from<Handle>(object), *keyval, *value));             \
  }                                                                                                             \
  void ANTIPHON_ENTRY(mpi_##name##_get_attr_)(const int* object, const int* keyval, MPI_Aint* value, int* flag, \
                                              int* ierror) {                                                    \
    give(ierror,                                                                                                \
         get(ANTIPHON_CALL(MPI_##Name##_get_attr), name##_value, from<Handle>(object), *keyval, value, flag));  \
  }                                                                                                             \
  ANTIPHON_ALIAS(mpi_##name##_create_keyval_f08_, mpi_##name##_create_keyval_);                                 \
  ANTIPHON_ALIAS(mpi_##name##_set_attr_f08_, mpi_##name##_set_attr_);                                           \
  ANTIPHON_ALIAS(mpi_##name##_get_attr_f08_, mpi_##name##_get_attr_);

ANTIPHON_ATTRIBUTES(comm, Comm, MPI_Comm)
ANTIPHON_ATTRIBUTES(type, Type, MPI_Datatype)
ANTIPHON_ATTRIBUTES(win, Win, MPI_Win)

void ANTIPHON_ENTRY(mpi_keyval_create_)(Key<int>::Copy* copy, Key<int>::Delete* drop, int* keyval,
                                        const int* extra_state, int* ierror) {
  give(ierror, create<MPI_Comm, int>(ANTIPHON_CALL(MPI_Keyval_create), copy, drop, keyval, extra_state));
}

void ANTIPHON_ENTRY(mpi_attr_put_)(const int* comm, const int* keyval, const int* value, int* ierror) {
  give(ierror, set(ANTIPHON_CALL(MPI_Attr_put), from<MPI_Comm>(comm), *keyval, *value));
}

void ANTIPHON_ENTRY(mpi_attr_get_)(const int* comm, const int* keyval, int* value, int* flag, int* ierror) {
  give(ierror, get(ANTIPHON_CALL(MPI_Attr_get), comm_value, from<MPI_Comm>(comm), *keyval, value, flag));
}

ANTIPHON_ALIAS(mpi_keyval_create_f08_, mpi_keyval_create_);
ANTIPHON_ALIAS(mpi_attr_put_f08_, mpi_attr_put_);
ANTIPHON_ALIAS(mpi_attr_get_f08_, mpi_attr_get_);

}  // extern "C"

}  // namespace antiphon::fortran
