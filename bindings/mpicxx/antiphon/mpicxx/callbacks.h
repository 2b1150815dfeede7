// Functions of the program that MPI calls, C++ ones behind C ones: of attributes, generalized requests, errors,
// reductions. Where C hands them a pointer of the program's, it leads to the C++ functions; where it does not,
// `Numbered` finds them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <tuple>

namespace MPI {
namespace detail {

// The object that a callback is given for a C handle. A communicator comes as what it is.
template <class Object>
class Argument {
 public:
  explicit Argument(typename Object::native_type native) : object_(native) {}
  Object& get() { return object_; }

 private:
  Object object_;
};

template <>
class Argument<Comm> {
 public:
  explicit Argument(MPI_Comm native) : object_(of_its_class(native)) {}
  Comm& get() { return *object_; }

 private:
  static Comm* of_its_class(MPI_Comm native) {
    if (native == MPI_COMM_NULL) return new Nullcomm;
    int is_inter = 0, topology = MPI_UNDEFINED;
    MPI_Comm_test_inter(native, &is_inter);
    if (is_inter) return new Intercomm(native);
    MPI_Topo_test(native, &topology);
    if (topology == MPI_CART) return new Cartcomm(native);
    if (topology == MPI_GRAPH) return new Graphcomm(native);
    if (topology == MPI_DIST_GRAPH) return new Distgraphcomm(native);
    return new Intracomm(native);
  }

  std::unique_ptr<Comm> object_;
};

// --- Attributes

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

// --- Generalized requests

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

// --- Callbacks without a pointer of the program's

// The C function of number 0, 1, ... calls the C++ function that was given this number, for good: how many different
// ones there are is a matter of the program's text. `Kind` has the two function types and the C functions, as
// `in_c<number>`.
template <class Kind, int number = 0>
struct Numbered {
  typedef typename Kind::function function;

  static std::atomic<function*>& mine() {
    static std::atomic<function*> mine{nullptr};
    return mine;
  }

  static typename Kind::c_function* calling(function* wanted) {
    function* expected = nullptr;
    if (mine().compare_exchange_strong(expected, wanted) || expected == wanted) return &Kind::template in_c<number>;
    return Numbered<Kind, number + 1>::calling(wanted);
  }
};

enum { most_functions = 128 };

template <class Kind>
struct Numbered<Kind, most_functions> {
  static typename Kind::c_function* calling(typename Kind::function*) {
    throw std::length_error(std::string(Kind::name()) + ": 128 different functions are in use already");
  }
};

// --- Reductions

struct Reductions {
  typedef User_function function;
  typedef MPI_User_function c_function;
  static const char* name() { return "MPI::Op::Init"; }

  template <int number>
  static void in_c(void* in, void* inout, int* length, MPI_Datatype* datatype) {
    guarded([&] {
      Numbered<Reductions, number>::mine().load()(in, inout, *length, Datatype(*datatype));
      return MPI_SUCCESS;
    });
  }
};

inline MPI_User_function* in_c(User_function* function) { return Numbered<Reductions>::calling(function); }

// --- Error handlers

template <class Object>
struct ErrorHandlers {
  typedef typename Object::native_type native_type;
  typedef typename Object::Errhandler_function function;
  typedef void c_function(native_type*, int*, ...);
  static const char* name() { return "MPI::...::Create_errhandler"; }

  template <int number>
  static void in_c(native_type* native, int* error_code, ...) {
    const int code = *error_code;
    int in_cxx = code;
    guarded([&] {
      Numbered<ErrorHandlers, number>::mine().load()(Argument<Object>(*native).get(), &in_cxx);
      return MPI_SUCCESS;
    });
  }
};

inline int create_errhandler_in_c(MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler) {
  return MPI_Comm_create_errhandler(function, errhandler);
}
inline int create_errhandler_in_c(MPI_Win_errhandler_function* function, MPI_Errhandler* errhandler) {
  return MPI_Win_create_errhandler(function, errhandler);
}
inline int create_errhandler_in_c(MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  return MPI_File_create_errhandler(function, errhandler);
}

inline int set_errhandler_in_c(MPI_Comm comm, MPI_Errhandler errhandler) {
  return MPI_Comm_set_errhandler(comm, errhandler);
}
inline int set_errhandler_in_c(MPI_Win win, MPI_Errhandler errhandler) {
  return MPI_Win_set_errhandler(win, errhandler);
}
inline int set_errhandler_in_c(MPI_File file, MPI_Errhandler errhandler) {
  return MPI_File_set_errhandler(file, errhandler);
}

inline int get_errhandler_in_c(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return MPI_Comm_get_errhandler(comm, errhandler);
}
inline int get_errhandler_in_c(MPI_Win win, MPI_Errhandler* errhandler) {
  return MPI_Win_get_errhandler(win, errhandler);
}
inline int get_errhandler_in_c(MPI_File file, MPI_Errhandler* errhandler) {
  return MPI_File_get_errhandler(file, errhandler);
}

template <class Native>
void throw_exception(Native* /*object*/, int* error_code, ...) {
  const int code = *error_code;
  guarded([&]() -> int { throw Exception(code); });
}

// MPI::ERRORS_THROW_EXCEPTIONS is one error handler in C++ and one for each kind of object in C, made when it is
// first set.
template <class Native>
MPI_Errhandler throws_exceptions_in_c() {
  static const MPI_Errhandler handler = [] {
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    check(create_errhandler_in_c(&throw_exception<Native>, &made));
    return made;
  }();
  return handler;
}

template <class Object>
Errhandler create_errhandler(typename Object::Errhandler_function* function) {
  MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
  check(create_errhandler_in_c(Numbered<ErrorHandlers<Object>>::calling(function), &errhandler));
  return errhandler;
}

template <class Object>
void set_errhandler(typename Object::native_type native, MPI_Errhandler errhandler) {
  const bool throws = errhandler == throws_exceptions();
  check(set_errhandler_in_c(native, throws ? throws_exceptions_in_c<typename Object::native_type>() : errhandler));
}

template <class Object>
Errhandler get_errhandler(typename Object::native_type native) {
  MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
  check(get_errhandler_in_c(native, &errhandler));
  if (errhandler != throws_exceptions_in_c<typename Object::native_type>()) return errhandler;
  check(MPI_Errhandler_free(&errhandler));  // the reference that came with it; what C++ shows in its place needs none
  return throws_exceptions();
}

inline void free_errhandler(MPI_Errhandler& errhandler) {
  if (errhandler == throws_exceptions())
    errhandler = MPI_ERRHANDLER_NULL;
  else
    check(MPI_Errhandler_free(&errhandler));
}

// --- Data representations

struct DatarepFunctions {
  Datarep_conversion_function* read;
  Datarep_conversion_function* write;
  Datarep_extent_function* extent;
  void* extra_state;
};

template <Datarep_conversion_function* DatarepFunctions::*conversion>
int convert_data(void* userbuf, MPI_Datatype native, int count, void* filebuf, MPI_Offset position, void* state) {
  const DatarepFunctions& functions = *static_cast<DatarepFunctions*>(state);
  return guarded([&] {
    Datatype datatype(native);
    (functions.*conversion)(userbuf, datatype, count, filebuf, position, functions.extra_state);
    return MPI_SUCCESS;
  });
}

inline int extent_in_file(MPI_Datatype datatype, MPI_Aint* extent, void* state) {
  const DatarepFunctions& functions = *static_cast<DatarepFunctions*>(state);
  return guarded([&] {
    functions.extent(Datatype(datatype), *extent, functions.extra_state);
    return MPI_SUCCESS;
  });
}

// A data representation is there until the program ends, and so are its functions.
inline void register_datarep(const char* datarep, Datarep_conversion_function* read,
                             Datarep_conversion_function* write, Datarep_extent_function* extent, void* extra_state) {
  check(MPI_Register_datarep(datarep, read ? &convert_data<&DatarepFunctions::read> : MPI_CONVERSION_FN_NULL,
                             write ? &convert_data<&DatarepFunctions::write> : MPI_CONVERSION_FN_NULL, extent_in_file,
                             new DatarepFunctions{read, write, extent, extra_state}));
}

}  // namespace detail

const Errhandler ERRORS_THROW_EXCEPTIONS(detail::throws_exceptions());

}  // namespace MPI
