// Operations that give a request: over on this side when that is; on windows of every kind.
#include <vector>

#include "windows/some_windows.hpp"

using namespace conformance;

namespace {

int next() { return (rank() + 1) % size(); }
int before() { return (rank() + size() - 1) % size(); }

// Memory may be used again as soon as a request is over, before any flush.
void all_kinds() {
  const int many = is_simulated() ? 500 : 20'000;
  on_every_kind(many, [many](const SomeWindow& window) {
    const auto count = static_cast<std::size_t>(many);
    std::vector<int> out(count, rank() + 1), in(count, -1);
    const MPI_Aint there = window.at(next(), 0);
    MPI_Request request;
    MPI_Status status = {};
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window.win);
    expect_error(MPI_Rput(out.data(), many, MPI_INT, next(), there, many, MPI_INT, window.win, &request), MPI_SUCCESS,
                 "MPI_Rput");
    MPI_Wait(&request, &status);
    expect(request == MPI_REQUEST_NULL, "the request of MPI_Rput is over");
    expect_empty(status);
    std::fill(out.begin(), out.end(), 10);
    expect_error(
        MPI_Raccumulate(out.data(), many, MPI_INT, next(), there, many, MPI_INT, MPI_SUM, window.win, &request),
        MPI_SUCCESS, "MPI_Raccumulate");
    for (int over = 0; over == 0;) MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    MPI_Win_flush(next(), window.win);
    std::fill(out.begin(), out.end(), 100);
    expect_error(MPI_Rget_accumulate(out.data(), many, MPI_INT, in.data(), many, MPI_INT, next(), there, many,
                                     MPI_INT, MPI_SUM, window.win, &request),
                 MPI_SUCCESS, "MPI_Rget_accumulate");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in == std::vector<int>(count, rank() + 11), "what MPI_Rget_accumulate fetches");
    expect_error(MPI_Rget(in.data(), many, MPI_INT, next(), there, many, MPI_INT, window.win, &request), MPI_SUCCESS,
                 "MPI_Rget");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in == std::vector<int>(count, rank() + 111), "what MPI_Rget gets");
    MPI_Win_unlock(next(), window.win);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_equal(window.data[many - 1], before() + 111, "the last word");
  });
}

void many_at_once() {
  constexpr int kMany = 64;
  on_every_kind(kMany, [](const SomeWindow& window) {
    std::vector<MPI_Request> requests(kMany, MPI_REQUEST_NULL);
    std::vector<int> values(kMany), found(kMany, -1);
    MPI_Win_lock_all(0, window.win);
    for (int i = 0; i < kMany; ++i) {
      const auto at = static_cast<std::size_t>(i);
      values[at] = rank() + i;
      MPI_Rput(&values[at], 1, MPI_INT, next(), window.at(next(), i), 1, MPI_INT, window.win, &requests[at]);
    }
    MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(window.win);
    for (int i = 0; i < kMany; ++i) {
      const auto at = static_cast<std::size_t>(i);
      MPI_Rget(&found[at], 1, MPI_INT, next(), window.at(next(), i), 1, MPI_INT, window.win, &requests[at]);
      if (i % 4 == 0) MPI_Request_free(&requests[at]);  // goes on
    }
    MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(window.win);
    expect(found == values, "what was got is what was put");
  });
}

void with_nobody() {
  const SomeWindow window(Made::allocated, 1);
  int word = 5;
  MPI_Request request;
  MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, window.win);
  expect_error(MPI_Rput(&word, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window.win, &request), MPI_SUCCESS,
               "a put to nobody");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock(MPI_PROC_NULL, window.win);
  MPI_Win_lock_all(0, window.win);
  expect_error(MPI_Rget(&word, 0, MPI_INT, next(), 0, 0, MPI_INT, window.win, &request), MPI_SUCCESS,
               "a get of nothing");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window.win);
  expect_equal(word, 5, "the word");
}

void wrong() {
  const SomeWindow window(Made::dynamic, 4);
  int word = 5;
  MPI_Request request;
  const auto rput = [&](MPI_Aint there) {
    return MPI_Rput(&word, 1, MPI_INT, next(), there, 1, MPI_INT, window.win, &request);
  };
  expect_error(rput(window.at(next(), 0)), MPI_ERR_RMA_SYNC, "a request without an epoch");
  MPI_Win_fence(0, window.win);
  expect_error(rput(window.at(next(), 0)), MPI_ERR_RMA_SYNC, "a request between fences");
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win);
  if (size() == 1) return;
  MPI_Win_lock_all(0, window.win);
  expect_error(MPI_Rget(&word, 1, MPI_INT, next(), window.at(next(), 4), 1, MPI_INT, window.win, &request),
               MPI_SUCCESS, "a get behind what is attached");
  expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_RMA_RANGE, "its end");
  expect_error(MPI_Win_unlock_all(window.win), MPI_SUCCESS, "the end of the epoch");
}

}  // namespace

int main() {
  return run({{"all kinds of operations give requests", all_kinds},
              {"many are under way at once", many_at_once},
              {"operations with nobody are over", with_nobody},
              {"requests need a locked target", wrong}});
}
