// Every procedure of the C interface, large-count variants included, and whether the library has it.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <array>
#include <string_view>

namespace antiphon::api {

struct ProcedureEntry {
  std::string_view name;
  std::string_view chapter;
  bool has_body;
};

inline constexpr std::array<ProcedureEntry, 27> procedures{{
    {"MPI_Barrier", "sample", false},
    {"MPI_Bcast", "sample", true},
    {"MPI_Bcast_init", "sample", true},
    {"MPI_Bcast_init_c", "sample", true},
    {"MPI_Comm_create_from_group", "sample", true},
    {"MPI_Comm_toint", "sample", true},
    {"MPI_Gatherv", "sample", true},
    {"MPI_Gatherv_c", "sample", true},
    {"MPI_Get_count", "sample", true},
    {"MPI_Get_count_c", "sample", true},
    {"MPI_Ibcast", "sample", true},
    {"MPI_Info_set", "sample", true},
    {"MPI_Initialized", "sample", true},
    {"MPI_Keyval_free", "sample", true},
    {"MPI_Op_create", "sample", true},
    {"MPI_Op_create_c", "sample", true},
    {"MPI_Pack", "sample", true},
    {"MPI_Pack_c", "sample", true},
    {"MPI_Pcontrol", "sample", true},
    {"MPI_Send", "sample", true},
    {"MPI_Send_c", "sample", true},
    {"MPI_Type_get_extent", "sample", true},
    {"MPI_Type_get_extent_c", "sample", true},
    {"MPI_Type_get_contents", "sample", true},
    {"MPI_Type_get_contents_c", "sample", true},
    {"MPI_Waitall", "sample", true},
    {"MPI_Wtime", "sample", true},
}};

}  // namespace antiphon::api
