// Collectives between two groups in which one rank expects less than it is sent: it is told so, what others get is
// what they should or they are told, too, and what comes next is not disturbed. Rank 0 is a group of its own, the
// rest is the other.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

using Ints = std::vector<int>;

// A communicator between rank 0 and the others.
class TwoGroups {
 public:
  TwoGroups() {
    MPI_Comm_split(MPI_COMM_WORLD, is_alone() ? 0 : 1, 0, &mine_);
    MPI_Intercomm_create(mine_, 0, MPI_COMM_WORLD, is_alone() ? 1 : 0, 0, &both_);
    MPI_Comm_set_errhandler(both_, MPI_ERRORS_RETURN);
  }
  ~TwoGroups() {
    MPI_Comm_free(&both_);
    MPI_Comm_free(&mine_);
  }
  TwoGroups(const TwoGroups&) = delete;
  TwoGroups& operator=(const TwoGroups&) = delete;

  [[nodiscard]] static bool is_alone() { return rank() == 0; }
  [[nodiscard]] MPI_Comm comm() const { return both_; }

 private:
  MPI_Comm mine_ = MPI_COMM_NULL, both_ = MPI_COMM_NULL;
};

// In three forms: blocking, nonblocking, persistent. What the operation returned, whichever call did.
enum class Form { blocking, nonblocking, persistent };
constexpr Form kForms[] = {Form::blocking, Form::nonblocking, Form::persistent};

int conclude(int begun, MPI_Request* request, Form form) {
  if (begun != MPI_SUCCESS) return begun;
  if (form == Form::persistent) MPI_Start(request);
  const int ended = MPI_Wait(request, MPI_STATUS_IGNORE);
  if (form == Form::persistent) MPI_Request_free(request);
  return ended;
}

// An operation of this rank with another number than the others', if that is what it is called with: so many ints of
// `data`, which has room for more. Returns what MPI does, and leaves in `data` what has come.
struct Operation {
  const char* name;
  std::function<int(Ints& data, int count, MPI_Comm comm, Form form)> call;
  // The first that a rank has afterwards.
  std::function<int(bool alone)> result;
};

int broadcast(Ints& data, int count, MPI_Comm comm, Form form) {
  if (TwoGroups::is_alone()) std::fill(data.begin(), data.end(), 17);
  const int root = TwoGroups::is_alone() ? MPI_ROOT : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == Form::blocking) return MPI_Bcast(data.data(), count, MPI_INT, root, comm);
  if (form == Form::nonblocking)
    return conclude(MPI_Ibcast(data.data(), count, MPI_INT, root, comm, &request), &request, form);
  return conclude(MPI_Bcast_init(data.data(), count, MPI_INT, root, comm, MPI_INFO_NULL, &request), &request, form);
}

int all_sums(Ints& data, int count, MPI_Comm comm, Form form) {
  const Ints mine(data.size(), TwoGroups::is_alone() ? 5 : 3);
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == Form::blocking) return MPI_Allreduce(mine.data(), data.data(), count, MPI_INT, MPI_SUM, comm);
  const int begun =
      form == Form::nonblocking
          ? MPI_Iallreduce(mine.data(), data.data(), count, MPI_INT, MPI_SUM, comm, &request)
          : MPI_Allreduce_init(mine.data(), data.data(), count, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
  return conclude(begun, &request, form);
}

// Of rank 0's block alone; that group gathers nothing from the many.
int all_blocks(Ints& data, int count, MPI_Comm comm, Form form) {
  const Ints mine(data.size(), 11);
  const int out = TwoGroups::is_alone() ? count : 0, in = TwoGroups::is_alone() ? 0 : count;
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == Form::blocking) return MPI_Allgather(mine.data(), out, MPI_INT, data.data(), in, MPI_INT, comm);
  const int begun =
      form == Form::nonblocking
          ? MPI_Iallgather(mine.data(), out, MPI_INT, data.data(), in, MPI_INT, comm, &request)
          : MPI_Allgather_init(mine.data(), out, MPI_INT, data.data(), in, MPI_INT, comm, MPI_INFO_NULL, &request);
  return conclude(begun, &request, form);
}

int all_blocks_of_any_length(Ints& data, int count, MPI_Comm comm, Form form) {
  const Ints mine(data.size(), 13);
  const int out = TwoGroups::is_alone() ? count : 0;
  const Ints in(static_cast<std::size_t>(size()), TwoGroups::is_alone() ? 0 : count);
  const Ints where(static_cast<std::size_t>(size()));
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == Form::blocking)
    return MPI_Allgatherv(mine.data(), out, MPI_INT, data.data(), in.data(), where.data(), MPI_INT, comm);
  const int begun =
      form == Form::nonblocking
          ? MPI_Iallgatherv(mine.data(), out, MPI_INT, data.data(), in.data(), where.data(), MPI_INT, comm, &request)
          : MPI_Allgatherv_init(mine.data(), out, MPI_INT, data.data(), in.data(), where.data(), MPI_INT, comm,
                                MPI_INFO_NULL, &request);
  return conclude(begun, &request, form);
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> kAll{
      {"MPI_Bcast", broadcast, [](bool) { return 17; }},
      {"MPI_Allreduce", all_sums, [](bool alone) { return alone ? 3 * (size() - 1) : 5; }},
      {"MPI_Allgather", all_blocks, [](bool alone) { return alone ? -1 : 11; }},
      {"MPI_Allgatherv", all_blocks_of_any_length, [](bool alone) { return alone ? -1 : 13; }}};
  return kAll;
}

// Rank `wrong` calls it with `less` fewer.
void disagree(const TwoGroups& groups, const Operation& operation, Form form, int count, int wrong, int less) {
  const std::string what = std::string(operation.name) + " of " + std::to_string(count) + " ints in form " +
                           std::to_string(static_cast<int>(form)) + ", " + std::to_string(less) +
                           " fewer expected by rank " + std::to_string(wrong);
  const int mine = rank() == wrong ? count - less : count;
  Ints data(static_cast<std::size_t>(count), -1);
  const int returned = operation.call(data, mine, groups.comm(), form);
  const int wanted = operation.result(TwoGroups::is_alone());
  if (rank() == wrong) {
    expect(returned != MPI_SUCCESS, what + " returned MPI_SUCCESS there");
    expect(std::ranges::all_of(data.begin() + mine, data.end(), [](int each) { return each == -1; }),
           what + " wrote behind what was expected");
    int error_class = MPI_SUCCESS;
    MPI_Error_class(returned, &error_class);
    // Of an algorithm that sends pieces one may be shorter than expected.
    expect(error_class == MPI_ERR_TRUNCATE || error_class == MPI_ERR_COUNT, what + ": " + text_of(returned));
  } else if (returned == MPI_SUCCESS) {
    expect_equal(std::ranges::count(data, wanted), count, what + ": right numbers");
  }
  Ints again(static_cast<std::size_t>(count), -1);
  expect_error(operation.call(again, count, groups.comm(), form), MPI_SUCCESS, "the next after " + what);
  expect_equal(std::ranges::count(again, wanted), count, "right numbers of the next after " + what);
}

void one_rank_expects_less() {
  if (size() == 1) return;
  const TwoGroups groups;
  for (const int count : {2, 100, 1000, 65'536}) {  // up to many chunks of a pipeline
    if (is_simulated() && count > 1000) continue;
    for (const Operation& operation : operations())
      for (const Form form : kForms)
        for (const int wrong : {1, 1 + (size() - 1) / 2, size() - 1})
          for (const int less : {1, count / 2})  // so that chunks are as long, and fewer
            if (wrong < size()) disagree(groups, operation, form, count, wrong, less);
  }
}

}  // namespace

int main() { return run({{"one rank expects less than is sent", one_rank_expects_less}}); }
