// Statuses through procedures instead of members: MPI 5.0, 3.2.5 and 13.3.
#include "support/ranks.hpp"

using namespace conformance;

namespace {

void what_a_receive_has_told() {
  const int out[3] = {1, 2, 3};
  int in[3];
  MPI_Status status;
  MPI_Sendrecv(out, 3, MPI_INT, rank(), 12, in, 3, MPI_INT, rank(), 12, MPI_COMM_WORLD, &status);
  int source = -7, tag = -7, cancelled = -7;
  expect_error(MPI_Status_get_source(&status, &source), MPI_SUCCESS, "MPI_Status_get_source");
  expect_error(MPI_Status_get_tag(&status, &tag), MPI_SUCCESS, "MPI_Status_get_tag");
  expect_error(MPI_Test_cancelled(&status, &cancelled), MPI_SUCCESS, "MPI_Test_cancelled");
  expect_equal(source, rank(), "the source");
  expect_equal(tag, 12, "the tag");
  expect_equal(cancelled, 0, "whether it was cancelled");
}

void what_was_set() {
  MPI_Status status{};
  expect_error(MPI_Status_set_source(&status, 5), MPI_SUCCESS, "MPI_Status_set_source");
  expect_error(MPI_Status_set_tag(&status, 77), MPI_SUCCESS, "MPI_Status_set_tag");
  expect_error(MPI_Status_set_error(&status, MPI_ERR_OTHER), MPI_SUCCESS, "MPI_Status_set_error");
  expect_error(MPI_Status_set_elements(&status, MPI_DOUBLE, 3), MPI_SUCCESS, "MPI_Status_set_elements");
  int source = -1, tag = -1, error = -1, count = -1, cancelled = -1;
  for (const int flag : {1, 0}) {
    expect_error(MPI_Status_set_cancelled(&status, flag), MPI_SUCCESS, "MPI_Status_set_cancelled");
    MPI_Status_get_source(&status, &source);
    MPI_Status_get_tag(&status, &tag);
    MPI_Status_get_error(&status, &error);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Test_cancelled(&status, &cancelled);
    expect_equal(source, 5, "the source");
    expect_equal(tag, 77, "the tag");
    expect_equal(error, MPI_ERR_OTHER, "the error");
    expect_equal(count, 3, "the count");
    expect_equal(cancelled, flag, "whether it was cancelled");
  }
  expect(status.MPI_SOURCE == 5 && status.MPI_TAG == 77 && status.MPI_ERROR == MPI_ERR_OTHER, "the members differ");
}

}  // namespace

int main() { return run({{"what a receive has told", what_a_receive_has_told}, {"what was set", what_was_set}}); }
