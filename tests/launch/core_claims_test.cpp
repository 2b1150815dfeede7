// Claims of cpus, with numbers that no machine has.
#include "node/core_claims.hpp"

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

// Another user, who does something and stays until this ends; nobody, where this process may not become one.
class Stranger {
 public:
  template <class Deed>
  explicit Stranger(Deed deed) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) {
      Said said = Said::am_nobody;
      if (setuid(kStranger) == 0) said = deed() ? Said::have_done_it : Said::could_not;
      if (write(ends[1], &said, sizeof said) == sizeof said)
        while (true) pause();
    }
    Said said = Said::could_not;
    EXPECT_EQ(read(ends[0], &said, sizeof said), static_cast<ssize_t>(sizeof said));
    exists_ = said != Said::am_nobody;
    if (exists_) {
      EXPECT_EQ(said, Said::have_done_it);
    }
    close(ends[0]);
    close(ends[1]);
  }
  ~Stranger() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

  [[nodiscard]] bool exists() const { return exists_; }

 private:
  enum class Said : char { am_nobody, could_not, have_done_it };
  pid_t process_;
  bool exists_ = false;
};

TEST(CoreClaims, OfAnotherUserDoNotCount) {
  const int cpu = some_cpu();
  CoreClaims theirs, mine;
  const Stranger stranger([&] { return theirs.claim(cpu); });
  if (!stranger.exists()) GTEST_SKIP() << "only root can become another user";
  EXPECT_TRUE(mine.claim(cpu));
}

TEST(CoreClaims, ThatAnotherUserHoldsInThisOnesNameDoNotCount) {
  const std::string name = name_of(some_cpu(), geteuid());
  const Stranger stranger([&] { return hold(name) >= 0; });
  if (!stranger.exists()) GTEST_SKIP() << "only root can become another user";
  CoreClaims mine;
  EXPECT_TRUE(mine.claim(some_cpu()));
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
