// Claims of cpus, with numbers that no machine has.
#include "mpiexec/core_claims.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace antiphon::launch {
namespace {

constexpr uid_t kStranger = 54321;

// A number for this process alone.
int some_cpu() { return 1'000'000 + getpid(); }

int hold(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return bind(fd, reinterpret_cast<const sockaddr*>(&address), bytes) == 0 && listen(fd, 5) == 0 ? fd : -1;
}

std::string name_of(int cpu, uid_t user) {
  return "antiphon/cpu/" + std::to_string(cpu) + "/" + std::to_string(user);
}

TEST(CoreClaims, OfAnotherJobOfTheSameUserCountAsLongAsItLives) {
  CoreClaims mine;
  {
    CoreClaims other;
    EXPECT_TRUE(other.claim(some_cpu()));
    EXPECT_FALSE(mine.claim(some_cpu()));
    EXPECT_TRUE(mine.claim(some_cpu() + 1));
  }
  EXPECT_TRUE(mine.claim(some_cpu()));
}

TEST(CoreClaims, CountHoweverOftenSomebodyAsks) {
  CoreClaims other;
  EXPECT_TRUE(other.claim(some_cpu()));
  for (int i = 0; i < 5000; ++i) EXPECT_FALSE(CoreClaims().claim(some_cpu()));
}

TEST(CoreClaims, ThatAnotherUserHoldsInThisOnesNameDoNotCount) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t stranger = fork();
  if (stranger == 0) {
    const uid_t me = geteuid();
    const char said = setuid(kStranger) == 0 && hold(name_of(some_cpu(), me)) >= 0 ? 'y' : 'n';
    if (write(ready[1], &said, 1) == 1)
      while (true) pause();
  }
  char said = 'n';
  EXPECT_EQ(read(ready[0], &said, 1), 1);
  if (said == 'y') {
    CoreClaims mine;
    EXPECT_TRUE(mine.claim(some_cpu()));
  }
  kill(stranger, SIGKILL);
  waitpid(stranger, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  if (said != 'y') GTEST_SKIP() << "only root can become another user";
}

TEST(CoreClaims, OfOtherUsersAreSeen) {
  const auto is_seen = [] {
    const std::vector<int> cpus = cpus_claimed_by_others();
    return std::find(cpus.begin(), cpus.end(), some_cpu()) != cpus.end();
  };
  CoreClaims mine;
  EXPECT_TRUE(mine.claim(some_cpu()));
  EXPECT_FALSE(is_seen());
  const int fd = hold(name_of(some_cpu(), kStranger));
  EXPECT_TRUE(is_seen());
  close(fd);
  EXPECT_FALSE(is_seen());
}

}  // namespace
}  // namespace antiphon::launch
