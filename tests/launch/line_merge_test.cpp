// What ranks print comes out in whole lines.
#include <gtest/gtest.h>

#include "mpiexec/line_merge.hpp"

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;
using Reader = LineMerge::Reader;

constexpr LineMerge::Clock::time_point kStart{};

// Ranks 0 to 2 without labels.
struct Ranks : LineMerge {
  explicit Ranks(Reader reader, const char* label = "") : LineMerge(reader) {
    for (int rank = 0; rank < 3; ++rank) add_source(label);
  }
  std::string say(std::size_t rank, std::string_view bytes, std::chrono::milliseconds when = 0ms) {
    feed(rank, bytes, kStart + when);
    return at(when);
  }
  std::string at(std::chrono::milliseconds when) {
    std::string out;
    collect(kStart + when, &out);
    return out;
  }
};

TEST(LineMerge, KeepsLinesWholeHoweverTheBytesArrive) {
  Ranks ranks(Reader::file);
  EXPECT_EQ(ranks.say(0, "a0 "), "");
  EXPECT_EQ(ranks.say(1, "b0\nb1 "), "b0\n");
  EXPECT_EQ(ranks.say(0, "a1\n\na2"), "a0 a1\n\n");
  EXPECT_EQ(ranks.say(1, "b2\n"), "b1 b2\n");
  ranks.finish(0);
  EXPECT_EQ(ranks.at(0ms), "a2");
  EXPECT_EQ(ranks.say(1, "b3\n"), "\nb3\n") << "the line that a left without an end must not swallow b's";
  EXPECT_TRUE(ranks.is_empty());
}

TEST(LineMerge, LabelsEachLine) {
  const std::string text = "one\n\ntwo\nthree";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    Ranks ranks(Reader::somebody, "[3] ");
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += piece) out += ranks.say(0, text.substr(at, piece));
    EXPECT_EQ(out, "[3] one\n[3] \n[3] two\n");
    ranks.finish(0);
    EXPECT_EQ(ranks.at(0ms), "[3] three\n");
  }
}

TEST(LineMerge, DoesNotTakeForSilenceThatNobodyRead) {
  Ranks ranks(Reader::somebody);
  EXPECT_EQ(ranks.say(0, "a0 "), "");
  EXPECT_EQ(ranks.say(1, "b0\n"), "b0\n");
  ranks.forget_silence(kStart + 2s);
  EXPECT_EQ(ranks.at(2000ms), "");
  EXPECT_EQ(ranks.at(2000ms + LineMerge::kPromptAfter), "a0 ") << "now it has the floor";
  EXPECT_EQ(ranks.say(1, "b1\n", 2100ms), "");
  ranks.forget_silence(kStart + 5s);
  EXPECT_EQ(ranks.at(5000ms), "");
  EXPECT_EQ(ranks.say(0, "a1\n", 5100ms), "a1\nb1\n");
}

TEST(LineMerge, ShowsAPromptToSomebodyAndKeepsItForAFile) {
  Ranks watched(Reader::somebody), stored(Reader::file);
  EXPECT_EQ(watched.say(0, "how many? "), "");
  EXPECT_EQ(stored.say(0, "how many? "), "");
  ASSERT_TRUE(watched.next_collect());
  EXPECT_EQ(*watched.next_collect(), kStart + LineMerge::kPromptAfter);
  EXPECT_EQ(watched.at(LineMerge::kPromptAfter), "how many? ");
  EXPECT_FALSE(watched.next_collect()) << "nothing is left to be done";
  EXPECT_FALSE(stored.next_collect());
  EXPECT_EQ(stored.at(1h), "");
}

TEST(LineMerge, LetsAPromptGoOnBeforeOthersHaveTheirTurn) {
  Ranks ranks(Reader::somebody);
  ranks.feed(0, "reading... ", kStart);
  EXPECT_EQ(ranks.at(LineMerge::kPromptAfter), "reading... ");
  EXPECT_EQ(ranks.say(1, "other\n", 60ms), "");
  EXPECT_EQ(ranks.say(0, "done\n", 70ms), "done\nother\n");
}

TEST(LineMerge, BreaksThePromptOfASilentRankForTheSakeOfOthers) {
  Ranks ranks(Reader::somebody);
  ranks.feed(0, "name? ", kStart);
  EXPECT_EQ(ranks.at(LineMerge::kPromptAfter), "name? ");
  EXPECT_EQ(ranks.say(1, "other\n", 60ms), "");
  ASSERT_TRUE(ranks.next_collect());
  EXPECT_EQ(*ranks.next_collect(), kStart + LineMerge::kFloorLostAfter);
  EXPECT_EQ(ranks.at(LineMerge::kFloorLostAfter), "\nother\n");
  EXPECT_EQ(ranks.say(0, "hello\n", 2000ms), "hello\n");
}

TEST(LineMerge, ShowsWhatGoesBackToTheStartOfItsLine) {
  Ranks ranks(Reader::somebody);
  std::string out;
  for (int percent = 0; percent < 1000; ++percent)
    out += ranks.say(0, "\r some of it is done", std::chrono::milliseconds(percent));
  EXPECT_GT(out.size(), 15'000U);
}

TEST(LineMerge, KeepsALineOf20MillionBytesWhole) {
  Ranks ranks(Reader::somebody);
  std::string out;
  for (int i = 0; i < 20'000; ++i) {
    out += ranks.say(0, std::string(1000, 'x'), std::chrono::milliseconds(i));
    if (i % 1000 == 0) out += ranks.say(1, "other\n", std::chrono::milliseconds(i));
  }
  out += ranks.say(0, "\n", 20'000ms);
  EXPECT_NE(out.find(std::string(20'000'000, 'x') + "\n"), std::string::npos);
}

TEST(LineMerge, DoesNotKeepAnEndlessLine) {
  Ranks ranks(Reader::file);
  std::size_t written = 0;
  for (int i = 0; i < 100; ++i) written += ranks.say(0, std::string(std::size_t{1} << 20, 'x')).size();
  EXPECT_GT(written, LineMerge::kLongestKept / 2);
}

}  // namespace
}  // namespace antiphon::launch
