// Info objects by themselves.
#include "objects/info.hpp"

#include <gtest/gtest.h>

namespace antiphon::objects {
namespace {

TEST(Info, KeepsKeysInTheOrderInWhichTheyWereFirstSet) {
  const auto info = Ref<Info>::adopt(new Info);
  info->set("b", "1");
  info->set("a", "2");
  info->set("b", "3");
  ASSERT_EQ(info->entries().size(), 2u);
  EXPECT_EQ(info->entries()[0].key, "b");
  EXPECT_EQ(info->entries()[1].key, "a");
  EXPECT_EQ(*info->find("b"), "3");
  EXPECT_EQ(info->find("c"), nullptr);
}

TEST(Info, ForgetsAKeyThatIsErased) {
  const auto info = Ref<Info>::adopt(new Info);
  info->set("a", "1");
  EXPECT_TRUE(info->erase("a"));
  EXPECT_FALSE(info->erase("a"));
  EXPECT_EQ(info->find("a"), nullptr);
}

TEST(Info, IsNotChangedThroughItsCopy) {
  const auto info = Ref<Info>::adopt(new Info);
  info->set("a", "1");
  const auto copy = Info::copy_of(*info);
  copy->set("a", "2");
  copy->set("b", "3");
  EXPECT_EQ(*info->find("a"), "1");
  EXPECT_EQ(info->find("b"), nullptr);
}

}  // namespace
}  // namespace antiphon::objects
