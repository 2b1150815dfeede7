// Settings as text: what is understood, what is refused and with which words, and who wins.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "common/failure.hpp"
#include "mpiexec/job_settings.hpp"
#include "settings/given.hpp"
#include "settings/text.hpp"

namespace antiphon::settings {
namespace {

constexpr std::string_view kChoices[] = {"auto", "on", "two-sided"};

Setting some(Type type, std::int64_t least = 0, std::int64_t most = std::int64_t{1} << 40,
             std::string_view automatic = "") {
  return {.name = "some",
          .type = type,
          .scope = Scope::job,
          .level = Level::user,
          .usual = least,
          .least = least,
          .most = type == Type::choice ? 2 : most,
          .automatic = automatic,
          .choices = type == Type::choice ? kChoices : std::span<const std::string_view>{},
          .where = "here",
          .what = "It.",
          .get = nullptr,
          .set = nullptr};
}

template <class Work>
std::string complaint(Work&& work) {
  try {
    work();
  } catch (const base::Error& error) {
    return error.message;
  } catch (const launch::Failure& failure) {
    EXPECT_EQ(failure.exit_status, launch::kExitUsage);
    return failure.message;
  }
  return "none";
}

std::string refusal(const Setting& setting, std::string_view text) {
  return complaint([&] { (void)value_of(setting, text, "some"); });
}

TEST(Values, HaveUnitsThatUsersWrite) {
  const Setting bytes = some(Type::bytes), time = some(Type::time), count = some(Type::count);
  for (const char* text : {"65536", "64K", "64k", "64KB", "64KiB"})
    EXPECT_EQ(value_of(bytes, text, ""), 65536) << text;
  EXPECT_EQ(value_of(bytes, "3M", ""), 3 << 20);
  EXPECT_EQ(value_of(bytes, "12b", ""), 12);
  EXPECT_EQ(value_of(time, "200us", ""), 200'000);
  EXPECT_EQ(value_of(time, "2S", ""), 2'000'000'000);
  EXPECT_EQ(value_of(time, "0", ""), 0);
  EXPECT_EQ(value_of(count, "17", ""), 17);
}

TEST(Values, AreShownAsTheyAreWritten) {
  EXPECT_EQ(text_of(some(Type::bytes), 65536), "64K");
  EXPECT_EQ(text_of(some(Type::bytes), 65537), "65537");
  EXPECT_EQ(text_of(some(Type::time), 1'500'000), "1500us");
  EXPECT_EQ(text_of(some(Type::count), 65536), "65536");
  EXPECT_EQ(text_of(some(Type::choice), 2), "two-sided");
  for (const char* text : {"two-sided", "two_sided", "Two-Sided"})
    EXPECT_EQ(value_of(some(Type::choice), text, ""), 2) << text;
}

TEST(Values, MayBeLeftToTheLibrary) {
  const Setting setting = some(Type::bytes, 32, 4096, "what suits");
  EXPECT_EQ(value_of(setting, "AUTO", ""), 0);
  EXPECT_EQ(text_of(setting, 0), "auto");
  EXPECT_EQ(refusal(setting, "0"), "some='0' is out of range (valid: 32 to 4K, or auto, as in 4096, 64K or 1M)");
  EXPECT_EQ(refusal(some(Type::bytes), "auto").substr(0, 36), "some='auto' is not a number of bytes");
}

TEST(Values, ThatMakeNoSenseAreRefusedWithWhatIsValid) {
  EXPECT_EQ(refusal(some(Type::bytes), "many"),
            "some='many' is not a number of bytes (valid: 0 to 1T, as in 4096, 64K or 1M)");
  EXPECT_EQ(refusal(some(Type::time), "7"),
            "some='7' is not a time (valid: 0 to 1099511627776ns, as in 200us, 1ms or 2s)");
  EXPECT_EQ(refusal(some(Type::count, 1, 9), "4K"), "some='4K' is not a number (valid: 1 to 9)");
  EXPECT_EQ(refusal(some(Type::choice), "maybe"),
            "some='maybe' is not one of its values (valid: auto, on, two-sided)");
  for (const char* text : {"", " 1", "1 ", "0x10", "1.5K", "K", "--1", "1KK", "1KiBB"})
    EXPECT_NE(refusal(some(Type::bytes), text).find("is not a number of bytes"), std::string::npos) << text;
}

TEST(Values, OutOfRangeAreRefusedWhateverTheirSize) {
  for (const char* text : {"0", "10", "-1", "99999999999999999999999"})
    EXPECT_EQ(refusal(some(Type::count, 1, 9), text),
              std::string("some='") + text + "' is out of range (valid: 1 to 9)");
  EXPECT_NE(refusal(some(Type::bytes), "9999999999999T").find("out of range"), std::string::npos);
}

TEST(Names, MayBeInCapitalsAndWithDashes) {
  EXPECT_EQ(named("WAIT-LOOKS", "").name, "wait_looks");
  EXPECT_EQ(variable_of("wait_looks"), "ANTIPHON_WAIT_LOOKS");
}

TEST(Names, ThatAreUnknownAreToldWithTheNearest) {
  EXPECT_EQ(complaint([] { (void)given("wait_lokos", "1", "wait_lokos"); }),
            "'wait_lokos' is not a setting, did you mean 'wait_looks'? (antiphon-info --settings lists all)");
  EXPECT_EQ(complaint([] { (void)given_by_variable("ANTIPHON_WAIT_LOOK", "1"); }),
            "'ANTIPHON_WAIT_LOOK' is not a setting, did you mean 'ANTIPHON_WAIT_LOOKS'? (antiphon-info --settings "
            "lists all)");
  EXPECT_EQ(complaint([] { (void)given("qqqqqqqqqqqqqqqqqqqqqqq", "1", "q"); }),
            "'q' is not a setting (antiphon-info --settings lists all)");
}

TEST(Variables, OfOtherKindsAreLeftAlone) {
  const char* const environment[] = {"HOME=/", "ANTIPHON_RANK=3", "ANTIPHON_ROOT=/opt", "WAIT_LOOKS=x", "odd",
                                     nullptr};
  EXPECT_TRUE(given_by(environment).empty());
}

TEST(EverySetting, ReadsBackWhatItShowsAndHasItsDefault) {
  for (const Setting& setting : all()) {
    Values values;
    EXPECT_EQ(setting.get(values), setting.usual) << setting.name;
    for (const std::int64_t value : {setting.least, setting.usual, setting.most}) {
      setting.set(values, value);
      EXPECT_EQ(setting.get(values), value) << setting.name;
      EXPECT_EQ(value_of(setting, text_of(setting, value), ""), value) << setting.name;
    }
    EXPECT_FALSE(setting.what.empty());
  }
}

TEST(Job, TakesTheCommandLineBeforeTheEnvironment) {
  launch::JobOptions options;
  const char* const environment[] = {"ANTIPHON_WAIT_LOOKS=1", "ANTIPHON_WAIT_YIELDS=2", nullptr};
  options.environment = {{"ANTIPHON_WAIT_YIELDS", "3"}};
  options.set = {given("wait_looks", "4", "")};
  const Values values = launch::job_settings(options, environment);
  EXPECT_EQ(values.wait_looks, 4);
  EXPECT_EQ(values.wait_yields, 3);
  EXPECT_EQ(values.wait_turn, Values{}.wait_turn);
}

TEST(Job, ChecksTheVariablesOfEachProgram) {
  launch::JobOptions options;
  options.apps.resize(2);
  const char* const environment[] = {nullptr};
  options.apps[1].environment = {{"ANTIPHON_WAIT_LOOKS", "few"}};
  EXPECT_EQ(complaint([&] { (void)launch::job_settings(options, environment); }),
            "ANTIPHON_WAIT_LOOKS='few' is not a number (valid: 0 to 1000000000)");
}

TEST(Process, MayDifferFromItsJobWhereNotAllMustAgree) {
  EXPECT_EQ(of_process({}, std::vector{given("wait_looks", "5", "")}).wait_looks, 5);
}

}  // namespace
}  // namespace antiphon::settings
