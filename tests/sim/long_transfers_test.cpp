// Long puts and gets to and from memory that is not the origin's own, between engines, on each way: what is known to
// be done when, a target that does not look, a system that refuses, and memory that the target has not attached.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "engine/data/buffer.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Datatype;
using objects::Group;
using objects::Ref;
using objects::Window;
using rma::Transfer;
using settings::BulkWay;
using Bytes = std::vector<std::byte>;
using Check = rma::PassiveTarget::Check;
using Mode = rma::WindowLock::Mode;

constexpr std::size_t kLong = 5000;
constexpr std::byte kNothing{0xee};

// Pipes as short as they get.
constexpr transport::sim::Conditions kConditions{.pipes = 1, .pipe_bytes = 64};

settings::Values by(BulkWay way) {
  settings::Values values;
  values.bulk_way = way;
  return values;
}

Bytes made(int number, std::size_t bytes = kLong) {
  Bytes made(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    made[i] = static_cast<std::byte>(static_cast<std::size_t>(number) * 31 + i * 7 + i / 256);
  return made;
}

Ref<Group> group_of(const std::vector<int>& ranks) { return Ref<Group>::adopt(new Group(ranks)); }

Ref<Datatype> bytes_type() {
  using objects::Element;
  return Ref<Datatype>::adopt(new Datatype(Element::byte, objects::basics_of(Element::byte, 1, 0), 1, "byte"));
}

// Of each rank: memory that only its owner and the system reach, and words that all find.
struct Memories {
  explicit Memories(World& world) : bytes(static_cast<std::size_t>(world.size()), Bytes(2 * kLong, kNothing)) {
    for (int rank = 0; rank < world.size(); ++rank)
      words.push_back(world.common().allocate(rank, rma::Control::bytes(world.size())));
  }

  std::vector<Bytes> bytes;
  std::vector<void*> words;
};

// A rank with a window over 2 * kLong bytes of each rank's.
class Member {
 public:
  Member(Rank& rank, Memories& memories, Window::Flavor flavor = Window::Flavor::create) : rank_(rank) {
    const auto everybody = Ref<Group>::adopt(new Group(static_cast<int>(memories.bytes.size())));
    const auto comm = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
    std::vector<rma::Exposed> exposed;
    const bool is_dynamic = flavor == Window::Flavor::dynamic;
    for (std::size_t each = 0; each < memories.bytes.size(); ++each) {
      const Bytes& memory = memories.bytes[each];
      exposed.push_back({.address = is_dynamic ? 0 : reinterpret_cast<std::uintptr_t>(memory.data()),
                         .bytes = is_dynamic ? std::uint64_t{INT64_MAX} : memory.size(),
                         .home = static_cast<std::int32_t>(each),
                         .control = reinterpret_cast<std::uintptr_t>(memories.words[each])});
    }
    window_ = Ref<Window>::adopt(new Window({.flavor = flavor, .comm = comm, .errhandler = {}}));
    one_sided_.admit(window_, exposed);
  }
  [[nodiscard]] rma::WindowState& state() const { return window_->state(); }
  [[nodiscard]] Window& window() const { return *window_; }
  [[nodiscard]] rma::PassiveTarget& passive() const { return rank_.engines().passive_target(); }
  [[nodiscard]] rma::ActiveTarget& active() const { return rank_.engines().active_target(); }

  void attach(std::byte* first, std::size_t bytes) {
    window_->attach(first, bytes);
    state().tell_attached();
  }
  void put(const Bytes& from, int target, std::int64_t at) { begin(Transfer::Kind::put, from, target, at); }
  void get(Bytes& into, int target, std::int64_t at) { begin(Transfer::Kind::get, into, target, at); }

 private:
  void begin(Transfer::Kind kind, const Bytes& bytes, int target, std::int64_t at) {
    one_sided_.begin(state(), kind, {const_cast<std::byte*>(bytes.data()), {}},
                     {.target = target,
                      .displacement = at,
                      .count = static_cast<std::int64_t>(bytes.size()),
                      .type = *byte_,
                      .bytes = bytes.size()},
                     bytes.size());
  }

  Rank& rank_;
  rma::OneSided& one_sided_ = rank_.engines().one_sided();
  Ref<Window> window_;
  Ref<Datatype> byte_ = bytes_type();
};

struct Case {
  explicit Case(BulkWay way, transport::sim::Conditions conditions = kConditions, int ranks = 2)
      : world(ranks, conditions, 1, service::Contexts::kAsManyAsThereAre, by(way)), memories(world) {}

  // `member` lives until all have finished.
  template <class Body>
  void run(Body&& body, Window::Flavor flavor = Window::Flavor::create) {
    EXPECT_EQ(world.run([&](Rank& rank) {
      Member member(rank, memories, flavor);
      body(rank, member);
      rank.engines().coll().barrier(member.window().comm());
    }),
              "");
  }
  [[nodiscard]] std::byte* at(int rank) { return memories.bytes[static_cast<std::size_t>(rank)].data(); }
  [[nodiscard]] Bytes part(int rank, std::size_t from, std::size_t bytes = kLong) const {
    const auto first = memories.bytes[static_cast<std::size_t>(rank)].begin() + static_cast<std::ptrdiff_t>(from);
    return {first, first + static_cast<std::ptrdiff_t>(bytes)};
  }
  [[nodiscard]] const counters::Counters& counted(int rank) { return world.rank(rank).counters(); }

  World world;
  Memories memories;
};

TEST(LongTransfers, OfTargetsThatTakePartComeOnTheWaysOfMessages) {
  const std::pair<BulkWay, const base::Counter counters::Counters::*> kWays[] = {
      {BulkWay::pipes, &counters::Counters::long_messages_in_pipes},
      {BulkWay::streamed_pipes, &counters::Counters::long_messages_streamed},
      {BulkWay::direct, &counters::Counters::long_messages_copied}};
  for (const auto& [way, taken] : kWays) {
    Case test(way);
    test.run([&](Rank& rank, Member& member) {
      const Bytes mine = made(rank.number());
      Bytes theirs(kLong);
      member.active().fence(member.state(), 0);
      member.put(mine, 1 - rank.number(), 0);
      member.active().fence(member.state(), 0);
      EXPECT_EQ(test.part(rank.number(), 0), made(1 - rank.number()));
      EXPECT_EQ(test.part(rank.number(), kLong), Bytes(kLong, kNothing));
      member.get(theirs, 1 - rank.number(), 0);
      member.active().fence(member.state(), abi::MODE_NOSUCCEED);
      EXPECT_EQ(theirs, mine);
    });
    for (const int rank : {0, 1}) EXPECT_EQ((test.counted(rank).*taken).value(), 2u) << static_cast<int>(way);
  }
}

// Through a pipe in the order in which they were begun, so the last is what stays.
TEST(LongTransfers, FollowEachOther) {
  constexpr int kTimes = 20;
  Case test(BulkWay::pipes);
  test.run([&](Rank& rank, Member& member) {
    member.active().fence(member.state(), 0);
    std::vector<Bytes> puts;
    for (int i = 0; i < kTimes; ++i) puts.push_back(made(i, 1000 + static_cast<std::size_t>(37 * i)));
    if (rank.number() == 0)
      for (const Bytes& bytes : puts) member.put(bytes, 1, 0);
    member.active().fence(member.state(), abi::MODE_NOSUCCEED);
    if (rank.number() == 1) {
      EXPECT_EQ(test.part(1, 0, puts.back().size()), puts.back());
    }
  });
  EXPECT_EQ(test.counted(1).long_messages_in_pipes.value(), static_cast<std::uint64_t>(kTimes));
}

// The target looks until then, and not once more.
TEST(LongTransfers, AreThereWhenTheOriginHasCompleted) {
  for (const BulkWay way : {BulkWay::pipes, BulkWay::direct, BulkWay::automatic}) {
    Case test(way);
    bool completed = false;
    test.run([&](Rank& rank, Member& member) {
      const Bytes mine = made(5);
      if (rank.number() == 0) {
        member.active().start(member.state(), *group_of({1}), 0);
        member.put(mine, 1, 100);
        member.active().complete(member.state());
        completed = true;
      } else {
        member.active().post(member.state(), *group_of({0}), 0);
        while (!completed) rank.yield(), rank.progress().poll();
        EXPECT_EQ(test.part(1, 100), mine);
        member.active().wait(member.state());
      }
    });
  }
}

// It gives way, but never looks, before the epoch is over.
TEST(LongTransfers, NeedNothingOfATargetThatIsLocked) {
  for (const auto flavor : {Window::Flavor::create, Window::Flavor::dynamic}) {
    Case test(flavor == Window::Flavor::create ? BulkWay::automatic : BulkWay::direct);
    const std::int64_t base = flavor == Window::Flavor::create ? 0 : reinterpret_cast<std::intptr_t>(test.at(1));
    bool attached = false, unlocked = false;
    test.run(
        [&](Rank& rank, Member& member) {
          const Bytes mine = made(6), few = made(7, 3);
          Bytes back(kLong);
          if (rank.number() == 1 && flavor == Window::Flavor::dynamic) {
            member.attach(test.at(1), 1000);
            member.attach(test.at(1) + 1000, 2 * kLong - 1000);
          }
          if (rank.number() == 1) attached = true;
          while (!attached) rank.yield();
          if (rank.number() == 0) {
            member.passive().lock(member.state(), 1, Mode::exclusive, Check::yes);
            member.put(mine, 1, base + 100);
            member.put(few, 1, base);
            member.passive().flush(member.state(), 1);
            member.get(back, 1, base + 100);
            member.passive().unlock(member.state(), 1);
            EXPECT_EQ(back, mine);
            unlocked = true;
          }
          while (!unlocked) rank.yield();
          EXPECT_EQ(test.part(1, 100), mine);
          EXPECT_EQ(test.part(1, 0, 3), few);
        },
        flavor);
    EXPECT_EQ(test.counted(0).window_copies.value(), 3u);
  }
}

// Locked or not, and whatever the list of what is attached has room for.
TEST(LongTransfers, AskTheOwnerOfADynamicWindowForWhatIsNotListed) {
  constexpr std::size_t kPieces = 100, kPiece = 50, kApart = 100;
  Case test(BulkWay::automatic);
  test.run(
      [&](Rank& rank, Member& member) {
        const Bytes mine = made(8, kPiece);
        const auto base = reinterpret_cast<std::intptr_t>(test.at(1));
        const auto at = [&](std::size_t piece) { return base + static_cast<std::int64_t>(piece * kApart); };
        for (std::size_t piece = 0; rank.number() == 1 && piece < kPieces; ++piece)
          member.attach(test.at(1) + piece * kApart, kPiece);
        rank.engines().coll().barrier(member.window().comm());
        if (rank.number() == 0) {
          member.passive().lock(member.state(), 1, Mode::shared, Check::yes);
          for (std::size_t piece = 0; piece < kPieces; ++piece) member.put(mine, 1, at(piece));
          member.passive().flush(member.state(), 1);
          member.put(mine, 1, at(3) + 1);
          try {
            member.passive().unlock(member.state(), 1);
            ADD_FAILURE() << "no error";
          } catch (const base::Error& error) {
            EXPECT_EQ(error.error_class, abi::ERR_RMA_RANGE);
          }
        }
        rank.engines().coll().barrier(member.window().comm());
        for (std::size_t piece = 0; rank.number() == 1 && piece < kPieces; ++piece) {
          EXPECT_EQ(test.part(1, piece * kApart, kPiece), mine);
          EXPECT_EQ(test.part(1, piece * kApart + kPiece, kPiece), Bytes(kPiece, kNothing));
        }
      },
      Window::Flavor::dynamic);
  EXPECT_GT(test.counted(0).window_copies.value(), 0u);
  EXPECT_LT(test.counted(0).window_copies.value(), kPieces);
}

TEST(LongTransfers, ComeOnOtherWaysWhereTheSystemRefuses) {
  for (const bool some : {true, false}) {
    transport::sim::Conditions conditions = kConditions;
    conditions.system_copies = some;
    conditions.refuse_copy_percent = 100;  // of those to a peer's memory
    Case test(BulkWay::automatic, conditions);
    test.run([&](Rank& rank, Member& member) {
      const Bytes mine = made(rank.number());
      Bytes back(kLong);
      member.passive().lock_all(member.state(), Check::yes);
      member.put(mine, 1 - rank.number(), 0);
      member.passive().flush_all(member.state());
      member.get(back, 1 - rank.number(), 0);
      member.passive().unlock_all(member.state());
      EXPECT_EQ(back, mine);
      rank.engines().coll().barrier(member.window().comm());
      EXPECT_EQ(test.part(rank.number(), 0), made(1 - rank.number()));
    });
    EXPECT_EQ(test.counted(0).window_copies.value(), 0u);
  }
}

// One target is busy for a while; what is for the other is not held up.
TEST(LongTransfers, WaitForNobodyButTheirTarget) {
  Case test(BulkWay::pipes, kConditions, 3);
  bool goes_on = false;
  test.run([&](Rank& rank, Member& member) {
    const Bytes mine = made(1);
    if (rank.number() == 0) {
      member.active().start(member.state(), *group_of({1, 2}), abi::MODE_NOCHECK);
      member.put(mine, 1, 0);
      member.put(mine, 2, 0);
      while (test.part(2, 0) != mine) rank.yield(), rank.progress().poll();
      EXPECT_EQ(test.part(1, 0), Bytes(kLong, kNothing));
      goes_on = true;
      member.active().complete(member.state());
    } else {
      member.active().post(member.state(), *group_of({0}), abi::MODE_NOCHECK);
      while (rank.number() == 1 && !goes_on) rank.yield();
      member.active().wait(member.state());
      EXPECT_EQ(test.part(rank.number(), 0), mine);
    }
  });
}

// The target refuses, whatever the way, and the origin learns of it.
TEST(LongTransfers, ReachNothingThatIsNotAttached) {
  for (const BulkWay way : {BulkWay::pipes, BulkWay::direct, BulkWay::packets, BulkWay::automatic}) {
    Case test(way);
    test.run(
        [&](Rank& rank, Member& member) {
          const Bytes mine = made(2);
          Bytes back(kLong, kNothing);
          const auto at = reinterpret_cast<std::intptr_t>(test.at(1));
          const auto expect_range = [&] {
            try {
              member.active().fence(member.state(), 0);
              ADD_FAILURE() << "no error";
            } catch (const base::Error& error) {
              EXPECT_EQ(error.error_class, abi::ERR_RMA_RANGE);
            }
          };
          if (rank.number() == 1) member.attach(test.at(1), kLong + 10);
          member.active().fence(member.state(), 0);
          if (rank.number() == 0) {
            member.put(mine, 1, at + 11);
            expect_range();
            member.get(back, 1, at + 11);
            expect_range();
            EXPECT_EQ(back, Bytes(kLong, kNothing));
            member.put(mine, 1, at + 10);
          } else {
            member.active().fence(member.state(), 0);
            member.active().fence(member.state(), 0);
            EXPECT_EQ(test.part(1, kLong + 11, kLong - 11), Bytes(kLong - 11, kNothing));
          }
          member.active().fence(member.state(), abi::MODE_NOSUCCEED);
          if (rank.number() == 1) {
            EXPECT_EQ(test.part(1, 10), mine);
          }
        },
        Window::Flavor::dynamic);
  }
}

}  // namespace
}  // namespace antiphon::sim
