// How a datatype was made: MPI 5.0, 5.1.13.
#include "api/call.hpp"
#include "api/check.hpp"
#include "objects/contents.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::Place;

namespace {

struct Envelope {
  MPI_Count integers = 0, addresses = 0, large_counts = 0, datatypes = 0;
};

Envelope envelope_of(const objects::Recipe& recipe) {
  Envelope envelope;
  for (std::size_t i = 0; i < recipe.numbers.size(); ++i) {
    const Place place = objects::place_of(recipe, i);
    ++(place == Place::integer   ? envelope.integers
       : place == Place::address ? envelope.addresses
                                 : envelope.large_counts);
  }
  envelope.datatypes = static_cast<MPI_Count>(recipe.types.size());
  return envelope;
}

// Whether this is the large-count procedure, the only one with an argument for large counts.
bool is_large(Process& process) { return std::string_view(process.call().procedure).ends_with("_c"); }

void need_room(const char* argument, MPI_Count given, const char* array, const void* address, MPI_Count needed) {
  if (given < needed)
    base::fail(abi::ERR_ARG, fmt::format("{}={} is too few: MPI_Type_get_envelope tells how many there are, {}",
                                         argument, given, needed));
  if (needed > 0) check::not_null(address, array);
}

[[noreturn, gnu::cold]] void needs_large(const Datatype& type, const char* procedure) {
  base::fail(abi::ERR_TYPE, fmt::format("{} was made by a large-count procedure: only {}_c can tell its arguments",
                                        type.description(), procedure));
}

// The handle under which a constituent is returned: its own if it is predefined, else one that the user frees.
MPI_Datatype handle_of(Process& process, const Datatype& type) {
  const std::uintptr_t value = type.predefined() ? type.handle() : process.datatypes.insert(type.clone());
  return reinterpret_cast<MPI_Datatype>(value);
}

}  // namespace

void type_get_envelope(Process& process, const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                       MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  check::not_null(num_integers, "num_integers");
  check::not_null(num_addresses, "num_addresses");
  if (is_large(process)) check::not_null(num_large_counts, "num_large_counts");
  check::not_null(num_datatypes, "num_datatypes");
  check::not_null(combiner, "combiner");
  const Envelope envelope = envelope_of(datatype.recipe());
  if (envelope.large_counts != 0 && !num_large_counts) needs_large(datatype, "MPI_Type_get_envelope");
  *num_integers = envelope.integers;
  *num_addresses = envelope.addresses;
  if (num_large_counts) *num_large_counts = envelope.large_counts;
  *num_datatypes = envelope.datatypes;
  *combiner = datatype.recipe().combiner;
}

void type_get_contents(Process& process, const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                       MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                       MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                       MPI_Datatype array_of_datatypes[]) {
  const objects::Recipe& recipe = datatype.recipe();
  if (recipe.combiner == abi::COMBINER_NAMED)
    base::fail(abi::ERR_TYPE, fmt::format("{} is predefined: no call made it, so there are no arguments to return",
                                          datatype.name()));
  const Envelope envelope = envelope_of(recipe);
  if (envelope.large_counts != 0 && !is_large(process)) needs_large(datatype, "MPI_Type_get_contents");
  need_room("max_integers", max_integers, "array_of_integers", array_of_integers, envelope.integers);
  need_room("max_addresses", max_addresses, "array_of_addresses", array_of_addresses, envelope.addresses);
  need_room("max_large_counts", max_large_counts, "array_of_large_counts", array_of_large_counts,
            envelope.large_counts);
  need_room("max_datatypes", max_datatypes, "array_of_datatypes", array_of_datatypes, envelope.datatypes);
  for (std::size_t i = 0; i < recipe.numbers.size(); ++i) {
    const std::int64_t number = recipe.numbers[i];
    const Place place = objects::place_of(recipe, i);
    if (place == Place::integer)
      *array_of_integers++ = static_cast<int>(number);
    else if (place == Place::address)
      *array_of_addresses++ = number;
    else
      *array_of_large_counts++ = number;
  }
  for (const auto& type : recipe.types) *array_of_datatypes++ = handle_of(process, *type);
}

}  // namespace antiphon::api
