#include "traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/error.hpp"
#include "engine/pt2pt/persistent.hpp"
#include "program.hpp"
#include "user_buffer.hpp"
#include "world.hpp"

namespace antiphon::sim {

namespace {

using objects::Outcome;
using objects::Ref;

std::byte content(int message, std::size_t index) {
  return static_cast<std::byte>((static_cast<std::size_t>(message) * 131 + index * 7 + (index >> 8)) & 0xff);
}

int to_abi_source(int source) { return source == Label::kAny ? abi::ANY_SOURCE : source; }
int to_abi_tag(int tag) { return tag == Label::kAny ? abi::ANY_TAG : tag; }

std::string text(const Outcome& outcome) {
  return fmt::format("source {} tag {} bytes {} error {}", outcome.source, outcome.tag, outcome.bytes, outcome.error);
}

// A receive under way, or done: buffers outlive every request.
struct Pending {
  int number;  // of the message for which it was planned
  UserBuffer buffer;
  Ref<pt2pt::ReceiveRequest> request = {};  // null for a blocking one
  Outcome outcome = {};
};

class Traffic {
 public:
  explicit Traffic(std::uint64_t seed)
      : program_(random_program(seed)),
        world_(program_.ranks, program_.conditions, seed, service::Contexts::kAsManyAsThereAre, program_.settings) {
    for (int rank = 0; rank < program_.ranks; ++rank) sides_.emplace_back(seed * 31 + static_cast<unsigned>(rank));
    for (Side& side : sides_) side.sent.resize(sides_.size());
    for (const Round& round : program_.rounds)
      for (const Message& message : round.messages) {
        all_.push_back(&message);
        contexts_.push_back(round.context);
      }
  }

  Verdict run() {
    for (int rank = 0; rank < program_.ranks; ++rank)
      world_.rank(rank).observe([this, rank](int source, const transport::PacketHeader& header, transport::Payload) {
        on_packet(rank, source, header);
      });
    std::string deadlock;
    try {
      deadlock = world_.run([this](Rank& rank) { body(rank); });
    } catch (const base::Error& error) {
      complain("unexpected error: " + error.message);
    }
    if (!deadlock.empty()) complain(deadlock);
    if (verdict_.complaint.empty())
      for (int rank = 0; rank < program_.ranks; ++rank) check_matches(rank);
    verdict_.trace = world_.trace();
    return std::move(verdict_);
  }

 private:
  // What belongs to one rank of the job.
  struct Side {
    explicit Side(std::uint64_t seed) : rng(seed) {}
    base::Rng rng;
    NaiveMatcher oracle;
    std::vector<std::deque<int>> sent;  // to each rank: messages started and not yet seen to arrive
    std::deque<Pending> receives;
    std::deque<UserBuffer> outgoing;
  };

  void body(Rank& rank) {
    (void)rank.engines().buffered().attach(nullptr, std::make_unique<pt2pt::SendBuffer>());
    for (const Round& round : program_.rounds) play(round, rank);
    (void)rank.engines().buffered().detach(nullptr);
  }

  void play(const Round& round, Rank& rank) {
    Side& side = sides_[static_cast<std::size_t>(rank.number())];
    int me = 0;
    while (round.world_ranks[static_cast<std::size_t>(me)] != rank.number()) ++me;
    const auto group = Ref<objects::Group>::adopt(new objects::Group(round.world_ranks));
    const auto comm = Ref<objects::Comm>::adopt(
        new objects::Comm(round.context, group, me, {}, fmt::format("context {}", round.context)));
    std::vector<Ref<objects::Request>> pending;
    for (const Action& action : round.actions[static_cast<std::size_t>(me)]) {
      loiter(side, rank, *comm);
      const Message& message = round.messages[static_cast<std::size_t>(action.message)];
      if (action.kind == Action::Kind::send)
        send(side, rank, *comm, message, pending);
      else
        receive(side, rank, *comm, message, pending);
    }
    side.rng.shuffle(pending);
    for (const Ref<objects::Request>& request : pending) rank.progress().wait(*request);
  }

  // Lets others run, looks for packets, probes for nothing in particular.
  void loiter(Side& side, Rank& rank, objects::Comm& comm) {
    for (int times = side.rng.below(3); times > 0; --times) rank.yield();
    if (side.rng.percent(30)) rank.progress().poll();
    if (side.rng.percent(10)) cancel_at_once(side, rank, comm);
    if (!side.rng.percent(30)) return;
    const Label wish{comm.context(), side.rng.percent(50) ? Label::kAny : side.rng.below(comm.size()),
                     side.rng.percent(50) ? Label::kAny : side.rng.below(4)};
    Outcome seen;
    const bool found =
        rank.pt2pt().probe_now({comm.user_space(), to_abi_source(wish.source), to_abi_tag(wish.tag)}, &seen);
    check_probe(rank.number(), wish, found, seen);
  }

  // A receive for which nothing has come, withdrawn before anything can: those around it must not notice.
  void cancel_at_once(Side& side, Rank& rank, objects::Comm& comm) {
    const Label wish{comm.context(), Label::kAny, side.rng.percent(50) ? Label::kAny : side.rng.below(4)};
    if (side.oracle.peek(wish)) return;
    std::byte nothing;
    const Ref<pt2pt::ReceiveRequest> request =
        rank.pt2pt().start_receive({&nothing, 1, abi::ANY_SOURCE, to_abi_tag(wish.tag), comm, comm.user_space()});
    const bool cancelled = rank.pt2pt().cancel(*request);
    if (!cancelled || !request->done() || !request->outcome.cancelled)
      complain(fmt::format("rank {}: a receive of tag {} was not cancelled", rank.number(), wish.tag));
  }

  static std::uint64_t shape_seed(int message) { return static_cast<std::uint64_t>(message) + 1; }

  void send(Side& side, Rank& rank, objects::Comm& comm, const Message& message,
            std::vector<Ref<objects::Request>>& pending) {
    UserBuffer& data = side.outgoing.emplace_back(message.send_from, message.bytes, shape_seed(message.number));
    for (std::size_t i = 0; i < message.bytes; ++i) data[i] = content(message.number, i);
    side.sent[static_cast<std::size_t>(comm.world_rank(message.to))].push_back(message.number);
    const pt2pt::Send send{data.address(),
                           message.bytes,
                           message.to,
                           message.tag,
                           comm,
                           comm.user_space(),
                           message.synchronous ? pt2pt::Mode::synchronous : pt2pt::Mode::standard,
                           data.scattered()};
    if (message.send_as == SendAs::buffered) {
      rank.engines().buffered().send(send, {nullptr});
      data.spoil();
    } else if (message.send_as == SendAs::persistent) {
      const auto persistent = Ref<pt2pt::PersistentSend>::adopt(new pt2pt::PersistentSend(rank.pt2pt(), send));
      persistent->start();
      pending.push_back(Ref<objects::Request>::share(*persistent->active()));
    } else if (message.blocking_send) {
      rank.pt2pt().send(send);
      data.spoil();  // it is the sender's again
    } else if (const Ref<pt2pt::SendRequest> request = rank.pt2pt().start_send(send)) {
      pending.push_back(Ref<objects::Request>::share(*request));
    } else {
      data.spoil();
    }
    data.free_type();
  }

  void receive(Side& side, Rank& rank, objects::Comm& comm, const Message& message,
               std::vector<Ref<objects::Request>>& pending) {
    const Label wish{comm.context(), message.wanted_source, message.wanted_tag};
    const int source = to_abi_source(wish.source), tag = to_abi_tag(wish.tag);
    if (message.blocking_receive && message.probe_first) {
      const Outcome seen = rank.pt2pt().probe({comm.user_space(), source, tag}, comm);
      check_probe(rank.number(), wish, true, seen);
    }
    Ref<pt2pt::MatchedMessage> matched;
    if (message.receive_as == ReceiveAs::matched)
      matched = rank.pt2pt().match({comm.user_space(), source, tag}, comm);
    Pending& mine = side.receives.emplace_back(
        Pending{message.number, {message.receive_into, message.capacity, ~shape_seed(message.number)}});
    side.oracle.post(message.number, wish);
    const pt2pt::Receive receive{mine.buffer.address(), message.capacity,       source, tag, comm,
                                 comm.user_space(),     mine.buffer.scattered()};
    if (!message.blocking_receive || matched) {
      if (matched) {
        loiter(side, rank, comm);
        mine.request = rank.pt2pt().start_receive_matched(*matched, receive);
      } else if (message.receive_as == ReceiveAs::persistent) {
        const auto persistent =
            Ref<pt2pt::PersistentReceive>::adopt(new pt2pt::PersistentReceive(rank.pt2pt(), receive));
        persistent->start();
        mine.request = Ref<pt2pt::ReceiveRequest>::share(static_cast<pt2pt::ReceiveRequest&>(*persistent->active()));
      } else {
        mine.request = rank.pt2pt().start_receive(receive);
      }
      mine.buffer.free_type();
      pending.push_back(Ref<objects::Request>::share(*mine.request));
      return;
    }
    try {
      mine.outcome = rank.pt2pt().receive(receive);
    } catch (const base::Error& error) {
      mine.outcome.error = error.error_class;
    }
  }

  // The first packet of a message: the k-th from a rank must be the k-th that it sent here.
  void on_packet(int self, int source, const transport::PacketHeader& header) {
    if (header.context == 0) return;
    std::deque<int>& sent = sides_[static_cast<std::size_t>(source)].sent[static_cast<std::size_t>(self)];
    if (sent.empty()) return complain(fmt::format("rank {} got a message that rank {} never sent", self, source));
    const int number = sent.front();
    sent.pop_front();
    const Message& message = *all_[static_cast<std::size_t>(number)];
    const std::uint32_t context = contexts_[static_cast<std::size_t>(number)];
    if (header.context != objects::MessageSpace(context, objects::MessageKind::user).word() ||
        header.tag != message.tag || header.source != message.from)
      complain(fmt::format("rank {} expected message {} from rank {}, got context {} source {} tag {}", self, number,
                           source, header.context, header.source, header.tag));
    sides_[static_cast<std::size_t>(self)].oracle.arrive(number, {context, message.from, message.tag});
  }

  void check_probe(int rank, const Label& wish, bool found, const Outcome& seen) {
    ++verdict_.probes;
    const std::optional<int> expected = sides_[static_cast<std::size_t>(rank)].oracle.peek(wish);
    if (found != expected.has_value())
      return complain(fmt::format("rank {} probed source {} tag {}: {} a message, the oracle says otherwise", rank,
                                  wish.source, wish.tag, found ? "found" : "did not find"));
    if (!found) return;
    const Message& message = *all_[static_cast<std::size_t>(*expected)];
    if (seen.source != message.from || seen.tag != message.tag ||
        seen.bytes != static_cast<std::int64_t>(message.bytes))
      complain(fmt::format("rank {} probed {}, expected message {}: source {} tag {} bytes {}", rank, text(seen),
                           message.number, message.from, message.tag, message.bytes));
  }

  void check_matches(int rank) {
    Side& side = sides_[static_cast<std::size_t>(rank)];
    if (!side.oracle.nothing_left()) complain(fmt::format("rank {}: the oracle is left with something", rank));
    const auto& matches = side.oracle.message_of_receive();
    for (const Pending& receive : side.receives) {
      const auto match = matches.find(receive.number);
      if (match == matches.end())
        complain(fmt::format("rank {} receive {} ended without a match", rank, receive.number));
      else
        check_match(rank, receive, *all_[static_cast<std::size_t>(match->second)]);
    }
  }

  void check_match(int rank, const Pending& receive, const Message& message) {
    ++verdict_.matches;
    const std::size_t bytes = std::min(message.bytes, receive.buffer.size());
    const bool truncated = message.bytes > receive.buffer.size();
    const Outcome& got = receive.request ? receive.request->outcome : receive.outcome;
    const std::string where =
        fmt::format("rank {} receive {} matched message {}", rank, receive.number, message.number);
    if (got.error != (truncated ? abi::ERR_TRUNCATE : 0)) return complain(where + ": wrong error, " + text(got));
    const bool thrown = truncated && !receive.request;  // a blocking receive that throws returns no outcome
    if (!thrown &&
        (got.source != message.from || got.tag != message.tag || got.bytes != static_cast<std::int64_t>(bytes)))
      return complain(fmt::format("{}: source {} tag {} bytes {}, but has {}", where, message.from, message.tag,
                                  bytes, text(got)));
    for (std::size_t i = 0; i < receive.buffer.size(); ++i)
      if (receive.buffer[i] != (i < bytes ? content(message.number, i) : UserBuffer::kUntouched))
        return complain(fmt::format("{}: byte {} of {} is wrong", where, i, bytes));
    if (!receive.buffer.gaps_untouched()) complain(where + ": wrote between the pieces of the buffer");
  }

  void complain(const std::string& text) { verdict_.complaint += text + "\n"; }

  Program program_;
  World world_;
  std::vector<const Message*> all_;
  std::vector<std::uint32_t> contexts_;
  std::deque<Side> sides_;
  Verdict verdict_;
};

}  // namespace

Verdict run_traffic(std::uint64_t seed) { return Traffic(seed).run(); }

}  // namespace antiphon::sim
