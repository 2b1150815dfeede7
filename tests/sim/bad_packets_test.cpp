// Packets that nobody should have sent, given to a rank that has sends, receives, long messages, one-sided operations
// and locks under way: made of nothing, or of real packets whose fields and lengths are changed. The rank refuses
// each with BadPacket, or takes it for one that its sender may send. It never touches memory that it was not told to
// touch, and where it has refused all of them, nothing has happened: all its data is right in the end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <vector>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/packets.hpp"
#include "seeds.hpp"
#include "transport/bad_packet.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Datatype;
using objects::Element;
using objects::Group;
using objects::Ref;
using objects::Window;
using pt2pt::Mode;
using rma::Combining;
using transport::BadPacket;
using transport::PacketHeader;
using transport::Payload;
using Bytes = std::vector<std::byte>;

constexpr int kVictim = 0, kRanks = 3;
constexpr std::uint32_t kWindowContext = 20, kDynamicContext = 21;

// ---- what the ranks do

constexpr std::size_t kGuard = 64;  // bytes before and after each buffer
constexpr std::byte kUntouched{0xa5};
constexpr std::size_t kSizes[] = {0, 8, 40, 200, 3000};  // short, in several packets, and long
constexpr std::size_t kSlot = 512;                       // bytes of a window for each origin

// Memory whose surroundings nobody may change.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes, std::byte filled = std::byte{0})
      : bytes_(bytes), memory_(bytes + 2 * kGuard, kUntouched) {
    std::fill_n(begin(), bytes, filled);
  }
  [[nodiscard]] std::byte* begin() { return memory_.data() + kGuard; }
  [[nodiscard]] std::size_t size() const { return bytes_; }
  [[nodiscard]] bool is_sound() const {
    for (std::size_t i = 0; i < kGuard; ++i)
      if (memory_[i] != kUntouched || memory_[kGuard + bytes_ + i] != kUntouched) return false;
    return true;
  }

 private:
  std::size_t bytes_;
  Bytes memory_;
};

std::byte value_of(int from, int to, int round, std::size_t i) {
  return static_cast<std::byte>(static_cast<std::size_t>(from * 7 + to * 31 + round * 13) + i * 3);
}

Ref<Datatype> type_of(Element element, std::size_t bytes) {
  return Ref<Datatype>::adopt(new Datatype(element, objects::basics_of(element, bytes, 0), bytes, "type"));
}

// `bytes` single bytes, every other one.
Ref<Datatype> strided(std::int64_t bytes, const Ref<Datatype>& byte) {
  auto made = Ref<Datatype>::adopt(
      new Datatype({.combiner = abi::COMBINER_HVECTOR, .large = true, .numbers = {bytes, 1, 2}, .types = {byte}}));
  made->commit();
  return made;
}

class Member {
 public:
  Member(Rank& rank, std::deque<Guarded>& exposed, std::uint64_t seed)
      : rank_(rank), rng_(seed), mine_(exposed[static_cast<std::size_t>(rank.number())]) {
    const auto everybody = Ref<Group>::adopt(new Group(kRanks));
    comm_ = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
    std::vector<rma::Exposed> parts, anywhere;
    for (Guarded& memory : exposed) {
      const auto home = static_cast<std::int32_t>(parts.size());
      parts.push_back(
          {.address = reinterpret_cast<std::uintptr_t>(memory.begin()), .bytes = memory.size(), .home = home});
      anywhere.push_back({.address = 0, .bytes = INT64_MAX, .home = home});
      addresses_.push_back(parts.back().address);
    }
    window_ = make_window(kWindowContext, Window::Flavor::create, everybody, parts);
    dynamic_ = make_window(kDynamicContext, Window::Flavor::dynamic, everybody, anywhere);
    dynamic_->attach(mine_.begin(), mine_.size());
    dynamic_->state().tell_attached();
  }

  void play() {
    for (int round = 1; round <= 3; ++round) {
      exchange(round);
      cancel();
      reach(window_->state(), round);
      reach(dynamic_->state(), round);
      in_turns(round);
    }
    rank_.engines().flush();
    rank_.engines().coll().barrier(*comm_);
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] bool is_sound() const {
    return std::ranges::all_of(buffers_, [](const Guarded& buffer) { return buffer.is_sound(); });
  }

 private:
  [[nodiscard]] int me() const { return rank_.number(); }

  Ref<Window> make_window(std::uint32_t context, Window::Flavor flavor, const Ref<Group>& everybody,
                          const std::vector<rma::Exposed>& parts) {
    const auto comm = Ref<Comm>::adopt(new Comm(context, everybody, me(), {}, "members"));
    auto made = Ref<Window>::adopt(new Window({.flavor = flavor, .comm = comm, .errhandler = {}}));
    rank_.engines().one_sided().admit(made, parts);
    return made;
  }
  std::byte* buffer(std::size_t bytes) { return buffers_.emplace_back(bytes).begin(); }
  std::byte* filled(int to, int round, std::size_t bytes) {
    std::byte* const made = buffer(bytes);
    for (std::size_t i = 0; i < bytes; ++i) made[i] = value_of(me(), to, round, i);
    return made;
  }
  void expect(const std::byte* found, int from, int to, int round, std::size_t bytes, const char* what) {
    for (std::size_t i = 0; i < bytes; ++i)
      if (found[i] != value_of(from, to, round, i)) {
        complaint_ += fmt::format("rank {}: wrong {} from {}\n", me(), what, from);
        return;
      }
  }

  // Messages of all lengths to and from all others, some of them synchronous, some expected and some not.
  void exchange(int round) {
    struct Arriving {
      Ref<pt2pt::ReceiveRequest> request;
      std::byte* buffer;
      int from;
      std::size_t bytes;
    };
    std::vector<Arriving> receives;
    std::vector<Ref<pt2pt::SendRequest>> sends;
    const auto receive = [&] {
      for (int from = 0; from < kRanks; ++from)
        for (int tag = 0; tag < static_cast<int>(std::size(kSizes)) && from != me(); ++tag) {
          const std::size_t bytes = kSizes[tag];
          std::byte* const to = buffer(bytes);
          receives.push_back(
              {rank_.pt2pt().start_receive({to, bytes, from, tag, *comm_, comm_->user_space()}), to, from, bytes});
        }
    };
    const bool early = rng_.percent(50);
    if (early) receive();
    for (int to = 0; to < kRanks; ++to)
      for (int tag = 0; tag < static_cast<int>(std::size(kSizes)) && to != me(); ++tag) {
        const std::size_t bytes = kSizes[tag];
        sends.push_back(rank_.pt2pt().start_send({.buffer = filled(to, round, bytes),
                                                  .bytes = bytes,
                                                  .destination = to,
                                                  .tag = tag,
                                                  .comm = *comm_,
                                                  .space = comm_->user_space(),
                                                  .mode = rng_.percent(50) ? Mode::synchronous : Mode::standard}));
      }
    if (!early) receive();
    for (const Arriving& each : receives) {
      rank_.progress().wait(*each.request);
      (void)each.request->need_success();
      expect(each.buffer, each.from, me(), round, each.bytes, "message");
    }
    for (const Ref<pt2pt::SendRequest>& send : sends)
      if (send) rank_.progress().wait(*send);
  }

  void cancel() {
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{3000}}) {
      const int to = (me() + 1 + rng_.below(kRanks - 1)) % kRanks;
      const Ref<pt2pt::SendRequest> send = rank_.pt2pt().start_send({.buffer = buffer(bytes),
                                                                     .bytes = bytes,
                                                                     .destination = to,
                                                                     .tag = 99,
                                                                     .comm = *comm_,
                                                                     .space = comm_->user_space(),
                                                                     .mode = Mode::synchronous});
      rank_.pt2pt().cancel(*send);
      rank_.progress().wait(*send);
    }
  }

  [[nodiscard]] rma::Wanted at(const rma::WindowState& state, int target, std::size_t offset, std::int64_t count,
                               const Datatype& type) const {
    const std::size_t place = static_cast<std::size_t>(me()) * kSlot + offset;
    const std::uint64_t base = state.is_dynamic() ? addresses_[static_cast<std::size_t>(target)] : 0;
    return {.target = target,
            .displacement = static_cast<std::int64_t>(base + place),
            .count = count,
            .type = type,
            .bytes = static_cast<std::size_t>(count * type.size())};
  }

  // Puts, gets and accumulates in this rank's slot of a target that it has locked.
  void reach(rma::WindowState& state, int round) {
    rma::PassiveTarget& passive = rank_.engines().passive_target();
    const auto mode = rng_.percent(50) ? rma::WindowLock::Mode::shared : rma::WindowLock::Mode::exclusive;
    for (int target = 0; target < kRanks; ++target) {
      if (target == me()) continue;
      passive.lock(state, target, mode, rma::PassiveTarget::Check::yes);
      put_and_get(state, target, round);
      accumulate(state, target);
      passive.unlock(state, target);
    }
  }

  void put_and_get(rma::WindowState& state, int target, int round) {
    constexpr std::int64_t kWhole = 200, kStrided = 60;
    rma::OneSided& one_sided = rank_.engines().one_sided();
    const auto transfer = [&](rma::Transfer::Kind kind, std::byte* local, const rma::Wanted& remote) {
      one_sided.begin(state, kind, {local, {}}, remote, remote.bytes);
    };
    using Kind = rma::Transfer::Kind;
    transfer(Kind::put, filled(target, round, kWhole), at(state, target, 0, kWhole, *byte_));
    transfer(Kind::put, filled(target, round + 1, kStrided), at(state, target, 256, 1, *strided_));
    rank_.engines().passive_target().flush(state, target);
    std::byte *const whole = buffer(kWhole), *const some = buffer(kStrided);
    transfer(Kind::get, whole, at(state, target, 0, kWhole, *byte_));
    transfer(Kind::get, some, at(state, target, 256, 1, *strided_));
    rank_.engines().passive_target().flush(state, target);
    expect(whole, me(), target, round, kWhole, "bytes in one piece");
    expect(some, me(), target, round + 1, kStrided, "bytes in many pieces");
  }

  void accumulate(rma::WindowState& state, int target) {
    rma::Accumulates& accumulates = rank_.engines().accumulates();
    const rma::Wanted counter = at(state, target, 400, 10, *integer_);
    const Combining sum(Combining::Op::sum, rma::Shape::of(Element::int64));
    std::byte *const ones = buffer(counter.bytes), *const found = buffer(counter.bytes);
    for (std::size_t i = 0; i < 10; ++i) std::memcpy(ones + i * 8, &kOne, 8);
    accumulates.begin(state, sum, {ones, {}}, {}, counter, counter.bytes);
    accumulates.begin(state, sum, {ones, {}}, {found, {}}, counter, counter.bytes);
    const rma::Wanted cell = at(state, target, 496, 1, *integer_);
    std::byte* const old = buffer(8);
    accumulates.compare_and_swap(state, rma::Shape::of(Element::int64), ones, buffer(8), old, cell);
    rank_.engines().passive_target().flush(state, target);
    std::int64_t value = 0;
    std::memcpy(&value, found, 8);
    if (value % 2 == 0) complaint_ += fmt::format("rank {}: {} fetched from {}\n", me(), value, target);
  }

  // Post, start, complete and wait; then a fence.
  void in_turns(int round) {
    rma::ActiveTarget& active = rank_.engines().active_target();
    std::vector<int> others;
    for (int rank = 0; rank < kRanks; ++rank)
      if (rank != me()) others.push_back(rank);
    const auto group = Ref<Group>::adopt(new Group(others));
    active.post(window_->state(), *group, 0);
    active.start(window_->state(), *group, 0);
    for (const int target : others)
      rank_.engines().one_sided().begin(window_->state(), rma::Transfer::Kind::put, {filled(target, round, 100), {}},
                                        at(window_->state(), target, 0, 100, *byte_), 100);
    active.complete(window_->state());
    active.wait(window_->state());
    for (const int from : others)
      expect(mine_.begin() + static_cast<std::size_t>(from) * kSlot, from, me(), round, 100, "put");
    active.fence(window_->state(), 0);
    active.fence(window_->state(), abi::MODE_NOSUCCEED);
  }

  static constexpr std::int64_t kOne = 1;

  Rank& rank_;
  base::Rng rng_;
  Guarded& mine_;
  Ref<Comm> comm_;
  Ref<Datatype> byte_ = type_of(Element::byte, 1), integer_ = type_of(Element::int64, 8),
                strided_ = strided(60, byte_);
  Ref<Window> window_, dynamic_;
  std::vector<std::uint64_t> addresses_;
  std::deque<Guarded> buffers_;
  std::string complaint_;
};

// ---- what somebody else sends

struct Recorded {
  int source;
  PacketHeader header;
  Bytes payload;
};

// Draws packets for the victim from those that it has got, and from nothing.
class Forger {
 public:
  // What the packets are: anything, or only such as nobody may send at any time.
  enum class Makes { anything, bad };
  Forger(std::uint64_t seed, Makes makes) : rng_(seed), makes_(makes) {}

  void record(int source, const PacketHeader& header, Payload payload) {
    Recorded packet{source, header, {payload.begin(), payload.end()}};
    if (recorded_.size() < kMost)
      recorded_.push_back(std::move(packet));
    else
      recorded_[rng_.below(kMost)] = std::move(packet);
  }
  Recorded forge() {
    const bool of_nothing = recorded_.empty() || rng_.percent(10);
    Recorded packet = of_nothing ? made_of_nothing() : recorded_[rng_.below(recorded_.size())];
    for (int times = rng_.below(4); times > 0 && !of_nothing; --times) change(packet);
    if (makes_ == Makes::bad) spoil(packet);
    return packet;
  }

 private:
  static constexpr std::size_t kMost = 200;

  [[nodiscard]] std::uint64_t number() {
    const Recorded* const other = recorded_.empty() ? nullptr : &recorded_[rng_.below(recorded_.size())];
    switch (rng_.below(8)) {
      case 0:
        return static_cast<std::uint64_t>(rng_.below(4));
      case 1:
        return static_cast<std::uint64_t>(rng_.below(300));
      case 2:
        return UINT64_MAX - static_cast<std::uint64_t>(rng_.below(64));
      case 3:
        return std::uint64_t{1} << rng_.below(64);
      case 4:
        return rng_.next();
      case 5:
        return INT64_MAX - static_cast<std::uint64_t>(rng_.below(64));
      default:
        return other ? other->header.word[rng_.below(2)] : 0;
    }
  }
  Recorded made_of_nothing() {
    Recorded packet{1 + rng_.below(2), {}, Bytes(static_cast<std::size_t>(rng_.below(100)))};
    packet.header = {.handler = static_cast<std::uint8_t>(rng_.below(packets::kKinds + 1)),
                     .flags = static_cast<std::uint8_t>(rng_.percent(50) ? 0 : rng_.below(256)),
                     .context = static_cast<std::uint32_t>(rng_.percent(50) ? kWindowContext : number()),
                     .source = static_cast<std::int32_t>(rng_.percent(50) ? packet.source : number()),
                     .tag = static_cast<std::int32_t>(number()),
                     .word = {number(), number()}};
    for (std::byte& byte : packet.payload) byte = static_cast<std::byte>(rng_.below(256));
    return packet;
  }
  void change(Recorded& packet) {
    PacketHeader& header = packet.header;
    switch (rng_.below(11)) {
      case 0:
        header.handler = static_cast<std::uint8_t>(rng_.below(packets::kKinds));
        break;
      case 1:
        header.flags ^= static_cast<std::uint8_t>(1u << rng_.below(8));
        break;
      case 2:
        header.context = recorded_[rng_.below(recorded_.size())].header.context;
        break;
      case 3:
        header.source = static_cast<std::int32_t>(number());
        break;
      case 4:
        header.tag = static_cast<std::int32_t>(number());
        break;
      case 5:
        packet.source = 1 + rng_.below(2);
        break;
      case 6:
        packet.payload.resize(static_cast<std::size_t>(rng_.below(200)), static_cast<std::byte>(rng_.below(256)));
        break;
      case 7:
        if (packet.payload.size() >= 8) {
          const std::uint64_t changed = number();
          std::memcpy(packet.payload.data() + 8 * rng_.below(packet.payload.size() / 8), &changed, 8);
        }
        break;
      case 8: {
        std::uint64_t& word = header.word[rng_.below(2)];
        word ^= std::uint64_t{1} << rng_.below(64);
        break;
      }
      case 9: {
        std::uint64_t& word = header.word[rng_.below(2)];
        word += rng_.percent(50) ? 1 + rng_.below(16) : -1 - rng_.below(16);
        break;
      }
      default:
        header.word[rng_.below(2)] = number();
    }
  }

  void spoil(Recorded& packet) {
    PacketHeader& header = packet.header;
    const int way = rng_.below(3);
    const auto is_any_of = [&](std::initializer_list<packets::Kind> kinds) {
      return std::ranges::find(kinds, header.handler) != kinds.end();
    };
    using namespace packets;
    if (way == 0 && is_any_of({kClearToSend, kData, kAcknowledge, kOfferWork, kCopied, kPartLeft, kClearToPipe,
                               kGivenUp, kGot, kFetched, kLongPutDone}))
      header.word[0] = UINT64_MAX - static_cast<std::uint64_t>(rng_.below(1000));
    else if (way == 1 &&
             is_any_of({kRequestToSend, kPut, kGet, kConfirm, kConfirmed, kAccumulate, kCompareAndSwap, kLock}))
      header.source = -1 - rng_.below(3);
    else
      header.flags |= 8;
  }

  base::Rng rng_;
  Makes makes_;
  std::vector<Recorded> recorded_;
};

constexpr int kPacketsOfARun = 800;       // that the victim gets if nobody disturbs, or more
constexpr int kPacketsAfterwards = 2000;  // that it gets when the run has ended

struct Count {
  std::size_t refused = 0, accepted = 0;
};
using Counts = std::map<int, Count>;  // by kind
struct Totals {
  Counts packets;
  std::size_t runs_without_effect = 0;  // although packets were refused
};

// Where one of the packets was legal, it may have changed what the ranks do, so they need not end well.
std::string run(std::uint64_t seed, Totals* totals) {
  base::Rng rng(seed);
  constexpr std::size_t kInFlight[] = {1, 3, 50};
  transport::sim::Conditions conditions{.capabilities = {.max_payload = 64, .eager_limit = 256},
                                        .packets_per_pair = rng.pick(kInFlight),
                                        .peer_memory = false,
                                        .system_copies = false};
  World world(kRanks, conditions, seed, [](int) { return RankOptions{}; },
              {.of_rank = {0, 0, 1}, .between = conditions});
  std::deque<Guarded> exposed;
  for (int rank = 0; rank < kRanks; ++rank) exposed.emplace_back(kRanks * kSlot);
  std::deque<Member> members;
  for (int rank = 0; rank < kRanks; ++rank)
    members.emplace_back(world.rank(rank), exposed, seed * 31 + static_cast<unsigned>(rank));

  Forger forger(seed, rng.percent(40) ? Forger::Makes::bad : Forger::Makes::anything);
  std::size_t accepted = 0, refused = 0;
  const auto attack = [&](int packets) {
    for (; packets > 0; --packets) {
      const Recorded forged = forger.forge();
      // A copy of its exact length, so that a sanitizer sees who reads beyond it.
      const auto copy = std::make_unique<std::byte[]>(forged.payload.size());
      std::ranges::copy(forged.payload, copy.get());
      Count& count = totals->packets[forged.header.handler];
      try {
        (void)world.rank(kVictim).engines().dispatcher()(forged.source, forged.header,
                                                         {copy.get(), forged.payload.size()});
        ++count.accepted;
        ++accepted;
      } catch (const BadPacket& bad) {
        ++count.refused;
        ++refused;
        if (bad.process != forged.source) ADD_FAILURE() << bad.message;
      }
    }
  };
  int before = rng.below(kPacketsOfARun);  // real packets, of which the forger learns
  const unsigned percent = rng.percent(30) ? 1 : 60;
  world.rank(kVictim).observe([&](int source, const PacketHeader& header, Payload payload) {
    if (source != kVictim) forger.record(source, header, payload);
    if (--before < 0 && rng.percent(percent)) attack(1 + rng.below(10));
  });
  std::string complaint, ending;
  for (int rank = 0; rank < kRanks; ++rank)
    world.rank(rank).progress().on_failure([&, rank](const base::Error& error) {
      ending += fmt::format("rank {} ends the job: {}\n", rank, error.message);
      world.rank(rank).vanish();
    });
  try {
    ending += world.run([&](Rank& rank) { members[static_cast<std::size_t>(rank.number())].play(); });
  } catch (const base::Error& error) {
    ending += "unexpected error: " + error.message;
  }
  // Whatever has become of it, the job has things under way.
  const bool should_end_well = accepted == 0;
  if (should_end_well && refused != 0) ++totals->runs_without_effect;
  attack(kPacketsAfterwards);
  for (const Member& member : members)
    if (!member.is_sound()) complaint += "bytes beside a buffer have been changed\n";
  for (const Guarded& memory : exposed)
    if (!memory.is_sound()) complaint += "bytes beside a window have been changed\n";
  if (!should_end_well) return complaint;
  for (const Member& member : members) complaint += member.complaint();
  return complaint + ending;
}

TEST(BadPackets, AreRefusedOrTakenForLegalOnesAtThreeRanks) {
  const auto [first, last] = seeds(300);
  Totals totals;
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(run(seed, &totals), "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                                      << " bin/sim_test --gtest_filter=BadPackets.*";
  Count all;
  for (const auto& [kind, count] : totals.packets) {
    all.refused += count.refused;
    all.accepted += count.accepted;
    RecordProperty(fmt::format("kind_{}", kind),
                   fmt::format("{} refused, {} accepted", count.refused, count.accepted));
    if (first == last) continue;
    EXPECT_GT(count.refused, 0u) << packets::name_of(static_cast<std::uint8_t>(kind));
  }
  RecordProperty("refused", std::to_string(all.refused));
  RecordProperty("accepted", std::to_string(all.accepted));
  if (first == last) return;
  EXPECT_GT(all.accepted, 0u);
  EXPECT_GT(totals.runs_without_effect, (last - first) / 5);
}

}  // namespace
}  // namespace antiphon::sim
