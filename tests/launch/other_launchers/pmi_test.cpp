// A rank's side of PMI-1, against a server that says what a script has, line by line.
#include "bootstrap/managers/pmi.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"

namespace antiphon::bootstrap {
namespace {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.message;
  }
  return "none";
}

// Expects each question of the script and answers as it says. An empty answer: closes the connection.
struct Turn {
  std::string question, answer;
};
using Script = std::vector<Turn>;

class Server {
 public:
  Server(int socket, Script script)
      : thread_([socket, script = std::move(script), this] { serve(socket, script); }) {}
  ~Server() { thread_.join(); }

  std::vector<std::string> surprises;

 private:
  void serve(int socket, const Script& script) {
    for (const Turn& turn : script) {
      if (const std::string line = next_line(socket); line != turn.question)
        surprises.push_back("'" + line + "' came and '" + turn.question + "' was expected");
      if (turn.answer.empty()) break;
      send(socket, turn.answer.data(), turn.answer.size(), MSG_NOSIGNAL);
    }
    close(socket);
  }
  static std::string next_line(int socket) {
    std::string line;
    char letter;
    while (recv(socket, &letter, 1, 0) == 1 && letter != '\n') line += letter;
    return line;
  }

  std::thread thread_;
};

const Script kBeginning{
    {"cmd=init pmi_version=1 pmi_subversion=1", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
    {"cmd=get_maxes", "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n"},
    {"cmd=get_my_kvsname", "cmd=my_kvsname kvsname=kvs_1_0\n"},
    {"cmd=get_appnum", "cmd=appnum appnum=2\n"}};

Script operator+(Script script, const Script& more) {
  script.insert(script.end(), more.begin(), more.end());
  return script;
}

// A rank 1 of 3 with such a launcher.
struct Launched {
  explicit Launched(Script script) {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    fd = ends[0];
    server.emplace(ends[1], std::move(script));
  }
  [[nodiscard]] Environment seen() const {
    return environment({{"PMI_FD", std::to_string(fd)}, {"PMI_RANK", "1"}, {"PMI_SIZE", "3"}});
  }
  int fd;
  std::optional<Server> server;
};

TEST(Pmi, LearnsWhoItIsAndExchangesValues) {
  Launched launched(
      kBeginning +
      Script{{"cmd=put kvsname=kvs_1_0 key=antiphon.card.1 value=a,b", "cmd=put_result rc=0 msg=success\n"},
             {"cmd=barrier_in", "cmd=barrier_out\n"},
             {"cmd=get kvsname=kvs_1_0 key=antiphon.card.2", "cmd=get_result rc=0 msg=success value=c=d\n"},
             {"cmd=finalize", "cmd=finalize_ack\n"}});
  Pmi manager(launched.seen());
  EXPECT_EQ(manager.identity().rank, 1);
  EXPECT_EQ(manager.identity().size, 3);
  EXPECT_EQ(manager.identity().appnum, 2);
  manager.put("card", "a,b");
  manager.exchange();
  EXPECT_EQ(manager.get(2, "card"), "c=d");
  manager.finish();
  EXPECT_EQ(launched.server->surprises, std::vector<std::string>{});
}

TEST(Pmi, UnderstandsAnswersThatComeInPiecesOrTogether) {
  Script script = kBeginning;
  script[0].answer = "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\ncmd=maxes kvsname_max=256 ";
  script[1].answer = "keylen_max=64 vallen_max=1024\n";
  Launched launched(script);
  EXPECT_EQ(Pmi(launched.seen()).identity().appnum, 2);
}

TEST(Pmi, TellsTheLauncherOfAnAbort) {
  Launched launched(kBeginning + Script{{"cmd=abort exitcode=7", ""}});
  Pmi manager(launched.seen());
  manager.abort(7, "text with spaces");
  launched.server.reset();
}

TEST(Pmi, NamesTheQuestionThatWasAnsweredWrongly) {
  for (std::size_t which = 0; which < kBeginning.size(); ++which) {
    Script script(kBeginning.begin(), kBeginning.begin() + static_cast<std::ptrdiff_t>(which) + 1);
    script.back().answer = "cmd=something_else rc=0\n";
    Launched launched(script);
    const std::string text = complaint([&] { Pmi manager(launched.seen()); });
    EXPECT_NE(text.find("the PMI launcher of this process (PMI_FD="), std::string::npos) << text;
    EXPECT_NE(text.find("answered 'cmd=something_else rc=0' to '" + kBeginning[which].question), std::string::npos)
        << text;
  }
}

TEST(Pmi, SaysWhenTheLauncherVanishes) {
  for (std::size_t which = 0; which < kBeginning.size(); ++which) {
    Script script(kBeginning.begin(), kBeginning.begin() + static_cast<std::ptrdiff_t>(which) + 1);
    script.back().answer = "";
    Launched launched(script);
    const std::string text = complaint([&] { Pmi manager(launched.seen()); });
    EXPECT_NE(text.find("did not answer '" + kBeginning[which].question + "'"), std::string::npos) << text;
    EXPECT_NE(text.find("It has ended"), std::string::npos) << text;
  }
}

TEST(Pmi, SaysWhenTheLauncherRefuses) {
  Launched launched(kBeginning + Script{{"cmd=get kvsname=kvs_1_0 key=antiphon.card.0",
                                         "cmd=get_result rc=-1 msg=key_not_found value=unknown\n"}});
  Pmi manager(launched.seen());
  EXPECT_NE(complaint([&] { (void)manager.get(0, "card"); }).find("rc=-1 msg=key_not_found"), std::string::npos);
}

TEST(Pmi, RefusesALauncherWhoseValuesAreTooShort) {
  Script script = kBeginning;
  script.resize(2);
  script[1].answer = "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=255\n";
  Launched launched(script);
  EXPECT_NE(complaint([&] { Pmi manager(launched.seen()); }).find("values of up to 255 bytes"), std::string::npos);
}

TEST(Pmi, GivesUpALineThatDoesNotEnd) {
  Script script = kBeginning;
  script.resize(1);
  script[0].answer = std::string(200'000, 'x');
  Launched launched(script);
  EXPECT_NE(complaint([&] { Pmi manager(launched.seen()); }).find("without a newline"), std::string::npos);
}

TEST(Pmi, RefusesHalfAnEnvironment) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const std::string fd = std::to_string(ends[0]);
  EXPECT_NE(complaint([&] {
              Pmi manager(environment({{"PMI_FD", fd}, {"PMI_SIZE", "3"}}));
            }).find("PMI_RANK to a number; but that is not set"),
            std::string::npos);
  close(ends[1]);
  EXPECT_NE(complaint([] {
              Pmi manager(environment({{"PMI_FD", "x"}}));
            }).find("PMI_FD to a number; but that is x"),
            std::string::npos);
}

TEST(Pmi, RefusesADescriptorThatIsNoSocket) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (const int fd : {ends[0], 9999}) {
    const auto seen = environment({{"PMI_FD", std::to_string(fd)}, {"PMI_RANK", "0"}, {"PMI_SIZE", "2"}});
    const std::string text = complaint([&] { Pmi manager(seen); });
    EXPECT_NE(text.find("is not a socket of this process"), std::string::npos) << text;
    EXPECT_NE(text.find("ANTIPHON_SINGLETON=1"), std::string::npos) << text;
  }
  close(ends[0]);
  close(ends[1]);
}

// A listening socket of this machine, and the text of its address.
struct Port {
  Port() {
    sockaddr_in any{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t bytes = sizeof any;
    EXPECT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&any), bytes), 0);
    EXPECT_EQ(listen(socket, 1), 0);
    getsockname(socket, reinterpret_cast<sockaddr*>(&any), &bytes);
    address = "127.0.0.1:" + std::to_string(ntohs(any.sin_port));
  }
  ~Port() { close(socket); }
  int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  std::string address;
};

TEST(Pmi, ConnectsToAPortAndIsToldItsRank) {
  const Port port;
  std::vector<std::string> surprises;
  std::thread server([&] {
    Server accepted(
        accept(port.socket, nullptr, nullptr),
        Script{{"cmd=initack pmiid=5", "cmd=initack rc=0\ncmd=set size=4\ncmd=set rank=3\ncmd=set debug=0\n"}} +
            kBeginning);
    surprises = accepted.surprises;
  });
  const Pmi manager(environment({{"PMI_PORT", port.address}, {"PMI_ID", "5"}}));
  server.join();
  EXPECT_EQ(manager.identity().rank, 3);
  EXPECT_EQ(manager.identity().size, 4);
}

TEST(Pmi, SaysThatNobodyListensAtThePort) {
  std::string address;
  {
    const Port port;
    address = port.address;
  }
  const std::string text = complaint([&] { Pmi manager(environment({{"PMI_PORT", address}, {"PMI_ID", "0"}})); });
  EXPECT_NE(text.find("PMI_PORT=" + address + ": Connection refused"), std::string::npos) << text;
  EXPECT_NE(complaint([] {
              Pmi manager(environment({{"PMI_PORT", "nowhere"}}));
            }).find("a colon and a port"),
            std::string::npos);
}

}  // namespace
}  // namespace antiphon::bootstrap
