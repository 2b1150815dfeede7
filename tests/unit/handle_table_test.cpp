// Handles lead to their objects while they live, and to nothing afterwards, whether the object dies or is used again.
#include "objects/handle_table.hpp"

#include <gtest/gtest.h>

#include <set>

namespace antiphon::objects {
namespace {

class Thing : public Refcounted, public Reusable {
 public:
  explicit Thing(bool is_reused = false, int* retired = nullptr) : Reusable(is_reused), retired_(retired) {}
  void retire() noexcept {
    if (!is_reused()) return delete this;
    ++*retired_;
  }
  void start() { start_with(1); }

 private:
  int* retired_;
};

using Table = HandleTable<Thing>;

TEST(HandleTable, ForgetsAHandleThatWasErased) {
  Table table;
  auto* thing = new Thing;
  const Table::Value handle = table.insert(Ref<Thing>::adopt(thing));
  EXPECT_EQ(table.find(handle), thing);
  (void)table.erase(handle);
  EXPECT_EQ(table.find(handle), nullptr);
  const Table::Value next = table.insert(Ref<Thing>::adopt(new Thing));
  EXPECT_EQ(table.find(handle), nullptr);
  EXPECT_NE(next, handle);
}

TEST(HandleTable, GivesAReusedObjectANewHandleEachTimeAtOnePlace) {
  int retired = 0;
  Thing thing(true, &retired);
  Table table;
  std::set<Table::Value> handles;
  for (int use = 1; use <= 5; ++use) {
    if (use > 1) thing.start();
    const Table::Value handle = table.insert(Ref<Thing>::adopt(&thing));
    EXPECT_TRUE(handles.insert(handle).second);
    EXPECT_EQ(handle & 0xffffffffu, *handles.begin() & 0xffffffffu);
    EXPECT_EQ(table.find(handle), &thing);
    (void)table.erase(handle);
    EXPECT_EQ(table.find(handle), nullptr);
    EXPECT_EQ(retired, use);
  }
  for (const Table::Value stale : handles) EXPECT_EQ(table.find(stale), nullptr);
}

TEST(HandleTable, KeepsAReusedObjectsPlaceFromOthers) {
  int retired = 0;
  Thing thing(true, &retired);
  Table table;
  (void)table.erase(table.insert(Ref<Thing>::adopt(&thing)));
  auto* other = new Thing;
  const Table::Value of_other = table.insert(Ref<Thing>::adopt(other));
  thing.start();
  const Table::Value again = table.insert(Ref<Thing>::adopt(&thing));
  EXPECT_EQ(table.find(of_other), other);
  EXPECT_EQ(table.find(again), &thing);
}

// At a place that another object had, whose handle was of the same generation.
TEST(HandleTable, OpensAReservedPlaceWithoutMemory) {
  int retired = 0;
  Thing thing(true, &retired);
  Table table;
  const Table::Value stale = table.insert(Ref<Thing>::adopt(new Thing));
  (void)table.erase(stale);
  table.reserve(thing);
  EXPECT_EQ(table.find(stale), nullptr);
  const Table::Value handle = table.open(thing);
  EXPECT_EQ(table.find(handle), &thing);
  EXPECT_EQ(table.find(stale), nullptr);
  (void)table.erase(handle);
  EXPECT_EQ(retired, 1);
  EXPECT_EQ(table.find(handle), nullptr);
  thing.start();
  EXPECT_NE(table.open(thing), handle);
}

TEST(HandleTable, LetsGoOfNothingAtAPlaceThatIsOnlyReserved) {
  int retired = 0;
  Thing thing(true, &retired);
  Table table;
  table.reserve(thing);
  table.clear();
  EXPECT_EQ(retired, 0);
  EXPECT_EQ(thing.kept_place(), Reusable::kNoPlace);
}

TEST(HandleTable, LetsGoOfAReusedObjectOnlyIfItHasAHandle) {
  int retired = 0;
  Thing open(true, &retired), closed(true, &retired);
  Table table;
  (void)table.insert(Ref<Thing>::adopt(&open));
  (void)table.erase(table.insert(Ref<Thing>::adopt(&closed)));
  EXPECT_EQ(retired, 1);
  table.clear();
  EXPECT_EQ(retired, 2);
  EXPECT_EQ(open.kept_place(), Reusable::kNoPlace);
}

}  // namespace
}  // namespace antiphon::objects
