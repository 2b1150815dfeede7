#include "mpiexec/command_line.hpp"

#include <gtest/gtest.h>

#include "common/failure.hpp"
#include "hosts/host.hpp"
#include "mpiexec/place_ranks.hpp"

namespace antiphon::launch {
namespace {

JobOptions parse(const std::vector<std::string>& words) { return std::get<JobOptions>(parse_command_line(words)); }

template <class Work>
std::string complaint(const Work& work) {
  try {
    work();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_status, kExitUsage);
    return failure.message;
  }
  return "none";
}

std::string complaint(const std::vector<std::string>& words) {
  return complaint([&] { parse_command_line(words); });
}

TEST(CommandLine, OptionsEndAtTheProgramWhichKeepsItsOwn) {
  const JobOptions job = parse({"-n", "3", "-l", "prog", "-n", "7", "--help"});
  ASSERT_EQ(job.apps.size(), 1U);
  EXPECT_EQ(job.apps[0].ranks, 3);
  EXPECT_EQ(job.apps[0].command, (std::vector<std::string>{"prog", "-n", "7", "--help"}));
  EXPECT_TRUE(job.label_output);
}

TEST(CommandLine, ColonsSeparateProgramsWithOptionsOfTheirOwn) {
  const JobOptions job = parse({"-n", "2", "-x", "A=1", "p", "a:b", ":", "-np", "4", "-wdir", "/tmp", "q", ":", "r"});
  ASSERT_EQ(job.apps.size(), 3U);
  EXPECT_EQ(job.ranks(), 2 + 4 + 1);
  EXPECT_EQ(job.apps[0].command.back(), "a:b");
  EXPECT_EQ(job.apps[0].environment.size(), 1U);
  EXPECT_TRUE(job.apps[1].environment.empty());
  EXPECT_EQ(job.apps[1].working_directory, "/tmp");
  EXPECT_EQ(job.apps[2].working_directory, "");
}

TEST(CommandLine, OneDashTwoDashesAndEqualsSignsMeanTheSame) {
  for (const auto& words : {std::vector<std::string>{"-bind-to", "none", "p"},
                            {"--bind-to", "none", "p"},
                            {"--bind-to=none", "p"},
                            {"-bind-to=none", "p"}}) {
    EXPECT_EQ(parse(words).bind_to, BindTo::none);
  }
  EXPECT_EQ(parse({"-x=V=a=b", "p"}).apps[0].environment[0].value, "a=b");
}

TEST(CommandLine, NamesTheOptionTheValueAndWhatIsValid) {
  EXPECT_EQ(complaint(std::vector<std::string>{"-n", "two", "p"}),
            "-n: 'two' is not a number of ranks (valid: 1 to 1000000)");
  EXPECT_EQ(complaint(std::vector<std::string>{"-n", "99999999999", "p"}),
            "-n: '99999999999' is not a number of ranks (valid: 1 to 1000000)");
  EXPECT_EQ(complaint(std::vector<std::string>{"--on-hang", "panic", "p"}),
            "--on-hang: 'panic' is unknown (valid: report, abort, ignore)");
  EXPECT_EQ(complaint(std::vector<std::string>{"-genv", "A"}), "-genv: a value is missing (valid: -genv VAR VALUE)");
  EXPECT_EQ(complaint(std::vector<std::string>{"-env", "A=B", "c", "p"}),
            "-env: 'A=B' is not the name of a variable");
  EXPECT_EQ(complaint(std::vector<std::string>{"--label=yes", "p"}),
            "--label: '=yes' is too much here (this option takes no value)");
}

TEST(CommandLine, SuggestsTheNearestOptionAndNoneWhenNothingIsNear) {
  EXPECT_EQ(complaint(std::vector<std::string>{"--timeuot", "3", "p"}),
            "unknown option '--timeuot', did you mean '--timeout'? (mpiexec --help lists all)");
  EXPECT_EQ(complaint(std::vector<std::string>{"--zzzzz", "eth0", "p"}),
            "unknown option '--zzzzz' (mpiexec --help lists all)");
}

TEST(CommandLine, LeavesAChoiceOfHowManyRanks) {
  const auto ranks = [](const char* triplets, const char* most) {
    return parse({"-n", most, "-soft", triplets, "p"}).ranks();
  };
  EXPECT_EQ(ranks("3", "8"), 3);
  EXPECT_EQ(ranks("8", "8"), 8);
  EXPECT_EQ(ranks("2:5", "8"), 5);
  EXPECT_EQ(ranks("2:50", "8"), 8);
  EXPECT_EQ(ranks("1:50:3", "8"), 7);
  EXPECT_EQ(ranks("50:1:-7", "14"), 8);
  EXPECT_EQ(ranks("1,9,4", "8"), 4);
  EXPECT_EQ(ranks("-5:2,100:200", "8"), 2);
  EXPECT_EQ(ranks("2:2", "8"), 2);
  EXPECT_EQ(parse({"-soft", "1:8", "-n", "4", "p"}).ranks(), 4);
  for (const char* wrong :
       {"", ",", "1,", "1:", "::", "1:2:0", "1:2:3:4", "2:1", "1:2:-1", "x", "1.5", "99999999999"})
    EXPECT_NE(complaint(std::vector<std::string>{"-n", "4", "-soft", wrong, "p"}).find("is not a list of triplets"),
              std::string::npos)
        << wrong;
  EXPECT_EQ(complaint(std::vector<std::string>{"-n", "4", "-soft", "0,5:1000000000:7", "p"}),
            "-soft: '0,5:1000000000:7' has no number from 1 to 4 (-n)");
}

TEST(CommandLine, NumbersMayFollowTheirOptionAtOnce) {
  EXPECT_EQ(parse({"-n4", "p"}).ranks(), 4);
  EXPECT_EQ(parse({"--np12", "p"}).ranks(), 12);
  EXPECT_EQ(complaint(std::vector<std::string>{"-timeout4", "p"}),
            "unknown option '-timeout4', did you mean '--timeout'? (mpiexec --help lists all)");
  EXPECT_EQ(complaint(std::vector<std::string>{"-n4=5", "p"}),
            "-n: '4=5' is not a number of ranks (valid: 1 to 1000000)");
}

TEST(CommandLine, SaysWhatToUseInPlaceOfWhatOthersHave) {
  EXPECT_EQ(complaint(std::vector<std::string>{"-gmca=x", "p"}),
            "-gmca: settings are given by --set NAME=VALUE (antiphon-info --settings lists all)");
  EXPECT_EQ(complaint(std::vector<std::string>{"-print-rank-map", "p"}),
            "-print-rank-map: -v says what is started and where, and --report-bindings on which cpus");
}

// Where the ranks run that this command line asks for, as "host host ...", if the environment has this list of hosts.
std::string places(const std::vector<std::string>& words, const char* slurm_hosts = nullptr,
                   const char* slurm_tasks = "1") {
  JobOptions job = parse(words);
  place_ranks(job, [&](const std::string& name) -> std::optional<std::string> {
    if (slurm_hosts == nullptr) return std::nullopt;
    if (name == "SLURM_JOB_NODELIST") return slurm_hosts;
    if (name == "SLURM_TASKS_PER_NODE") return slurm_tasks;
    return std::nullopt;
  });
  std::string hosts;
  for (const bootstrap::Place& place : job.placement.mapping.places)
    hosts += (hosts.empty() ? "" : " ") + job.placement.mapping.nodes[static_cast<std::size_t>(place.node)];
  EXPECT_EQ(job.placement.is_here, job.placement.mapping.nodes == std::vector{host_name()});
  return hosts;
}

TEST(CommandLine, RanksRunHereIfNothingElseIsSaid) {
  EXPECT_EQ(places({"p"}), host_name());
  EXPECT_EQ(places({"-n", "2", "-host", "localhost:1", "p"}), host_name() + " " + host_name());
  EXPECT_EQ(places({"-host", "localhost:1,127.0.0.1:1", "p"}), host_name() + " " + host_name());
}

TEST(CommandLine, HostsGetAsManyRanksAsTheyHaveSlots) {
  EXPECT_EQ(places({"-host", "a:2,b", "p"}), "a a b");
  EXPECT_EQ(places({"-n", "5", "-host", "a:2,b", "p"}), "a a a a b");
  EXPECT_EQ(places({"-n", "3", "--map-by", "node", "-host", "a:2,b", "p"}), "a b a");
  EXPECT_EQ(places({"-n", "3", "--map-by", "node", "-host", "a:64,b:64", "p"}), "a b a");
  EXPECT_EQ(places({"-n", "7", "--map-by", "node", "-host", "a:2,b", "p"}), "a b a a b a a");
  EXPECT_EQ(places({"-ppn", "1", "-host", "a:2,b", "p"}), "a b");
  EXPECT_EQ(places({"-host", "a,b", "p", ":", "-n", "1", "q"}), "a b a");
}

TEST(CommandLine, RanksRunInTheAllocationUnlessHostsAreNamed) {
  EXPECT_EQ(places({"p"}, "n[1-2]", "2(x2)"), "n1 n1 n2 n2");
  EXPECT_EQ(places({"-n", "2", "p"}, "n[1-2]", "2(x2)"), "n1 n1");
  EXPECT_EQ(places({"-host", "a", "p"}, "n[1-2]", "2(x2)"), "a");
}

TEST(CommandLine, MoreRanksThanAHostMayHaveAreRefused) {
  EXPECT_EQ(complaint([&] {
              (void)places({"-n", "8192", "p", ":", "-n", "1", "q"});
            }),
            "host " + host_name() + " would get more than 8192 ranks");
  EXPECT_EQ(complaint([&] {
              (void)places({"-n", "8192", "-host", "a,b", "p", ":", "-n", "9000", "q"});
            }),
            "host a would get more than 8192 ranks");
}

}  // namespace
}  // namespace antiphon::launch
