// The words mpiexec finds: labels on lines, verdicts on ends, near misses.
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <cstring>
#include <memory>

#include "mpiexec/failure.hpp"
#include "mpiexec/host.hpp"
#include "mpiexec/label.hpp"
#include "mpiexec/nearest.hpp"
#include "mpiexec/verdict.hpp"

namespace antiphon::launch {
namespace {

TEST(LineLabeller, LabelsWholeLinesHoweverTheBytesArrive) {
  const std::string text = "one\n\ntwo\nthree";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LineLabeller lines("[3] ");
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += piece) lines.feed(std::string_view{text}.substr(at, piece), out);
    EXPECT_EQ(out, "[3] one\n[3] \n[3] two\n");
    lines.finish(out);
    EXPECT_EQ(out, "[3] one\n[3] \n[3] two\n[3] three\n");
  }
}

TEST(LineLabeller, DoesNotKeepAnEndlessLine) {
  LineLabeller lines("[0] ");
  std::string out;
  for (int i = 0; i < 100; ++i) lines.feed(std::string(4096, 'x'), out);
  EXPECT_GT(out.size(), 300'000U);
}

// Wait statuses as the kernel encodes them.
constexpr int exited(int status) { return status << 8; }
constexpr int killed(int signal_number) { return signal_number; }

TEST(Verdict, BlamesASignalBeforeAStatusAndNobodyWhenAllIsWell) {
  EXPECT_FALSE(judge_ends({{.rank = 0, .pid = 10, .wait_status = 0}}, "h"));
  const auto verdict = judge_ends(
      {{.rank = 0, .pid = 10, .wait_status = exited(3)}, {.rank = 1, .pid = 11, .wait_status = killed(SIGSEGV)}},
      "node7");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->exit_status, 139);
  EXPECT_EQ(verdict->message, "rank 1 (pid 11, host node7) died by signal 11 (Segmentation fault)");
}

TEST(Verdict, OfAnAbortTakesTextThatNobodyEnded) {
  auto header = std::make_unique<bootstrap::Header>();
  header->abort_rank = 2;
  header->abort_code = 300;
  std::memset(header->abort_text, 'x', sizeof header->abort_text);
  const Verdict verdict = judge_abort(*header, 12, "h");
  EXPECT_EQ(verdict.exit_status, 300 - 256);
  EXPECT_EQ(verdict.message,
            "rank 2 (pid 12, host h) aborted the job with code 300: " + std::string(sizeof header->abort_text, 'x'));
}

TEST(Nearest, IsTheClosestWordOrNone) {
  constexpr std::array<std::string_view, 3> words{"timeout", "bind-to", "wdir"};
  EXPECT_EQ(nearest("tiemout", words), "timeout");
  EXPECT_EQ(nearest("bindto", words), "bind-to");
  EXPECT_EQ(nearest("quite-another", words), std::nullopt);
}

TEST(Host, KnowsItsOwnNames) {
  EXPECT_TRUE(is_this_host("localhost"));
  EXPECT_TRUE(is_this_host(host_name()));
  EXPECT_FALSE(is_this_host("elsewhere.example"));
}

}  // namespace
}  // namespace antiphon::launch
