#include "mpi_party.hpp"

namespace antiphon::patterns {

namespace {

int to_mpi_source(int from) { return from == kAny ? MPI_ANY_SOURCE : from; }
int to_mpi_tag(int tag) { return tag == kAny ? MPI_ANY_TAG : tag; }
int count(std::size_t items) { return static_cast<int>(items); }

}  // namespace

MpiParty::MpiParty() {
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_));
}

void MpiParty::check(int error) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, text, &length);
  throw std::runtime_error(std::string("MPI failed: ") + text);
}

// One line of memory, one packet, an eager message, and beyond, with their edges.
std::vector<std::size_t> MpiParty::sizes() const {
  std::vector<std::size_t> sizes{0, 1, 24, 25};
  for (const std::size_t edge : {4096UL, 8192UL, 16384UL, 32768UL, 65536UL, 262144UL}) {
    sizes.push_back(edge);
    sizes.push_back(edge + 1);
  }
  sizes.push_back(2'000'000);
  return sizes;
}

Party::Ticket MpiParty::start_send(std::span<const std::byte> data, int to, int tag, bool synchronous) {
  Started& mine = started_[++last_];
  const auto start = synchronous ? MPI_Issend : MPI_Isend;
  check(start(data.data(), count(data.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD, &mine.request));
  return last_;
}

Party::Ticket MpiParty::start_receive(std::span<std::byte> room, int from, int tag) {
  Started& mine = started_[++last_];
  check(MPI_Irecv(room.data(), count(room.size()), MPI_BYTE, to_mpi_source(from), to_mpi_tag(tag), MPI_COMM_WORLD,
                  &mine.request));
  return last_;
}

Outcome MpiParty::outcome_of(const MPI_Status& status, bool truncated) {
  int bytes = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &bytes));
  return {status.MPI_SOURCE, status.MPI_TAG, static_cast<std::size_t>(bytes), truncated};
}

Outcome MpiParty::wait(Ticket ticket) {
  Started mine = started_.at(ticket);
  started_.erase(ticket);
  if (mine.request != MPI_REQUEST_NULL) mine.error = MPI_Wait(&mine.request, &mine.status);
  int error_class = mine.error;
  if (mine.error != MPI_SUCCESS) MPI_Error_class(mine.error, &error_class);
  if (error_class != MPI_ERR_TRUNCATE) check(mine.error);
  return outcome_of(mine.status, error_class == MPI_ERR_TRUNCATE);
}

bool MpiParty::is_done(Ticket ticket) {
  Started& mine = started_.at(ticket);
  int done = 1;
  if (mine.request != MPI_REQUEST_NULL) mine.error = MPI_Test(&mine.request, &done, &mine.status);
  return done != 0;
}

Outcome MpiParty::probe(int from, int tag) {
  MPI_Status status;
  check(MPI_Probe(to_mpi_source(from), to_mpi_tag(tag), MPI_COMM_WORLD, &status));
  return outcome_of(status, false);
}

bool MpiParty::has_arrived(int from, int tag) {
  int found = 0;
  check(MPI_Iprobe(to_mpi_source(from), to_mpi_tag(tag), MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE));
  return found != 0;
}

void MpiParty::barrier() { check(MPI_Barrier(MPI_COMM_WORLD)); }

void MpiParty::broadcast(std::span<std::byte> data, int root) {
  check(MPI_Bcast(data.data(), count(data.size()), MPI_BYTE, root, MPI_COMM_WORLD));
}

void MpiParty::sum(std::span<const std::int64_t> mine, std::span<std::int64_t> all) {
  check(MPI_Allreduce(mine.data(), all.data(), count(mine.size()), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
}

void MpiParty::sum_at(int root, std::span<const std::int64_t> mine, std::span<std::int64_t> all) {
  check(MPI_Reduce(mine.data(), all.data(), count(mine.size()), MPI_INT64_T, MPI_SUM, root, MPI_COMM_WORLD));
}

void MpiParty::gather(std::span<const std::byte> mine, std::span<std::byte> all, int root) {
  const int block = count(mine.size());
  check(MPI_Gather(mine.data(), block, MPI_BYTE, all.data(), block, MPI_BYTE, root, MPI_COMM_WORLD));
}

void MpiParty::scatter(std::span<const std::byte> all, std::span<std::byte> mine, int root) {
  const int block = count(mine.size());
  check(MPI_Scatter(all.data(), block, MPI_BYTE, mine.data(), block, MPI_BYTE, root, MPI_COMM_WORLD));
}

void MpiParty::allgather(std::span<const std::byte> mine, std::span<std::byte> all) {
  const int block = count(mine.size());
  check(MPI_Allgather(mine.data(), block, MPI_BYTE, all.data(), block, MPI_BYTE, MPI_COMM_WORLD));
}

void MpiParty::alltoall(std::span<const std::byte> out, std::span<std::byte> in, std::size_t block) {
  check(MPI_Alltoall(out.data(), count(block), MPI_BYTE, in.data(), count(block), MPI_BYTE, MPI_COMM_WORLD));
}

}  // namespace antiphon::patterns
