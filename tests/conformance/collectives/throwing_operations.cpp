// Operations of the user's that throw: the call on that rank fails and says what was thrown, nobody waits for ever,
// and the communicator goes on, however many parts a vector is combined in.
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

enum class Throws { nothing, exception, number } throws = Throws::nothing;
int calls = 0;

void add(void* in, void* inout, int* length, MPI_Datatype*) {
  ++calls;
  if (throws == Throws::exception) throw std::runtime_error("a bad day");
  if (throws == Throws::number) throw 42;
  for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

class Adding {
 public:
  Adding() { MPI_Op_create(add, 1, &op); }
  ~Adding() { MPI_Op_free(&op); }
  Adding(const Adding&) = delete;
  Adding& operator=(const Adding&) = delete;
  MPI_Op op = MPI_OP_NULL;
};

using Call = std::function<int(const int* mine, int* sum, int count, MPI_Op op)>;

int waited_for(int begun, MPI_Request& request) {
  return begun == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : begun;
}

const std::vector<Call>& reductions() {
  static const std::vector<Call> kAll{
      [](const int* mine, int* sum, int count, MPI_Op op) {
        return MPI_Allreduce(mine, sum, count, MPI_INT, op, MPI_COMM_WORLD);
      },
      [](const int* mine, int* sum, int count, MPI_Op op) {
        return MPI_Reduce(mine, sum, count, MPI_INT, op, 0, MPI_COMM_WORLD);
      },
      [](const int* mine, int* sum, int count, MPI_Op op) {
        return MPI_Scan(mine, sum, count, MPI_INT, op, MPI_COMM_WORLD);
      },
      [](const int* mine, int* sum, int count, MPI_Op op) {
        MPI_Request request = MPI_REQUEST_NULL;
        return waited_for(MPI_Iallreduce(mine, sum, count, MPI_INT, op, MPI_COMM_WORLD, &request), request);
      },
      [](const int* mine, int* sum, int count, MPI_Op op) {
        return MPI_Reduce_local(mine, sum, count, MPI_INT, op);
      }};
  return kAll;
}

void one_rank_throws() {
  const Adding adding;
  for (const Call& reduce : reductions())
    for (const int count : {1, 5000, 600'000})
      for (const Throws what : {Throws::exception, Throws::number})
        for (int wrong = 0; wrong<size(); wrong += size()> 1 ? size() - 1 : 1) {
          const std::vector<int> mine(static_cast<std::size_t>(count), rank() + 1);
          std::vector<int> sum(static_cast<std::size_t>(count));
          calls = 0;
          throws = rank() == wrong ? what : Throws::nothing;
          const int returned = reduce(mine.data(), sum.data(), count, adding.op);
          throws = Throws::nothing;
          if (rank() == wrong && calls != 0) {
            int error_class = MPI_SUCCESS;
            MPI_Error_class(returned, &error_class);
            expect_equal(error_class, MPI_ERR_OP, "the class of a reduction that threw");
            if (what == Throws::exception)
              expect(text_of(returned).find("a bad day") != std::string::npos, text_of(returned));
          }
          expect_error(MPI_Allreduce(mine.data(), sum.data(), 1, MPI_INT, adding.op, MPI_COMM_WORLD), MPI_SUCCESS,
                       "a reduction afterwards");
          expect_equal(sum[0], size() * (size() + 1) / 2, "the sum afterwards");
        }
}

}  // namespace

int main() { return run({{"one rank's function throws", one_rank_throws}}); }
