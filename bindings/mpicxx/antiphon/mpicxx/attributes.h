// Functions that copy and delete attributes: C's are told an extra state, which leads to those of C++.
#pragma once

#include <mutex>
#include <set>
#include <tuple>

#include <antiphon/mpicxx/argument.h>

namespace MPI {
namespace detail {

template <class Object>
using AttributeFunctions =
    std::tuple<typename Object::Copy_attr_function*, typename Object::Delete_attr_function*, void*>;

// What becomes the extra state of C. MPI does not tell when it needs it no more, so it stays, once for each content.
template <class Object>
void* kept(const AttributeFunctions<Object>& functions) {
  static std::mutex mutex;
  static std::set<AttributeFunctions<Object>>& all = *new std::set<AttributeFunctions<Object>>;
  const std::lock_guard<std::mutex> lock(mutex);
  return const_cast<AttributeFunctions<Object>*>(&*all.insert(functions).first);
}

template <class Object>
int copy_attribute(typename Object::native_type native, int keyval, void* extra_state, void* in, void* out,
                   int* flag) {
  return guarded([&] {
    const auto& functions = *static_cast<AttributeFunctions<Object>*>(extra_state);
    bool copied = false;
    const int code =
        std::get<0>(functions)(Argument<Object>(native).get(), keyval, std::get<2>(functions), in, out, copied);
    *flag = copied;
    return code;
  });
}

template <class Object>
int delete_attribute(typename Object::native_type native, int keyval, void* value, void* extra_state) {
  return guarded([&] {
    const auto& functions = *static_cast<AttributeFunctions<Object>*>(extra_state);
    return std::get<1>(functions)(Argument<Object>(native).get(), keyval, value, std::get<2>(functions));
  });
}

inline int create_keyval_in_c(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* del, int* keyval,
                              void* extra_state) {
  return MPI_Comm_create_keyval(copy, del, keyval, extra_state);
}

inline int create_keyval_in_c(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* del, int* keyval,
                              void* extra_state) {
  return MPI_Type_create_keyval(copy, del, keyval, extra_state);
}

inline int create_keyval_in_c(MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* del, int* keyval,
                              void* extra_state) {
  return MPI_Win_create_keyval(copy, del, keyval, extra_state);
}

template <class Object>
int create_keyval(typename Object::Copy_attr_function* copy, typename Object::Delete_attr_function* del,
                  void* extra_state) {
  int keyval = MPI_KEYVAL_INVALID;
  void* state = kept<Object>(AttributeFunctions<Object>(copy, del, extra_state));
  check(create_keyval_in_c(&copy_attribute<Object>, &delete_attribute<Object>, &keyval, state));
  return keyval;
}

}  // namespace detail
}  // namespace MPI
