// The objects that callbacks are given for C handles.
#pragma once

#include <memory>

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

}  // namespace detail
}  // namespace MPI
