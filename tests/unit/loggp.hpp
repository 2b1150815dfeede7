// When the last process is done with a plan, by a model like LogGP: messages are on their way for a while, a process
// sends and receives one after the other, each byte of a message takes time, and so does each that is copied or
// combined. All processes of the plan are followed, so it is for thousands of them, not for a hundred thousand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "engine/coll/choice.hpp"
#include "engine/coll/cost.hpp"

namespace antiphon::coll {

// A sink that notes what a process does.
class Tracer {
 public:
  struct Event {
    enum class Kind : std::uint8_t { send, receive, await, fence, copy, reduce } kind;
    int peer = 0;
    std::size_t bytes = 0;
    std::uint32_t token = 0;
  };
  explicit Tracer(const View& view) : view_(view) {}
  [[nodiscard]] const View& view() const { return view_; }
  Token send(const Region& from, Peer to) {
    events.push_back({Event::Kind::send, to.rank, from.bytes});
    return static_cast<Token>(begun_++);
  }
  Token receive(const Region& to, Peer from) {
    events.push_back({Event::Kind::receive, from.rank, to.bytes});
    return static_cast<Token>(begun_++);
  }
  void await(Token token) {
    events.push_back({.kind = Event::Kind::await, .token = static_cast<std::uint32_t>(token)});
  }
  void fence() {
    events.push_back({.kind = Event::Kind::fence});
    begun_ = 0;
  }
  void copy(const Region& from, const Region& to) {
    if (from.at != to.at) events.push_back({.kind = Event::Kind::copy, .bytes = from.bytes});
  }
  void reduce(const Vector& left, const Vector&, Reduction::Into) {
    events.push_back({.kind = Event::Kind::reduce, .bytes = left.region().bytes});
  }
  // Somewhere else each time.
  [[nodiscard]] std::byte* scratch(std::size_t) { return Counter::nowhere() + (++scratches_ << 36); }

  std::vector<Event> events;

 private:
  View view_;
  std::uint32_t begun_ = 0;
  std::size_t scratches_ = 0;
};

class LogGP {
 public:
  // `nodes`: null where all run on one; outlives this.
  explicit LogGP(const Machine& machine, const objects::Nodes* nodes = nullptr) : machine_(machine), nodes_(nodes) {}

  // Nanoseconds, or a negative number if somebody waits for ever.
  template <class Plan>
  double time(int size, Plan plan) {
    processes_.clear();
    in_flight_.clear();
    runnable_.clear();
    for (int rank = 0; rank < size; ++rank) {
      Tracer tracer(View{{rank, size}});
      plan(tracer);
      processes_.push_back({.events = std::move(tracer.events)});
      runnable_.push_back(rank);
    }
    while (!runnable_.empty()) {
      const int rank = runnable_.back();
      runnable_.pop_back();
      go_on(rank);
    }
    double latest = 0;
    for (const Process& process : processes_) {
      if (process.next != process.events.size()) return -1;
      latest = std::max({latest, process.now, process.sent});
    }
    return latest;
  }

 private:
  using Event = Tracer::Event;
  struct UnderWay {
    bool is_receive;
    int peer;
    std::size_t bytes;
    double over;  // when; of a receive, once it has been waited for
    bool waited_for;
  };
  struct Process {
    std::vector<Event> events;
    std::size_t next = 0;
    double now = 0;
    double sent = 0, received = 0;  // when the last message was out, or in
    std::vector<UnderWay> under_way = {};
  };

  static std::uint64_t edge(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<unsigned>(to);
  }
  [[nodiscard]] const Machine::Network& between(int from, int to) const {
    return nodes_ && nodes_->of(from) != nodes_->of(to) ? machine_.far : machine_.near;
  }

  // Until it waits for a message that was not sent yet.
  void go_on(int rank) {
    Process& process = processes_[static_cast<std::size_t>(rank)];
    for (; process.next < process.events.size(); ++process.next) {
      const Event event = process.events[process.next];
      const auto bytes = static_cast<double>(event.bytes);
      switch (event.kind) {
        case Event::Kind::send: {
          const Machine::Network& way = between(rank, event.peer);
          const double begins = std::max(process.now, process.sent), on_the_wire = bytes * way.byte;
          process.sent = begins + machine_.gap + on_the_wire;
          in_flight_[edge(rank, event.peer)].push_back(begins + way.latency + on_the_wire);
          process.under_way.push_back({false, event.peer, event.bytes, process.sent, false});
          runnable_.push_back(event.peer);
          break;
        }
        case Event::Kind::receive:
          process.under_way.push_back({true, event.peer, event.bytes, 0, false});
          break;
        case Event::Kind::copy:
          process.now += bytes * machine_.copied_byte;
          break;
        case Event::Kind::reduce:
          process.now += bytes * machine_.combined_byte;
          break;
        case Event::Kind::await:
          if (!wait_for(process, rank, event.token)) return;
          break;
        case Event::Kind::fence:
          for (std::size_t i = 0; i < process.under_way.size(); ++i)
            if (!wait_for(process, rank, i)) return;
          process.under_way.clear();
          break;
      }
    }
  }
  bool wait_for(Process& process, int rank, std::size_t token) {
    UnderWay& message = process.under_way[token];
    if (message.is_receive && !message.waited_for) {
      const auto found = in_flight_.find(edge(message.peer, rank));
      if (found == in_flight_.end() || found->second.empty()) return false;
      const double on_the_wire = static_cast<double>(message.bytes) * between(message.peer, rank).byte;
      message.over = std::max(found->second.front(), process.received + machine_.gap + on_the_wire);
      process.received = message.over;
      found->second.pop_front();
    }
    message.waited_for = true;
    process.now = std::max(process.now, message.over);
    return true;
  }

  Machine machine_;
  const objects::Nodes* nodes_;
  std::vector<Process> processes_;
  std::unordered_map<std::uint64_t, std::deque<double>> in_flight_;  // by sender and receiver: when they arrive
  std::vector<int> runnable_;
};

}  // namespace antiphon::coll
