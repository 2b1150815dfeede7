// Making and freeing datatypes: MPI 5.0, 5.1.2 to 5.1.9.
#include "api/comms/attributes.hpp"
#include "api/datatypes/type_arguments.hpp"

namespace antiphon::api {

using objects::Datatype;

namespace {

void check_dimensions(int ndims) {
  if (ndims <= 0) base::fail(abi::ERR_ARG, fmt::format("ndims={} is not valid (valid: 1 or more)", ndims));
}

void check_order(int order) {
  if (order != abi::ORDER_C && order != abi::ORDER_FORTRAN)
    base::fail(abi::ERR_ARG, fmt::format("order={} is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", order));
}

Datatype& live_datatype(Process& process, const MPI_Datatype* handle) {
  check::not_null(handle, "datatype");
  Datatype* found = process.datatypes.find(reinterpret_cast<std::uintptr_t>(*handle));
  if (!found)
    Call::fail_handle(abi::ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", abi::DATATYPE_NULL, *handle, "datatype");
  return *found;
}

}  // namespace

void type_contiguous(Process& process, MPI_Count count, const Datatype& oldtype, MPI_Datatype* newtype) {
  if (count > 0) (void)check::times("count", count, oldtype.extent(), oldtype);
  TypeArguments(process, abi::COMBINER_CONTIGUOUS, newtype).count("count", count).type(oldtype).make();
}

void type_vector(Process& process, MPI_Count count, MPI_Count blocklength, MPI_Count stride, const Datatype& oldtype,
                 MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_VECTOR, newtype)
      .count("count", count)
      .count("blocklength", blocklength)
      .number(stride)
      .type(oldtype)
      .make();
}

void type_create_hvector(Process& process, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                         const Datatype& oldtype, MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_HVECTOR, newtype)
      .count("count", count)
      .count("blocklength", blocklength)
      .number(stride)
      .type(oldtype)
      .make();
}

void type_indexed(Process& process, MPI_Count count, CountArray array_of_blocklengths,
                  DisplacementArray array_of_displacements, const Datatype& oldtype, MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_INDEXED, newtype)
      .count("count", count)
      .counts("array_of_blocklengths", array_of_blocklengths, count)
      .numbers("array_of_displacements", array_of_displacements, count)
      .type(oldtype)
      .make();
}

void type_create_hindexed(Process& process, MPI_Count count, CountArray array_of_blocklengths,
                          DisplacementArray array_of_displacements, const Datatype& oldtype, MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_HINDEXED, newtype)
      .count("count", count)
      .counts("array_of_blocklengths", array_of_blocklengths, count)
      .numbers("array_of_displacements", array_of_displacements, count)
      .type(oldtype)
      .make();
}

void type_create_indexed_block(Process& process, MPI_Count count, MPI_Count blocklength,
                               DisplacementArray array_of_displacements, const Datatype& oldtype,
                               MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_INDEXED_BLOCK, newtype)
      .count("count", count)
      .count("blocklength", blocklength)
      .numbers("array_of_displacements", array_of_displacements, count)
      .type(oldtype)
      .make();
}

void type_create_hindexed_block(Process& process, MPI_Count count, MPI_Count blocklength,
                                DisplacementArray array_of_displacements, const Datatype& oldtype,
                                MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_HINDEXED_BLOCK, newtype)
      .count("count", count)
      .count("blocklength", blocklength)
      .numbers("array_of_displacements", array_of_displacements, count)
      .type(oldtype)
      .make();
}

void type_create_struct(Process& process, MPI_Count count, CountArray array_of_blocklengths,
                        DisplacementArray array_of_displacements, const MPI_Datatype array_of_types[],
                        MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_STRUCT, newtype)
      .count("count", count)
      .counts("array_of_blocklengths", array_of_blocklengths, count)
      .numbers("array_of_displacements", array_of_displacements, count)
      .types("array_of_types", array_of_types, count)
      .make();
}

void type_create_subarray(Process& process, int ndims, CountArray array_of_sizes, CountArray array_of_subsizes,
                          CountArray array_of_starts, int order, const Datatype& oldtype, MPI_Datatype* newtype) {
  TypeArguments arguments(process, abi::COMBINER_SUBARRAY, newtype);
  check_dimensions(ndims);
  check_order(order);
  arguments.number(ndims)
      .numbers("array_of_sizes", array_of_sizes, ndims)
      .numbers("array_of_subsizes", array_of_subsizes, ndims)
      .numbers("array_of_starts", array_of_starts, ndims)
      .number(order)
      .type(oldtype);
  for (int i = 0; i < ndims; ++i) {
    const MPI_Count size = array_of_sizes[i], subsize = array_of_subsizes[i], start = array_of_starts[i];
    if (size < 1) TypeArguments::bad_element("array_of_sizes", i, size, "a dimension has 1 or more");
    if (subsize < 1 || subsize > size)
      TypeArguments::bad_element("array_of_subsizes", i, subsize,
                                 fmt::format("1 to array_of_sizes[{}]={} are", i, size).c_str());
    if (start < 0 || start > size - subsize)
      TypeArguments::bad_element(
          "array_of_starts", i, start,
          fmt::format("0 to {} are, or the subarray ends outside of the array", size - subsize).c_str());
  }
  arguments.make();
}

void type_create_darray(Process& process, int size, int rank, int ndims, CountArray array_of_gsizes,
                        const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[],
                        int order, const Datatype& oldtype, MPI_Datatype* newtype) {
  TypeArguments arguments(process, abi::COMBINER_DARRAY, newtype);
  check_dimensions(ndims);
  check_order(order);
  if (size < 1) base::fail(abi::ERR_ARG, fmt::format("size={} is not valid (valid: 1 or more processes)", size));
  if (rank < 0 || rank >= size)
    base::fail(abi::ERR_RANK, fmt::format("rank={} is not valid (valid: 0 to {})", rank, size - 1));
  arguments.number(size)
      .number(rank)
      .number(ndims)
      .numbers("array_of_gsizes", array_of_gsizes, ndims)
      .numbers("array_of_distribs", array_of_distribs, ndims)
      .numbers("array_of_dargs", array_of_dargs, ndims)
      .numbers("array_of_psizes", array_of_psizes, ndims)
      .number(order)
      .type(oldtype);
  std::int64_t grid = 1;
  for (int i = 0; i < ndims; ++i) {
    const MPI_Count global = array_of_gsizes[i];
    const int distribution = array_of_distribs[i], argument = array_of_dargs[i], processes = array_of_psizes[i];
    if (global < 1) TypeArguments::bad_element("array_of_gsizes", i, global, "a dimension has 1 or more");
    if (processes < 1) TypeArguments::bad_element("array_of_psizes", i, processes, "1 or more processes share one");
    if (__builtin_mul_overflow(grid, processes, &grid)) grid = -1;
    if (distribution < abi::DISTRIBUTE_NONE || distribution > abi::DISTRIBUTE_CYCLIC)
      TypeArguments::bad_element("array_of_distribs", i, distribution,
                                 "MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK and MPI_DISTRIBUTE_CYCLIC are");
    if (distribution == abi::DISTRIBUTE_NONE && processes != 1)
      TypeArguments::bad_element("array_of_psizes", i, processes,
                                 "a dimension that is not distributed (MPI_DISTRIBUTE_NONE) belongs to 1 process");
    if (distribution == abi::DISTRIBUTE_NONE || argument == abi::DISTRIBUTE_DFLT_DARG) continue;
    if (argument < 1)
      TypeArguments::bad_element("array_of_dargs", i, argument, "1 or more, and MPI_DISTRIBUTE_DFLT_DARG, are");
    if (distribution == abi::DISTRIBUTE_BLOCK && MPI_Count{argument} * processes < global)
      TypeArguments::bad_element(
          "array_of_dargs", i, argument,
          fmt::format("{} blocks must cover all {} of this dimension", processes, global).c_str());
  }
  if (grid != size)
    base::fail(abi::ERR_ARG, fmt::format("size={} is not the product of array_of_psizes, {}", size, grid));
  arguments.make();
}

void type_create_resized(Process& process, const Datatype& oldtype, MPI_Count lb, MPI_Count extent,
                         MPI_Datatype* newtype) {
  TypeArguments(process, abi::COMBINER_RESIZED, newtype).number(lb).number(extent).type(oldtype).make();
}

void type_dup(Process& process, const Datatype& oldtype, MPI_Datatype* newtype) {
  check::not_null(newtype, "newtype");
  const objects::Ref<Datatype> original = share(oldtype);
  const auto copy = objects::Ref<Datatype>::adopt(
      new Datatype(objects::Recipe{.combiner = abi::COMBINER_DUP, .types = {original}}));
  if (original->committed()) copy->commit();
  const std::uintptr_t handle = process.datatypes.insert(copy);
  copy_attributes(process.datatypes, *original, *copy);
  *newtype = reinterpret_cast<MPI_Datatype>(handle);
}

void type_commit(Process& process, MPI_Datatype* datatype) { live_datatype(process, datatype).commit(); }

void type_free(Process& process, MPI_Datatype* datatype) {
  const auto freed = objects::Ref<Datatype>::share(live_datatype(process, datatype));
  if (freed->predefined())
    base::fail(abi::ERR_TYPE, fmt::format("{} is predefined and cannot be freed", freed->description()));
  freed->attributes().clear(freed->handle());
  (void)process.datatypes.erase(reinterpret_cast<std::uintptr_t>(*datatype));
  *datatype = MPI_DATATYPE_NULL;
}

}  // namespace antiphon::api
