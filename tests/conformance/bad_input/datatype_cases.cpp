// Arrays that describe no datatype, one wrong element at a time, and datatypes in the wrong state: one line a case.
#include <mpi.h>

#include "cases.hpp"

namespace antiphon::bad_input {

namespace {

MPI_Datatype made = MPI_DATATYPE_NULL;
int numbers[64];
char bytes[64];

MPI_Datatype uncommitted() {
  MPI_Type_vector(2, 1, 3, MPI_INT, &made);
  return made;
}
MPI_Datatype freed() {
  MPI_Datatype type = uncommitted(), copy = type;
  MPI_Type_free(&type);
  return copy;
}

// A constructor for a pair of blocks, given one array that may be wrong.
int indexed(std::vector<int> lengths, std::vector<int> displacements) {
  return MPI_Type_indexed(2, lengths.data(), displacements.data(), MPI_INT, &made);
}
int hindexed(std::vector<MPI_Count> lengths) {
  const MPI_Count displacements[] = {0, 8};
  return MPI_Type_create_hindexed_c(2, lengths.data(), displacements, MPI_INT, &made);
}
int structure(std::vector<int> lengths, std::vector<MPI_Datatype> types) {
  const MPI_Aint displacements[] = {0, 8};
  return MPI_Type_create_struct(2, lengths.data(), displacements, types.data(), &made);
}
// Of an array of 4 by 5.
int subarray(std::vector<int> sizes, std::vector<int> subsizes, std::vector<int> starts) {
  return MPI_Type_create_subarray(2, sizes.data(), subsizes.data(), starts.data(), MPI_ORDER_C, MPI_INT, &made);
}
// Of an array of 10 by 20, among 6.
int darray(std::vector<int> sizes, std::vector<int> distributions, std::vector<int> arguments,
           std::vector<int> grid) {
  return MPI_Type_create_darray(6, 1, 2, sizes.data(), distributions.data(), arguments.data(), grid.data(),
                                MPI_ORDER_C, MPI_INT, &made);
}
constexpr int kBlock = MPI_DISTRIBUTE_BLOCK, kCyclic = MPI_DISTRIBUTE_CYCLIC, kNone = MPI_DISTRIBUTE_NONE;
constexpr int kDefault = MPI_DISTRIBUTE_DFLT_DARG;

int pack_at(int position, int size) { return MPI_Pack(numbers, 2, MPI_INT, bytes, size, &position, MPI_COMM_SELF); }
int unpack_at(int position, int size) {
  return MPI_Unpack(bytes, size, &position, numbers, 2, MPI_INT, MPI_COMM_SELF);
}

std::vector<Case> array_cases() {
  const char* kNegative = "0 or more";
  return {
      {"a negative length",
       "MPI_Type_indexed",
       {MPI_ERR_ARG},
       {"array_of_blocklengths[1]=-2", kNegative},
       [] {
         return indexed({1, -2}, {0, 4});
       }},
      {"a negative length",
       "MPI_Type_create_hindexed_c",
       {MPI_ERR_ARG},
       {"array_of_blocklengths[0]=-1", kNegative},
       [] {
         return hindexed({-1, 1});
       }},
      {"a negative length",
       "MPI_Type_create_struct",
       {MPI_ERR_ARG},
       {"array_of_blocklengths[1]=-7", kNegative},
       [] {
         return structure({1, -7}, {MPI_INT, MPI_INT});
       }},
      {"a null datatype among others",
       "MPI_Type_create_struct",
       {MPI_ERR_TYPE},
       {"array_of_types[1]", "MPI_DATATYPE_NULL"},
       [] {
         return structure({1, 1}, {MPI_INT, MPI_DATATYPE_NULL});
       }},
      {"a freed datatype among others",
       "MPI_Type_create_struct",
       {MPI_ERR_TYPE},
       {"array_of_types[0]", "freed"},
       [] {
         return structure({1, 1}, {freed(), MPI_INT});
       }},

      {"a dimension without elements",
       "MPI_Type_create_subarray",
       {MPI_ERR_ARG},
       {"array_of_sizes[0]=0", "1 or more"},
       [] {
         return subarray({0, 5}, {1, 1}, {0, 0});
       }},
      {"a negative dimension",
       "MPI_Type_create_subarray",
       {MPI_ERR_ARG},
       {"array_of_sizes[1]=-5", "1 or more"},
       [] {
         return subarray({4, -5}, {1, 1}, {0, 0});
       }},
      {"more than there is",
       "MPI_Type_create_subarray",
       {MPI_ERR_ARG},
       {"array_of_subsizes[1]=6", "array_of_sizes[1]=5"},
       [] {
         return subarray({4, 5}, {1, 6}, {0, 0});
       }},
      {"nothing of a dimension",
       "MPI_Type_create_subarray",
       {MPI_ERR_ARG},
       {"array_of_subsizes[0]=0", "1 to"},
       [] {
         return subarray({4, 5}, {0, 5}, {0, 0});
       }},
      {"a start before the array",
       "MPI_Type_create_subarray",
       {MPI_ERR_ARG},
       {"array_of_starts[0]=-1", "0 to 3"},
       [] {
         return subarray({4, 5}, {1, 1}, {-1, 0});
       }},
      {"an end behind the array",
       "MPI_Type_create_subarray",
       {MPI_ERR_ARG},
       {"array_of_starts[1]=3", "0 to 2"},
       [] {
         return subarray({4, 5}, {1, 3}, {0, 3});
       }},

      {"an empty dimension",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"array_of_gsizes[1]=0", "1 or more"},
       [] {
         return darray({10, 0}, {kBlock, kBlock}, {kDefault, kDefault}, {2, 3});
       }},
      {"a distribution that is none",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"array_of_distribs[0]=7", "CYCLIC"},
       [] {
         return darray({10, 20}, {7, kBlock}, {kDefault, kDefault}, {2, 3});
       }},
      {"blocks of nothing",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"array_of_dargs[1]=0", "1 or more"},
       [] {
         return darray({10, 20}, {kBlock, kCyclic}, {kDefault, 0}, {2, 3});
       }},
      {"blocks that leave a rest",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"array_of_dargs[0]=4", "cover all 10"},
       [] {
         return darray({10, 20}, {kBlock, kCyclic}, {4, 1}, {2, 3});
       }},
      {"no process for a dimension",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"array_of_psizes[0]=0", "1 or more"},
       [] {
         return darray({10, 20}, {kBlock, kCyclic}, {5, 1}, {0, 3});
       }},
      {"several processes for what is not distributed",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"array_of_psizes[1]=3", "MPI_DISTRIBUTE_NONE"},
       [] {
         return darray({10, 20}, {kBlock, kNone}, {kDefault, kDefault}, {2, 3});
       }},
      {"a grid of another size",
       "MPI_Type_create_darray",
       {MPI_ERR_ARG},
       {"size=6", "array_of_psizes", "4"},
       [] {
         return darray({10, 20}, {kBlock, kBlock}, {kDefault, kDefault}, {2, 2});
       }},
  };
}

std::vector<Case> state_cases() {
  const std::vector<std::string> kCommit = {"not committed", "MPI_Type_commit"};
  return {
      {"a datatype that is not committed",
       "MPI_Recv",
       {MPI_ERR_TYPE},
       kCommit,
       [] { return MPI_Recv(numbers, 1, uncommitted(), 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); }},
      {"a datatype that is not committed",
       "MPI_Pack",
       {MPI_ERR_TYPE},
       kCommit,
       [] {
         int position = 0;
         return MPI_Pack(numbers, 1, uncommitted(), bytes, 64, &position, MPI_COMM_SELF);
       }},
      {"a datatype that is not committed",
       "MPI_Unpack",
       {MPI_ERR_TYPE},
       kCommit,
       [] {
         int position = 0;
         return MPI_Unpack(bytes, 64, &position, numbers, 1, uncommitted(), MPI_COMM_SELF);
       }},
      {"a datatype that is not committed",
       "MPI_Bcast",
       {MPI_ERR_TYPE},
       kCommit,
       [] { return MPI_Bcast(numbers, 1, uncommitted(), 0, MPI_COMM_SELF); }},
      {"a freed datatype",
       "MPI_Send",
       {MPI_ERR_TYPE},
       {"datatype", "freed"},
       [] { return MPI_Send(numbers, 1, freed(), 0, 0, MPI_COMM_SELF); }},

      {"a position before the buffer",
       "MPI_Pack",
       {MPI_ERR_ARG},
       {"position=-1", "0 to outsize=8"},
       [] { return pack_at(-1, 8); }},
      {"a position behind the buffer",
       "MPI_Unpack",
       {MPI_ERR_ARG},
       {"position=9", "0 to insize=8"},
       [] { return unpack_at(9, 8); }},
      {"too little room",
       "MPI_Pack",
       {MPI_ERR_TRUNCATE},
       {"outsize=11", "7 bytes are left", "8 are needed"},
       [] { return pack_at(4, 11); }},
      {"too little data",
       "MPI_Unpack",
       {MPI_ERR_TRUNCATE},
       {"insize=11", "7 bytes are left", "8 are needed"},
       [] { return unpack_at(4, 11); }},

      {"the arguments of a predefined datatype",
       "MPI_Type_get_contents",
       {MPI_ERR_TYPE},
       {"MPI_INT", "predefined"},
       [] { return MPI_Type_get_contents(MPI_INT, 1, 1, 1, numbers, nullptr, nullptr); }},
      {"too little room for arguments",
       "MPI_Type_get_contents",
       {MPI_ERR_ARG},
       {"max_integers=2", "MPI_Type_get_envelope", "3"},
       [] { return MPI_Type_get_contents(uncommitted(), 2, 0, 1, numbers, nullptr, &made); }},
  };
}

}  // namespace

std::vector<Case> datatype_cases() {
  std::vector<Case> cases = array_cases();
  for (Case& more : state_cases()) cases.push_back(std::move(more));
  return cases;
}

}  // namespace antiphon::bad_input
