#include "sentinels.hpp"

int antiphon_mpi_bottom_;
int antiphon_mpi_in_place_;
int antiphon_mpi_buffer_automatic_;
int antiphon_mpi_errcodes_ignore_[1];
int antiphon_mpi_unweighted_[1];
int antiphon_mpi_weights_empty_[1];
int antiphon_mpi_status_ignore_[MPI_F_STATUS_SIZE];
int antiphon_mpi_statuses_ignore_[MPI_F_STATUS_SIZE];
char antiphon_mpi_argv_null_[1];
char antiphon_mpi_argvs_null_[1];
