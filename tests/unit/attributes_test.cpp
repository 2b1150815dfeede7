// Attribute keys and cached values by themselves: which callback runs when, and what is left after one fails.
#include "objects/attributes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "error_of.hpp"

namespace antiphon::objects {
namespace {

constexpr std::uintptr_t kObject = 0x5000;
constexpr int kRefused = 77;

void* value(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

class AttributesTest : public testing::Test {
 protected:
  // A key whose callbacks write what happens into `log`.
  Keyval& key(int copy_code = 0, bool keep = true) {
    return keyvals_.create(Keyval::Kind::comm,
                           {.copy =
                                [=, this](std::uintptr_t object, int keyval, void* old, void** copied, bool* kept) {
                                  log += fmt::format("copy {} {}:{} ", keyval, object == kObject ? "it" : "other",
                                                     reinterpret_cast<std::uintptr_t>(old));
                                  *copied = value(reinterpret_cast<std::uintptr_t>(old) + 100);
                                  *kept = keep;
                                  return copy_code;
                                },
                            .remove =
                                [this](std::uintptr_t, int keyval, void* old) {
                                  log += fmt::format("delete {}:{} ", keyval, reinterpret_cast<std::uintptr_t>(old));
                                  return delete_code;
                                }});
  }
  std::uintptr_t stored(const Attributes& attributes, const Keyval& keyval) {
    void* const* found = attributes.find(keyval.number());
    return found ? reinterpret_cast<std::uintptr_t>(*found) : 0;
  }

  Keyvals keyvals_;
  Attributes attributes_;
  std::string log;
  int delete_code = 0;
};

TEST_F(AttributesTest, GivesBackWhatWasSet) {
  Keyval& a = key();
  Keyval& b = key();
  EXPECT_EQ(attributes_.find(a.number()), nullptr);
  attributes_.set(a, value(1), kObject);
  attributes_.set(b, value(2), kObject);
  EXPECT_EQ(stored(attributes_, a), 1u);
  EXPECT_EQ(stored(attributes_, b), 2u);
  attributes_.remove(a.number(), kObject);
  EXPECT_EQ(attributes_.find(a.number()), nullptr);
  EXPECT_EQ(stored(attributes_, b), 2u);
}

TEST_F(AttributesTest, KeepsANullValueApartFromNone) {
  Keyval& a = key();
  attributes_.set(a, nullptr, kObject);
  ASSERT_NE(attributes_.find(a.number()), nullptr);
  EXPECT_EQ(*attributes_.find(a.number()), nullptr);
}

TEST_F(AttributesTest, DeletesTheOldValueBeforeItSetsTheNew) {
  Keyval& a = key();
  attributes_.set(a, value(1), kObject);
  attributes_.set(a, value(2), kObject);
  EXPECT_EQ(log, fmt::format("delete {}:1 ", a.number()));
  EXPECT_EQ(stored(attributes_, a), 2u);
}

TEST_F(AttributesTest, KeepsTheOldValueWhenItsDeleteFunctionFails) {
  Keyval& a = key();
  attributes_.set(a, value(1), kObject);
  delete_code = kRefused;
  EXPECT_EQ(error_of([&] { attributes_.set(a, value(2), kObject); }), kRefused);
  EXPECT_EQ(error_of([&] { attributes_.remove(a.number(), kObject); }), kRefused);
  EXPECT_EQ(stored(attributes_, a), 1u);
  delete_code = 0;
  attributes_.remove(a.number(), kObject);
  EXPECT_TRUE(attributes_.empty());
}

TEST_F(AttributesTest, ClearsTheNewestFirstAndStopsAtAnError) {
  Keyval& a = key();
  Keyval& b = key();
  Keyval& stubborn = keyvals_.create(Keyval::Kind::comm, {.copy = {}, .remove = [&](auto, auto, auto) {
                                                            log += "stubborn ";
                                                            return delete_code;
                                                          }});
  Keyval& c = key();
  for (Keyval* keyval : {&a, &stubborn, &b, &c}) attributes_.set(*keyval, value(1), kObject);
  Keyval& quiet = keyvals_.create(Keyval::Kind::comm, {});
  attributes_.set(quiet, value(1), kObject);
  attributes_.remove(c.number(), kObject);
  log.clear();
  delete_code = kRefused;
  EXPECT_EQ(error_of([&] { attributes_.clear(kObject); }), kRefused);
  EXPECT_EQ(log, fmt::format("delete {}:1 ", b.number())) << "the first to go has refused already";
  EXPECT_EQ(attributes_.find(quiet.number()), nullptr);
  EXPECT_NE(attributes_.find(b.number()), nullptr);
  delete_code = 0;
  log.clear();
  attributes_.clear(kObject);
  EXPECT_EQ(log, fmt::format("delete {}:1 stubborn delete {}:1 ", b.number(), a.number()));
}

TEST_F(AttributesTest, CopiesEachOnceAndDropsWhatIsNotKept) {
  Keyval& kept = key();
  Keyval& dropped = key(0, false);
  Keyval& never = keyvals_.create(Keyval::Kind::comm, {});
  attributes_.set(kept, value(1), kObject);
  attributes_.set(dropped, value(2), kObject);
  attributes_.set(never, value(3), kObject);
  Attributes copy;
  attributes_.copy_to(copy, kObject);
  EXPECT_EQ(log, fmt::format("copy {} it:1 copy {} it:2 ", kept.number(), dropped.number()));
  EXPECT_EQ(stored(copy, kept), 101u);
  EXPECT_EQ(copy.find(dropped.number()), nullptr);
  EXPECT_EQ(copy.find(never.number()), nullptr);
  EXPECT_EQ(stored(attributes_, kept), 1u);
}

TEST_F(AttributesTest, LeavesInTheCopyWhatWasCopiedBeforeAnError) {
  Keyval& good = key();
  Keyval& bad = key(kRefused);
  attributes_.set(good, value(1), kObject);
  attributes_.set(bad, value(2), kObject);
  Attributes copy;
  EXPECT_EQ(error_of([&] { attributes_.copy_to(copy, kObject); }), kRefused);
  EXPECT_EQ(stored(copy, good), 101u);
  EXPECT_EQ(copy.find(bad.number()), nullptr);
}

TEST_F(AttributesTest, LetsADeleteFunctionReadItsAttributeButNotChangeIt) {
  int number = 0;
  Keyval& a =
      keyvals_.create(Keyval::Kind::comm,
                      {.copy = {}, .remove = [&](auto, auto, auto) {
                         EXPECT_NE(attributes_.find(number), nullptr);
                         EXPECT_NE(error_of([&] { attributes_.remove(number, kObject); }), 0);
                         EXPECT_NE(error_of([&] { attributes_.set(*keyvals_.find(number), value(9), kObject); }), 0);
                         EXPECT_NE(error_of([&] { attributes_.clear(kObject); }), 0);
                         return 0;
                       }});
  number = a.number();
  attributes_.set(a, value(1), kObject);
  attributes_.remove(number, kObject);
  EXPECT_TRUE(attributes_.empty());
}

TEST_F(AttributesTest, LetsCallbacksSetAndDeleteOthers) {
  Keyval& victim = key();
  std::vector<Keyval*> more;
  for (int i = 0; i < 100; ++i) more.push_back(&keyvals_.create(Keyval::Kind::comm, {}));
  Keyval& busy = keyvals_.create(Keyval::Kind::comm, {.copy =
                                                          [&](auto, auto, void* old, void** copied, bool* keep) {
                                                            if (attributes_.find(victim.number()))
                                                              attributes_.remove(victim.number(), kObject);
                                                            for (Keyval* keyval : more)
                                                              attributes_.set(*keyval, value(4), kObject);
                                                            *copied = old;
                                                            *keep = true;
                                                            return 0;
                                                          },
                                                      .remove =
                                                          [&](auto, auto, auto) {
                                                            for (Keyval* keyval : more)
                                                              attributes_.remove(keyval->number(), kObject);
                                                            return 0;
                                                          }});
  attributes_.set(busy, value(1), kObject);
  attributes_.set(victim, value(2), kObject);
  Attributes copy;
  attributes_.copy_to(copy, kObject);
  EXPECT_EQ(stored(copy, busy), 1u);
  EXPECT_EQ(copy.find(victim.number()), nullptr) << "deleted before its turn";
  EXPECT_EQ(copy.find(more[0]->number()), nullptr) << "set while others were copied";
  attributes_.remove(busy.number(), kObject);
  EXPECT_TRUE(attributes_.empty());
}

TEST(Keyvals, AreKnownByTheirNumberUntilTheyAreFreed) {
  Keyvals keyvals;
  Keyval& a = keyvals.create(Keyval::Kind::datatype, {});
  const int number = a.number();
  EXPECT_EQ(keyvals.find(number), &a);
  EXPECT_EQ(keyvals.find(number + 1), nullptr);
  keyvals.free(a);
  EXPECT_EQ(keyvals.find(number), nullptr);
  EXPECT_NE(keyvals.create(Keyval::Kind::comm, {}).number(), number) << "a stale number stays invalid";
}

TEST(Keyvals, LiveOnWhileAnAttributeIsLeft) {
  Keyvals keyvals;
  Attributes here, there;
  Keyval& a = keyvals.create(Keyval::Kind::comm, {});
  const int number = a.number();
  here.set(a, value(1), kObject);
  there.set(a, value(2), kObject);
  keyvals.free(a);
  keyvals.free(a);
  here.remove(number, kObject);
  ASSERT_EQ(keyvals.find(number), &a);
  there.set(a, value(3), kObject);
  there.remove(number, kObject);
  EXPECT_EQ(keyvals.find(number), nullptr);
}

TEST(Keyvals, FreedInUseByManyDoNotPileUp) {
  Keyvals keyvals;
  for (int i = 0; i < 10'000; ++i) {
    Attributes attributes;
    Keyval& keyval = keyvals.create(Keyval::Kind::comm, {});
    const int number = keyval.number();
    attributes.set(keyval, value(1), kObject);
    keyvals.free(keyval);
    EXPECT_NE(keyvals.find(number), nullptr);
    attributes.clear(kObject);
    EXPECT_EQ(keyvals.find(number), nullptr);
  }
}

}  // namespace
}  // namespace antiphon::objects
