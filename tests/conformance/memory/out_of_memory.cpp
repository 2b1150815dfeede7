// A program that has no memory left, as its address space is limited and it has used all of that: each call succeeds,
// or fails with MPI_ERR_NO_MEM without any effect, and later calls work.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

rlim_t address_space() {
  long pages = 0;
  if (FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// While it lives there is no memory.
class Want {
 public:
  Want() {
    getrlimit(RLIMIT_AS, &before_);
    const rlimit now{address_space(), before_.rlim_max};
    setrlimit(RLIMIT_AS, &now);
    for (std::size_t bytes = std::size_t{1} << 20; bytes >= sizeof(Taken); bytes /= 2)
      while (auto* const taken = static_cast<Taken*>(std::malloc(bytes))) {
        taken->next = all_;
        all_ = taken;
      }
  }
  ~Want() {
    setrlimit(RLIMIT_AS, &before_);
    while (Taken* const taken = all_) {
      all_ = taken->next;
      std::free(taken);
    }
  }
  Want(const Want&) = delete;
  Want& operator=(const Want&) = delete;

 private:
  struct Taken {
    Taken* next;
  };
  rlimit before_{};
  Taken* all_ = nullptr;
};

int refused = 0;  // calls

// Makes a call while there is no memory, and again when there is some, if it is refused for that.
template <class Call>
void in_want(const char* name, Call&& call) {
  int code = MPI_SUCCESS, error_class = MPI_SUCCESS;
  {
    const Want want;
    code = call();
    if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
  }
  if (error_class == MPI_ERR_NO_MEM) {
    ++refused;
    code = call();
  }
  expect(code == MPI_SUCCESS, std::string(name) + " says: " + (code == MPI_SUCCESS ? "" : text_of(code)));
}

// A collective that needs much memory in its middle fails on all ranks, if one has none. So they agree whether to
// call it again.
template <class Call>
void all_in_want(const char* name, Call&& call) {
  int code = MPI_SUCCESS;
  {
    const Want want;
    code = call();
  }
  if (code != MPI_SUCCESS) ++refused;
  if (code != MPI_SUCCESS && text_of(code).find("nothing has begun") != std::string::npos) code = call();
  int failed = code == MPI_SUCCESS ? 0 : 1, any = 0;
  MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any != 0) expect_equal(call(), MPI_SUCCESS, std::string("what the second ") + name + " returns");
}

int after() { return (rank() + 1) % size(); }
int before() { return (rank() + size() - 1) % size(); }

void messages_of_all_lengths_arrive() {
  for (const int bytes : {0, 16, 5000, 70'000, 3'000'000}) {
    std::vector<unsigned char> out(static_cast<std::size_t>(bytes), static_cast<unsigned char>(rank() + 1)),
        in(out.size());
    for (int round = 0; round < 4; ++round) {
      MPI_Request requests[2];
      in_want("MPI_Isend",
              [&] { return MPI_Isend(out.data(), bytes, MPI_BYTE, after(), round, MPI_COMM_WORLD, &requests[0]); });
      in_want("MPI_Irecv",
              [&] { return MPI_Irecv(in.data(), bytes, MPI_BYTE, before(), round, MPI_COMM_WORLD, &requests[1]); });
      in_want("MPI_Waitall", [&] { return MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); });
      const std::vector<unsigned char> wanted(out.size(), static_cast<unsigned char>(before() + 1));
      expect(in == wanted, "a message of " + std::to_string(bytes) + " bytes is whole");
      std::memset(in.data(), 0, in.size());
    }
  }
}

// So many that what keeps them has to grow.
void many_messages_wait_to_be_received() {
  constexpr int kMessages = 3000;
  std::vector<MPI_Request> requests(kMessages);
  std::vector<int> out(kMessages), in(kMessages, -1);
  {
    std::optional<Want> want(std::in_place);
    for (int i = 0; i < kMessages; ++i) {
      out[static_cast<std::size_t>(i)] = i;
      const auto send = [&] {
        return MPI_Isend(&out[static_cast<std::size_t>(i)], 1, MPI_INT, after(), i, MPI_COMM_WORLD,
                         &requests[static_cast<std::size_t>(i)]);
      };
      int error_class = MPI_SUCCESS;
      if (const int code = send(); code != MPI_SUCCESS) {
        MPI_Error_class(code, &error_class);
        want.reset();
        expect_equal(error_class, MPI_ERR_NO_MEM, "the class of the error");
        ++refused;
        expect_equal(send(), MPI_SUCCESS, "what the second attempt returns");
        want.emplace();
      }
    }
  }
  for (int i = kMessages - 1; i >= 0; --i)
    in_want("MPI_Recv", [&] {
      return MPI_Recv(&in[static_cast<std::size_t>(i)], 1, MPI_INT, before(), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  in_want("MPI_Waitall", [&] { return MPI_Waitall(kMessages, requests.data(), MPI_STATUSES_IGNORE); });
  expect(in == out, "all messages are right");
}

void collectives_give_what_they_must() {
  for (const int count : {1, 3000, 200'000}) {
    std::vector<double> mine(static_cast<std::size_t>(count)), sum(mine.size());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(size()));
    const double wanted = size() * (size() + 1) / 2;
    mine.back() = mine.front() = rank() + 1;
    const auto add = [&] {
      return MPI_Allreduce(mine.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
    const auto collect = [&] {
      return MPI_Gather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, size() - 1, MPI_COMM_WORLD);
    };
    const auto spread = [&] { return MPI_Bcast(mine.data(), count, MPI_DOUBLE, size() - 1, MPI_COMM_WORLD); };
    all_in_want("MPI_Allreduce", add);
    all_in_want("MPI_Gather", collect);
    all_in_want("MPI_Bcast", spread);
    expect_equal(sum.back(), wanted, "the sum of the last elements");
    if (rank() == size() - 1) expect_equal(all.back(), static_cast<double>(size()), "what the last rank has given");
    expect_equal(mine.front(), static_cast<double>(size()), "what the last rank has sent");
    MPI_Request request = MPI_REQUEST_NULL;
    in_want("MPI_Iallgather", [&] {
      return MPI_Iallgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD, &request);
    });
    in_want("MPI_Wait", [&] { return MPI_Wait(&request, MPI_STATUS_IGNORE); });
    expect_equal(all.front(), static_cast<double>(size()), "what the first rank has given");
  }
}

void communicators_and_types_are_made_and_freed() {
  for (int round = 0; round < 5; ++round) {
    MPI_Comm copy = MPI_COMM_NULL, part = MPI_COMM_NULL;
    in_want("MPI_Comm_dup", [&] { return MPI_Comm_dup(MPI_COMM_WORLD, &copy); });
    in_want("MPI_Comm_split", [&] { return MPI_Comm_split(copy, rank() % 2, -rank(), &part); });
    int members = 0, sum = 0;
    const int one = 1;
    MPI_Comm_size(part, &members);
    in_want("MPI_Allreduce", [&] { return MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part); });
    expect_equal(sum, members, "the number of members");
    std::vector<int> lengths(20'000, 1), places(20'000);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(2 * i);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    in_want("MPI_Type_indexed", [&] {
      return MPI_Type_indexed(static_cast<int>(places.size()), lengths.data(), places.data(), MPI_INT, &type);
    });
    in_want("MPI_Type_commit", [&] { return MPI_Type_commit(&type); });
    in_want("MPI_Type_free", [&] { return MPI_Type_free(&type); });
    in_want("MPI_Comm_free", [&] { return MPI_Comm_free(&part); });
    in_want("MPI_Comm_free", [&] { return MPI_Comm_free(&copy); });
  }
}

// Ranks of a node make a window's memory together, so all are refused or none is, and all call again.
void windows_are_made_and_used() {
  for (int round = 0; round < 3; ++round) {
    int* base = nullptr;
    MPI_Win win = MPI_WIN_NULL;
    in_want("MPI_Win_allocate", [&] {
      return MPI_Win_allocate(100 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    });
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    std::memset(base, 0, 100 * sizeof(int));
    in_want("MPI_Win_fence", [&] { return MPI_Win_fence(0, win); });
    const int value = rank() + 1;
    in_want("MPI_Put", [&] { return MPI_Put(&value, 1, MPI_INT, after(), 7, 1, MPI_INT, win); });
    in_want("MPI_Accumulate",
            [&] { return MPI_Accumulate(&value, 1, MPI_INT, after(), 8, 1, MPI_INT, MPI_SUM, win); });
    in_want("MPI_Win_fence", [&] { return MPI_Win_fence(0, win); });
    expect_equal(base[7], before() + 1, "what was put");
    expect_equal(base[8], before() + 1, "what was accumulated");
    in_want("MPI_Win_free", [&] { return MPI_Win_free(&win); });
  }
}

void some_calls_were_refused() { expect(refused > 0, "there was no memory for at least one call"); }

// There is no memory for a larger stack either.
[[gnu::noinline]] void use_much_stack() {
  volatile char room[std::size_t{512} << 10];
  for (std::size_t i = 0; i < sizeof room; i += 1024) room[i] = 0;
}

}  // namespace

int main() {
  use_much_stack();
  return run({{"messages of all lengths arrive", messages_of_all_lengths_arrive},
              {"many messages wait to be received", many_messages_wait_to_be_received},
              {"collectives give what they must", collectives_give_what_they_must},
              {"communicators and types are made and freed", communicators_and_types_are_made_and_freed},
              {"windows are made and used", windows_are_made_and_used, {.one_node = true}},
              {"some calls were refused", some_calls_were_refused}});
}
