// What the constructors of datatypes share: they check their arguments and make a recipe of them, and a handle of
// the recipe.
#pragma once

#include <string_view>

#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

[[nodiscard]] inline objects::Ref<objects::Datatype> share(const objects::Datatype& type) {
  return objects::Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(type));  // counting is no change of it
}

// Collects a constructor's arguments in their order. Throws at the first that is not valid.
class TypeArguments {
 public:
  TypeArguments(Process& process, int combiner, MPI_Datatype* newtype) : process_(process), newtype_(newtype) {
    check::not_null(newtype, "newtype");
    recipe_.combiner = combiner;
    recipe_.large = std::string_view(process.call().procedure).ends_with("_c");
  }

  // A number of things; 0 is one.
  TypeArguments& count(const char* argument, MPI_Count value) {
    if (value < 0) check::cold::bad_count(argument, value);
    return number(value);
  }
  TypeArguments& number(MPI_Count value) {
    recipe_.numbers.push_back(value);
    return *this;
  }
  TypeArguments& counts(const char* argument, CountArray values, MPI_Count length) {
    numbers(argument, values, length);
    const MPI_Count* added = recipe_.numbers.data() + recipe_.numbers.size() - length;
    for (MPI_Count i = 0; i < length; ++i)
      if (added[i] < 0) bad_element(argument, i, added[i], "a number of elements is 0 or more");
    return *this;
  }
  TypeArguments& numbers(const char* argument, IntegerArray values, MPI_Count length) {
    if (length > 0) check::not_null(values.data(), argument);
    recipe_.numbers.reserve(recipe_.numbers.size() + static_cast<std::size_t>(length));
    for (MPI_Count i = 0; i < length; ++i) recipe_.numbers.push_back(values[i]);
    return *this;
  }
  TypeArguments& type(const objects::Datatype& type) {
    recipe_.types.push_back(share(type));
    return *this;
  }
  TypeArguments& types(const char* argument, const MPI_Datatype values[], MPI_Count length) {
    if (length > 0) check::not_null(values, argument);
    for (MPI_Count i = 0; i < length; ++i) type(resolve(argument, i, values[i]));
    return *this;
  }

  void make() {
    auto made = objects::Ref<objects::Datatype>::adopt(new objects::Datatype(std::move(recipe_)));
    *newtype_ = reinterpret_cast<MPI_Datatype>(process_.datatypes.insert(std::move(made)));
  }

  [[noreturn, gnu::cold]] static void bad_element(const char* argument, MPI_Count index, MPI_Count value,
                                                  const char* valid) {
    base::fail(abi::ERR_ARG, fmt::format("{}[{}]={} is not valid: {}", argument, index, value, valid));
  }

 private:
  const objects::Datatype& resolve(const char* argument, MPI_Count index, MPI_Datatype handle) const {
    const objects::Datatype* found = process_.datatypes.find(reinterpret_cast<std::uintptr_t>(handle));
    if (!found)
      Call::fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, handle,
                        fmt::format("{}[{}]", argument, index).c_str());
    return *found;
  }

  Process& process_;
  MPI_Datatype* newtype_;
  objects::Recipe recipe_;
};

}  // namespace antiphon::api
