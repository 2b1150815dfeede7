// How a daemon is started and greeted, watched, and what the user is told if it does not start.
#include <gtest/gtest.h>

#include "hosts/advice.hpp"
#include "hosts/daemon_command.hpp"
#include "hosts/pulse.hpp"
#include "wire/greeting.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

JobDescription job_with(const std::string& daemon, Words launcher, bool has_shell) {
  JobDescription job;
  job.daemon = daemon;
  job.launch = {.words = std::move(launcher), .has_shell = has_shell};
  return job;
}

TEST(DaemonCommand, IsTheDaemonItselfOnThisMachine) {
  EXPECT_EQ(daemon_command(job_with("/opt/a b/antiphon-node", {}, true), "h"), Words{"/opt/a b/antiphon-node"});
  EXPECT_EQ(daemon_command(job_with("/opt/antiphon-node", {"ssh"}, true), "localhost"), Words{"/opt/antiphon-node"});
}

TEST(DaemonCommand, IsOneWordForTheShellOfTheOtherSideOrTheWordItself) {
  EXPECT_EQ(daemon_command(job_with("/opt/antiphon-node", {"ssh", "-x"}, true), "h"),
            (Words{"ssh", "-x", "h", "exec /opt/antiphon-node"}));
  EXPECT_EQ(daemon_command(job_with("/opt/it's $HOME/antiphon-node", {"ssh"}, true), "h"),
            (Words{"ssh", "h", R"(exec '/opt/it'\''s $HOME/antiphon-node')"}));
  EXPECT_EQ(daemon_command(job_with("/opt/it's $HOME/antiphon-node", {"srun", "--nodelist"}, false), "h"),
            (Words{"srun", "--nodelist", "h", "/opt/it's $HOME/antiphon-node"}));
}

TEST(DaemonCommand, IsShownAsAUserWouldTypeIt) {
  EXPECT_EQ(shown({"ssh", "-o", "A=yes", "h", "exec /opt/x"}), "ssh -o A=yes h 'exec /opt/x'");
  EXPECT_EQ(shown({"a;b", "", "`c`", "it's", "$(d)", "~", "*"}), R"('a;b' '' '`c`' 'it'\''s' '$(d)' '~' '*')");
}

TEST(Greeting, ComesBack) {
  const Greeting mine = my_greeting();
  const std::optional<Greeting> read = read_greeting(to_line(mine));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, mine.version);
  EXPECT_EQ(read->build, mine.build);
  EXPECT_EQ(to_line(mine).find('\n'), std::string::npos);
}

TEST(Greeting, OfAnotherVersionIsReadAsWell) {
  const std::optional<Greeting> read = read_greeting("antiphon-node 9.1 big-endian.32-bit whatever else\r");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, "9.1");
  EXPECT_EQ(read->build, "big-endian.32-bit whatever else");
}

TEST(Greeting, IsNotSeenInWhatShellsPrint) {
  for (const char* line : {"", "\r", "Welcome to h1!", "antiphon-node", "antiphon-node ", "antiphon-node 0.1",
                           " antiphon-node 0.1 x", "bash: antiphon-node 0.1 x"})
    EXPECT_FALSE(read_greeting(line)) << line;
}

TEST(Pulse, BeatsOnceASecond) {
  Pulse pulse;
  const Pulse::Clock::time_point begin = pulse.next_beat();
  EXPECT_FALSE(pulse.beat(begin - 1ms));
  EXPECT_TRUE(pulse.beat(begin));
  EXPECT_FALSE(pulse.beat(begin + 999ms));
  EXPECT_EQ(pulse.next_beat(), begin + 1s);
  EXPECT_TRUE(pulse.beat(begin + 1s));
}

TEST(Pulse, IsLostAfterOneBeatMoreThanItMayMiss) {
  Pulse pulse;
  Pulse::Clock::time_point now = pulse.next_beat();
  const auto miss = [&](int times) {
    for (; times > 0; --times) EXPECT_TRUE(pulse.beat(now += 1s));
  };
  miss(Pulse::kMostMissed);
  EXPECT_FALSE(pulse.is_lost());
  pulse.heard();
  miss(Pulse::kMostMissed);
  EXPECT_FALSE(pulse.is_lost());
  miss(1);
  EXPECT_TRUE(pulse.is_lost());
}

// This process was stopped, and the other end could not tell it anything meanwhile.
TEST(Pulse, CountsALongSleepOfThisProcessOnce) {
  Pulse pulse;
  EXPECT_TRUE(pulse.beat(pulse.next_beat() + 1h));
  EXPECT_FALSE(pulse.is_lost());
}

TEST(Pulse, OfWhoHasSaidThatItPausesIsNotLostUntilItIsHeardAgain) {
  Pulse pulse;
  Pulse::Clock::time_point now = pulse.next_beat();
  pulse.pause();
  for (int beat = 0; beat < 100; ++beat) EXPECT_TRUE(pulse.beat(now += 1s));
  EXPECT_FALSE(pulse.is_lost());
  pulse.heard();
  for (int beat = 0; beat < 7; ++beat) EXPECT_TRUE(pulse.beat(now += 1s));
  EXPECT_TRUE(pulse.is_lost());
}

TEST(Advice, FitsWhatTheCommandPrinted) {
  const auto has = [](const char* printed, const char* expected) {
    EXPECT_NE(what_to_try("h1", printed).find(expected), std::string::npos)
        << printed << ": " << what_to_try("h1", printed);
  };
  has("ssh: Could not resolve hostname h1: Name or service not known", "'getent hosts h1'");
  has("Host key verification failed.", "'ssh h1'");
  has("user@h1: Permission denied (publickey).", "'ssh-copy-id h1'");
  has("ssh: connect to host h1 port 22: Connection refused", "'ssh h1 true'");
  has("ssh: connect to host h1 port 22: No route to host", "'ssh h1 true'");
  has("ssh: connect to host h1 port 22: Connection timed out", "'ssh h1 true'");
  has("bash: line 1: /opt/antiphon-node: No such file or directory", "--prefix");
  has("sh: 1: exec: /opt/antiphon-node: not found", "--prefix");
  has("plm: No such file or directory", "--launcher-exec");
  EXPECT_EQ(what_to_try("h1", "something else"), "");
  EXPECT_EQ(what_to_try("h1", ""), "");
}

TEST(Advice, KnowsNamesThatMayBeKnownLater) {
  EXPECT_TRUE(is_unknown_name("ssh: Could not resolve hostname w-0: Temporary failure in name resolution"));
  EXPECT_TRUE(is_unknown_name("getaddrinfo: Name or service not known"));
  EXPECT_FALSE(is_unknown_name("Permission denied"));
}

}  // namespace
}  // namespace antiphon::launch
