#include "mpiexec/command_line.hpp"

#include <gtest/gtest.h>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

JobOptions parse(const std::vector<std::string>& words) { return std::get<JobOptions>(parse_command_line(words)); }

std::string complaint(const std::vector<std::string>& words) {
  try {
    parse_command_line(words);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit_status, kExitUsage);
    return failure.message;
  }
  return "none";
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
  EXPECT_EQ(complaint({"-n", "two", "p"}), "-n: 'two' is not a number of ranks (valid: 1 to 8192)");
  EXPECT_EQ(complaint({"-n", "99999999999", "p"}), "-n: '99999999999' is not a number of ranks (valid: 1 to 8192)");
  EXPECT_EQ(complaint({"--on-hang", "panic", "p"}), "--on-hang: 'panic' is unknown (valid: report, abort, ignore)");
  EXPECT_EQ(complaint({"-genv", "A"}), "-genv: a value is missing (valid: -genv VAR VALUE)");
  EXPECT_EQ(complaint({"-env", "A=B", "c", "p"}), "-env: 'A=B' is not the name of a variable");
  EXPECT_EQ(complaint({"--label=yes", "p"}), "--label: '=yes' is too much here (this option takes no value)");
}

TEST(CommandLine, SuggestsTheNearestOptionAndNoneWhenNothingIsNear) {
  EXPECT_EQ(complaint({"--timeuot", "3", "p"}),
            "unknown option '--timeuot', did you mean '--timeout'? (mpiexec --help lists all)");
  EXPECT_EQ(complaint({"--zzzzz", "eth0", "p"}), "unknown option '--zzzzz' (mpiexec --help lists all)");
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
    EXPECT_NE(complaint({"-n", "4", "-soft", wrong, "p"}).find("is not a list of triplets"), std::string::npos)
        << wrong;
  EXPECT_EQ(complaint({"-n", "4", "-soft", "0,5:1000000000:7", "p"}),
            "-soft: '0,5:1000000000:7' has no number from 1 to 4 (-n)");
}

TEST(CommandLine, NumbersMayFollowTheirOptionAtOnce) {
  EXPECT_EQ(parse({"-n4", "p"}).ranks(), 4);
  EXPECT_EQ(parse({"--np12", "p"}).ranks(), 12);
  EXPECT_EQ(complaint({"-timeout4", "p"}),
            "unknown option '-timeout4', did you mean '--timeout'? (mpiexec --help lists all)");
  EXPECT_EQ(complaint({"-n4=5", "p"}), "-n: '4=5' is not a number of ranks (valid: 1 to 8192)");
}

TEST(CommandLine, SaysWhatToUseInPlaceOfWhatOthersHave) {
  EXPECT_EQ(complaint({"-gmca=x", "p"}),
            "-gmca: settings are given by --set NAME=VALUE (antiphon-info --settings lists all)");
  EXPECT_EQ(complaint({"-print-rank-map", "p"}),
            "-print-rank-map: -v says what is started and where, and --report-bindings on which cpus");
}

TEST(CommandLine, TooManyRanksInAllAreRefused) {
  EXPECT_EQ(complaint({"-n", "8192", "p", ":", "-n", "1", "q"}),
            "8193 ranks in all are too many (valid: up to 8192)");
}

}  // namespace
}  // namespace antiphon::launch
