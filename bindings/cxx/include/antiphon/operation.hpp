// What a reduction does with two values: a function object. Those that MPI has become its predefined operations
// (std::plus, std::multiplies, std::bit_and, ..., antiphon::minimum and maximum on arithmetic types); any other one
// becomes an operation of the program's, made when it is first used. It may have state, as a lambda that captures or
// a pointer to a function has.
//
// MPI combines in rank order unless it is told that the order does not matter: antiphon::commutative(f). It calls the
// function in whatever thread of this process waits, so what functions share is for the program to protect.
#pragma once

#include <mpi.h>

#include <complex>
#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>

#include "datatype.hpp"
#include "error.hpp"

namespace antiphon {

struct minimum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

struct maximum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

// An operation that gives the same whatever the order of its operands, and so leaves MPI more ways.
template <class F>
struct commutative : F {
  constexpr explicit commutative(F function) : F(function) {}
  commutative() = default;
};

namespace detail {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
concept number = std::floating_point<T> || any_of<T, signed char, unsigned char, short, unsigned short, int, unsigned,
                                                  long, unsigned long, long long, unsigned long long>;

template <class F, class T, template <class> class Function>
concept means = any_of<F, Function<void>, Function<T>>;

// The predefined operation, or none{}.
template <class F, class T>
auto predefined_operation() {
  if constexpr ((number<T> || is_complex<T>)&&means<F, T, std::plus>)
    return MPI_SUM;
  else if constexpr ((number<T> || is_complex<T>)&&means<F, T, std::multiplies>)
    return MPI_PROD;
  else if constexpr (number<T> && std::same_as<F, minimum>)
    return MPI_MIN;
  else if constexpr (number<T> && std::same_as<F, maximum>)
    return MPI_MAX;
  else if constexpr ((std::integral<T> && number<T>) || std::same_as<T, std::byte>) {
    if constexpr (means<F, T, std::bit_and>)
      return MPI_BAND;
    else if constexpr (means<F, T, std::bit_or>)
      return MPI_BOR;
    else if constexpr (means<F, T, std::bit_xor>)
      return MPI_BXOR;
    else
      return none{};
  } else if constexpr (std::same_as<T, bool>) {
    if constexpr (means<F, T, std::logical_and>)
      return MPI_LAND;
    else if constexpr (means<F, T, std::logical_or>)
      return MPI_LOR;
    else
      return none{};
  } else
    return none{};
}

// Where all functions of a type do the same, MPI's call can make one. Others have to be found.
template <class F>
concept stateless = std::is_empty_v<F> && std::default_initializable<F>;

// MPI hands an operation the datatype of the reduction that it works for, and nothing else that would tell one
// reduction from another one. So a function with state travels with the datatype: each reduction has a duplicate of
// its own, and the function's address is an attribute of that. Any number of reductions may be under way, in any
// threads.
inline int function_attribute() {
  static const int key = [] {
    int result = MPI_KEYVAL_INVALID;
    check(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &result, nullptr));
    return result;
  }();
  return key;
}

// The datatype of a reduction by a function that stays where it is until the reduction is over.
template <class F>
class operand_type {
 public:
  operand_type(MPI_Datatype elements, const F& function) {
    MPI_Datatype duplicate = MPI_DATATYPE_NULL;
    check(MPI_Type_dup(elements, &duplicate));
    type_.reset(duplicate);
    check(MPI_Type_set_attr(duplicate, function_attribute(), const_cast<F*>(std::addressof(function))));
  }
  [[nodiscard]] MPI_Datatype get() const noexcept { return type_.get(); }

 private:
  temporary_datatype type_;
};
template <stateless F>
class operand_type<F> {
 public:
  operand_type(MPI_Datatype elements, const F&) noexcept : type_(elements) {}
  [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

 private:
  MPI_Datatype type_;
};

template <class F>
const F& function_of(MPI_Datatype type) {
  void* address = nullptr;
  int found = 0;
  check(MPI_Type_get_attr(type, function_attribute(), static_cast<void*>(&address), &found));
  if (!found) throw error(MPI_ERR_OP, "this MPI hands operations another datatype than the reduction's");
  return *static_cast<const F*>(address);
}

// MPI calls this; in inout, the right operand. Nobody could catch what a function throws: that ends the program.
template <class F, class T>
void combine(void* in, void* inout, MPI_Count* count, [[maybe_unused]] MPI_Datatype* type) noexcept {
  const T* left = static_cast<const T*>(in);
  T* right = static_cast<T*>(inout);
  const auto apply = [&](const F& function) {
    for (MPI_Count i = 0; i < *count; ++i) right[i] = function(left[i], right[i]);
  };
  if constexpr (stateless<F>)
    apply(F());
  else
    apply(function_of<F>(*type));
}

template <class F>
inline constexpr bool commutes = false;
template <class F>
inline constexpr bool commutes<commutative<F>> = true;

template <class F, class T>
MPI_Op make_operation() {
  MPI_Op operation = MPI_OP_NULL;
  check(MPI_Op_create_c(combine<F, T>, commutes<F>, &operation));
  return operation;
}

// The operation for elements of type T.
template <class T, class F>
MPI_Op operation_of(const F&) {
  static_assert(!std::integral<F>, "this is no operation; if it is the root, it has a name: say {.root = rank}");
  static_assert(std::is_invocable_r_v<T, const F&, const T&, const T&>,
                "an operation takes two elements of the buffer and returns one, and stays as it is");
  if constexpr (!std::same_as<decltype(predefined_operation<F, T>()), none>) {
    return predefined_operation<F, T>();
  } else if constexpr (std::is_invocable_r_v<T, const F&, const T&, const T&>) {
    static const MPI_Op operation = make_operation<F, T>();
    return operation;
  } else {
    return MPI_OP_NULL;
  }
}

}  // namespace detail
}  // namespace antiphon
