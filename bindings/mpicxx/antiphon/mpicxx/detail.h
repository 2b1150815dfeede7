// What every class of namespace MPI is made of: an object that holds one thing of C and nothing else, so that arrays
// of them are arrays of C's; and the conversion of bool[], which C has as int[].
#pragma once

#include <mpi.h>

#include <vector>

#include <antiphon/mpicxx/exception.h>

namespace MPI {

typedef MPI_Aint Aint;
typedef MPI_Offset Offset;

class Datatype;
class Info;
class Group;
class Op;
class Errhandler;
class Status;
class Request;
class Prequest;
class Grequest;
class Comm;
class Nullcomm;
class Intercomm;
class Intracomm;
class Cartcomm;
class Graphcomm;
class Distgraphcomm;
class Win;
class File;

typedef void User_function(const void* invec, void* inoutvec, int len, const Datatype& datatype);
typedef void Datarep_extent_function(const Datatype& datatype, Aint& file_extent, void* extra_state);
typedef void Datarep_conversion_function(void* userbuf, Datatype& datatype, int count, void* filebuf, Offset position,
                                         void* extra_state);

namespace detail {

template <class Native>
class Holds {
 public:
  typedef Native native_type;

  constexpr explicit Holds(Native native) : native_(native) {}
  operator Native() const { return native_; }

  friend bool operator==(const Holds& a, const Holds& b) { return a.native_ == b.native_; }
  friend bool operator!=(const Holds& a, const Holds& b) { return a.native_ != b.native_; }
  friend bool operator==(const Holds& a, Native b) { return a.native_ == b; }
  friend bool operator!=(const Holds& a, Native b) { return a.native_ != b; }

 protected:
  Native native_;
};

// What MPI::ERRORS_THROW_EXCEPTIONS holds: no handle of C's, as in C it is another one for each kind of object.
inline MPI_Errhandler throws_exceptions() {
  static char mark;
  return reinterpret_cast<MPI_Errhandler>(&mark);
}

template <class Object>
typename Object::native_type* in_c(Object* objects) {
  static_assert(sizeof(Object) == sizeof(typename Object::native_type), "an array of one is an array of the other");
  return reinterpret_cast<typename Object::native_type*>(objects);
}

template <class Object>
const typename Object::native_type* in_c(const Object* objects) {
  return in_c(const_cast<Object*>(objects));
}

class Flags {
 public:
  explicit Flags(int count) : flags_(size(count)) {}
  Flags(const bool* flags, int count) : flags_(flags, flags + size(count)) {}

  int* in_c() { return flags_.data(); }
  void copy_to(bool* flags) const {
    for (std::size_t i = 0; i < flags_.size(); ++i) flags[i] = flags_[i] != 0;
  }

 private:
  // A negative count is for MPI to complain about.
  static std::size_t size(int count) { return count < 0 ? 0 : static_cast<std::size_t>(count); }

  std::vector<int> flags_;
};

}  // namespace detail
}  // namespace MPI
