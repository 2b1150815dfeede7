// Which handler gets a packet, and what becomes of it without the lane.
#include "transport/dispatcher.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "transport/self/loopback.hpp"

namespace antiphon::transport {
namespace {

struct Engine {
  void for_holder(int, const PacketHeader&, Payload, const base::LaneHeld&) { ++held; }
  bool for_all(int, const PacketHeader&, Payload, const base::LaneHeld* lane) {
    ++(lane ? held : free);
    return lane != nullptr || takes_without_lane;
  }
  void fails(int, const PacketHeader&, Payload, const base::LaneHeld&) {
    if (++tries == 1) throw std::bad_alloc();
  }

  bool takes_without_lane = true;
  int held = 0, free = 0, tries = 0;
};

TEST(Dispatcher, NamesAPacketThatNobodyKnows) {
  const Dispatcher dispatcher;
  try {
    (void)dispatcher(3, {.handler = 200}, {});
    FAIL() << "it was taken for another";
  } catch (const BadPacket& error) {
    EXPECT_NE(error.message.find("kind 200"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("process 3"), std::string::npos) << error.message;
  }
}

TEST(Dispatcher, RefusesASecondHandlerForAKind) {
  Engine engine;
  for (const auto threads : {Dispatcher::Threads::one_at_a_time, Dispatcher::Threads::many}) {
    Dispatcher dispatcher(threads);
    dispatcher.on<&Engine::for_holder>(7, engine);
    EXPECT_THROW(dispatcher.on<&Engine::for_all>(7, engine), std::logic_error);
    dispatcher.on<&Engine::for_all>(8, engine);
  }
}

TEST(Dispatcher, KeepsForTheLanesHolderWhatNeedsTheLane) {
  Engine engine;
  Dispatcher dispatcher(Dispatcher::Threads::many);
  dispatcher.on<&Engine::for_holder>(7, engine);
  EXPECT_FALSE(dispatcher.without_lane()(0, {.handler = 7}, {}));
  EXPECT_EQ(engine.held, 0);
  EXPECT_TRUE(dispatcher(0, {.handler = 7}, {}));
  EXPECT_EQ(engine.held, 1);
}

TEST(Dispatcher, TellsAHandlerForAllWhetherTheLaneIsHeld) {
  Engine engine;
  Dispatcher dispatcher(Dispatcher::Threads::many);
  dispatcher.on<&Engine::for_all>(7, engine);
  EXPECT_TRUE(dispatcher.without_lane()(0, {.handler = 7}, {}));
  engine.takes_without_lane = false;
  EXPECT_FALSE(dispatcher.without_lane()(0, {.handler = 7}, {}));
  EXPECT_EQ(engine.free, 2);
  EXPECT_TRUE(dispatcher(0, {.handler = 7}, {}));
  EXPECT_EQ(engine.held, 1);
}

TEST(Loopback, KeepsAPacketWhoseHandlerFailed) {
  Engine engine;
  Dispatcher dispatcher;
  dispatcher.on<&Engine::fails>(7, engine);
  Loopback loopback(0);
  ASSERT_EQ(loopback.connect(0)->try_send({.handler = 7}, {}), SendStatus::sent);
  EXPECT_THROW(loopback.poll(dispatcher), std::bad_alloc);
  EXPECT_TRUE(loopback.poll(dispatcher));
  EXPECT_EQ(engine.tries, 2);
  EXPECT_FALSE(loopback.poll(dispatcher));
}

}  // namespace
}  // namespace antiphon::transport
