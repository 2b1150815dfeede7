#include "patterns.hpp"

#include <algorithm>
#include <numeric>

namespace antiphon::patterns {

namespace {

// What the message `number` from `from` to `to` consists of.
Bytes content(int from, int to, int number, std::size_t bytes) {
  Bytes data(bytes);
  const auto seed = static_cast<std::size_t>(from * 31 + to * 17 + number * 7);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(seed + i * 13 + (i >> 8));
  return data;
}

std::size_t count_of(const Party& me) { return static_cast<std::size_t>(me.size()); }

// ---- point to point

void ring(Party& me) {
  const int right = (me.rank() + 1) % me.size(), left = (me.rank() + me.size() - 1) % me.size();
  int number = 0;
  for (const std::size_t bytes : me.sizes()) {
    const Bytes out = content(me.rank(), right, ++number, bytes);
    Bytes in(bytes);
    const auto receive = me.start_receive(in, left, number);
    me.send(out, right, number);
    const Outcome outcome = me.wait(receive);
    me.expect(outcome.source == left && outcome.tag == number && outcome.bytes == bytes, "ring: wrong outcome");
    me.expect(in == content(left, me.rank(), number, bytes), "ring: damaged message");
  }
}

// Both send before either receives: what is not yet asked for must not block what is sent without waiting.
void head_to_head(Party& me) {
  const int partner = me.rank() ^ 1;
  if (partner >= me.size()) return;
  for (const std::size_t bytes : me.sizes()) {
    const Bytes out = content(me.rank(), partner, 1, bytes);
    Bytes in(bytes);
    const auto sent = me.start_send(out, partner, 1);
    me.receive(in, partner, 1);
    me.wait(sent);
    me.expect(in == content(partner, me.rank(), 1, bytes), "head to head: damaged message");
  }
}

void everyone_to_everyone(Party& me) {
  const std::vector<std::size_t> sizes = me.sizes();
  std::vector<Bytes> out, in;
  std::vector<Party::Ticket> tickets;
  out.reserve(count_of(me) * sizes.size());
  in.reserve(count_of(me) * sizes.size());
  for (int peer = 0; peer < me.size(); ++peer)
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      tickets.push_back(me.start_receive(in.emplace_back(sizes[s]), peer, static_cast<int>(s)));
      out.push_back(content(me.rank(), peer, static_cast<int>(s), sizes[s]));
      tickets.push_back(me.start_send(out.back(), peer, static_cast<int>(s), s % 3 == 0));
    }
  for (auto ticket = tickets.rbegin(); ticket != tickets.rend(); ++ticket) me.wait(*ticket);
  for (int peer = 0; peer < me.size(); ++peer)
    for (std::size_t s = 0; s < sizes.size(); ++s)
      me.expect(in[static_cast<std::size_t>(peer) * sizes.size() + s] ==
                    content(peer, me.rank(), static_cast<int>(s), sizes[s]),
                "everyone to everyone: damaged message");
}

// Rank 0 takes what comes; what comes from one sender comes in the order in which it was sent.
void any_source_keeps_order(Party& me) {
  constexpr int kEach = 40;
  if (me.rank() != 0) {
    for (int number = 0; number < kEach; ++number)
      me.send(content(me.rank(), 0, number, static_cast<std::size_t>(number)), 0, 5);
    return;
  }
  std::vector<int> next(count_of(me), 0);
  for (int left = kEach * (me.size() - 1); left > 0; --left) {
    Bytes in(kEach);
    const Outcome outcome = me.receive(in, kAny, 5);
    int& number = next[static_cast<std::size_t>(outcome.source)];
    in.resize(outcome.bytes);
    me.expect(in == content(outcome.source, 0, number, static_cast<std::size_t>(number)), "any source: out of order");
    ++number;
  }
}

// Tags choose, whatever the order in which they were sent; MPI_ANY_TAG takes the oldest.
void tags_choose(Party& me) {
  const int to = (me.rank() + 1) % me.size(), from = (me.rank() + me.size() - 1) % me.size();
  std::vector<Party::Ticket> sent;
  std::vector<Bytes> out;
  for (int tag = 0; tag < 6; ++tag) out.push_back(content(me.rank(), to, tag, 10));
  for (int tag = 0; tag < 6; ++tag) sent.push_back(me.start_send(out[static_cast<std::size_t>(tag)], to, tag));
  Bytes in(10);
  for (const int tag : {4, 2}) {
    me.receive(in, from, tag);
    me.expect(in == content(from, me.rank(), tag, 10), "tags choose: wrong message");
  }
  for (const int tag : {0, 1, 3, 5}) {
    const Outcome outcome = me.receive(in, from, kAny);
    me.expect(outcome.tag == tag && in == content(from, me.rank(), tag, 10), "tags choose: not the oldest");
  }
  for (const Party::Ticket ticket : sent) me.wait(ticket);
}

void probe_tells_the_size(Party& me) {
  const int to = (me.rank() + 1) % me.size();
  for (const std::size_t bytes : me.sizes()) {
    const Bytes out = content(me.rank(), to, 3, bytes);
    const auto sent = me.start_send(out, to, 3);
    const Outcome seen = me.probe(kAny, kAny);
    Bytes in(seen.bytes);
    const Outcome got = me.receive(in, seen.source, seen.tag);
    me.wait(sent);
    me.expect(got.bytes == bytes && in == content(got.source, me.rank(), 3, bytes), "probe: not what it saw");
    me.barrier();  // so that nobody's next message is probed for this one
  }
}

void polling_finds_a_message(Party& me) {
  if (me.rank() == 0) {
    for (int peer = 1; peer < me.size(); ++peer) {
      while (!me.has_arrived(peer, 9)) {
      }
      Bytes in(20);
      me.expect(me.receive(in, peer, 9).bytes == 20, "polling: not what it saw");
    }
  } else {
    me.send(content(me.rank(), 0, 0, 20), 0, 9);
  }
}

// A synchronous send is not over before its receive has begun; a later message does not wait for it.
void synchronous_sends_wait(Party& me) {
  const int partner = me.rank() ^ 1;
  if (partner >= me.size()) return;
  const Bytes data = content(0, 0, 0, 30);
  Bytes in(30), other(30);
  if (me.rank() % 2 == 0) {
    const auto patient = me.start_send(data, partner, 1, true);
    me.send(data, partner, 2);
    me.receive(in, partner, 3);  // the partner has seen the second and not asked for the first
    me.expect(!me.is_done(patient), "synchronous: over before it was received");
    me.send(data, partner, 4);
    me.wait(patient);
  } else {
    me.receive(in, partner, 2);
    me.send(data, partner, 3);
    me.receive(in, partner, 4);
    me.receive(other, partner, 1);
    me.expect(other == data, "synchronous: damaged message");
  }
}

void truncation_is_told_and_spares_the_rest(Party& me) {
  const int to = (me.rank() + 1) % me.size(), from = (me.rank() + me.size() - 1) % me.size();
  for (const std::size_t bytes : me.sizes()) {
    if (bytes < 2) continue;
    const Bytes out = content(me.rank(), to, 8, bytes);
    const auto sent = me.start_send(out, to, 8);
    Bytes in(bytes, std::byte{0xee});
    const Outcome outcome = me.receive(std::span(in).first(bytes - 1), from, 8);
    me.wait(sent);
    const Bytes whole = content(from, me.rank(), 8, bytes);
    me.expect(outcome.truncated, "truncation: not told");
    me.expect(std::equal(in.begin(), in.end() - 1, whole.begin()), "truncation: what fits is damaged");
    me.expect(in.back() == std::byte{0xee}, "truncation: wrote beyond the buffer");
  }
}

// More messages than anything holds on the way: senders are held back, nobody loses any.
void flood(Party& me) {
  constexpr int kMessages = 300;
  if (me.rank() != 0) {
    std::vector<Bytes> out;
    std::vector<Party::Ticket> sent;
    for (int number = 0; number < kMessages; ++number) out.push_back(content(me.rank(), 0, number, 50));
    for (const Bytes& message : out) sent.push_back(me.start_send(message, 0, 2));
    me.send({}, 0, 3);
    for (const Party::Ticket ticket : sent) me.wait(ticket);
    return;
  }
  for (int peer = me.size() - 1; peer > 0; --peer) me.receive({}, peer, 3);  // all the rest is unexpected
  for (int number = 0; number < kMessages; ++number)
    for (int peer = 1; peer < me.size(); ++peer) {
      Bytes in(50);
      me.receive(in, peer, 2);
      me.expect(in == content(peer, 0, number, 50), "flood: lost or out of order");
    }
}

// ---- collectives

std::vector<std::size_t> block_sizes(const Party& me) {
  std::vector<std::size_t> sizes = me.sizes();
  const std::size_t most = std::max<std::size_t>(sizes.back() / count_of(me), 1);
  std::erase_if(sizes, [&](std::size_t bytes) { return bytes > most; });
  return sizes;
}

Bytes blocks_to(int to, int ranks, std::size_t bytes) {
  Bytes all;
  for (int from = 0; from < ranks; ++from) {
    const Bytes block = content(from, to, 0, bytes);
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

void barriers_hold_everyone_back(Party& me) {
  for (int round = 0; round < 10; ++round) {
    // Everybody tells the next that it has come, then leaves; so after a barrier the message is on its way.
    const int to = (me.rank() + 1) % me.size();
    const Bytes note = content(me.rank(), to, round, 4);
    const auto sent = me.start_send(note, to, round);
    me.barrier();
    Bytes in(4);
    me.receive(in, kAny, round);
    me.wait(sent);
  }
}

void broadcast_from_everyone(Party& me) {
  for (const std::size_t bytes : me.sizes())
    for (int root = 0; root < me.size(); root += std::max(1, me.size() / 3)) {
      Bytes data = me.rank() == root ? content(root, 0, 1, bytes) : Bytes(bytes);
      me.broadcast(data, root);
      me.expect(data == content(root, 0, 1, bytes), "broadcast: damaged");
    }
}

void sums(Party& me) {
  for (const std::size_t bytes : me.sizes()) {
    const std::size_t n = bytes / sizeof(std::int64_t);
    std::vector<std::int64_t> mine(n), all(n, -1);
    for (std::size_t i = 0; i < n; ++i) mine[i] = static_cast<std::int64_t>(i) * (me.rank() + 1);
    const std::int64_t factor = std::int64_t{me.size()} * (me.size() + 1) / 2;
    const auto is_sum = [&] {
      for (std::size_t i = 0; i < n; ++i)
        if (all[i] != static_cast<std::int64_t>(i) * factor) return false;
      return true;
    };
    me.sum(mine, all);
    me.expect(is_sum(), "sum: wrong");
    std::ranges::fill(all, -1);
    const int root = me.size() / 2;
    me.sum_at(root, mine, all);
    me.expect(me.rank() != root || is_sum(), "sum at one rank: wrong");
  }
}

void gather_and_scatter(Party& me) {
  for (const std::size_t bytes : block_sizes(me))
    for (const int root : {0, me.size() - 1}) {
      const bool is_root = me.rank() == root;
      Bytes all(is_root ? bytes * count_of(me) : 0);
      me.gather(content(me.rank(), root, 0, bytes), all, root);
      me.expect(!is_root || all == blocks_to(root, me.size(), bytes), "gather: damaged");
      Bytes mine(bytes);
      me.scatter(all, mine, root);
      me.expect(mine == content(me.rank(), root, 0, bytes), "scatter: not what was gathered");
    }
}

void everyone_gets_everything(Party& me) {
  for (const std::size_t bytes : block_sizes(me)) {
    Bytes all(bytes * count_of(me));
    me.allgather(content(me.rank(), 0, 0, bytes), all);
    me.expect(all == blocks_to(0, me.size(), bytes), "allgather: damaged");
    Bytes out;
    for (int to = 0; to < me.size(); ++to) {
      const Bytes block = content(me.rank(), to, 0, bytes);
      out.insert(out.end(), block.begin(), block.end());
    }
    std::ranges::fill(all, std::byte{0});
    me.alltoall(out, all, bytes);
    me.expect(all == blocks_to(me.rank(), me.size(), bytes), "alltoall: damaged");
  }
}

// Messages under way and collectives do not see each other.
void collectives_between_messages(Party& me) {
  const int to = (me.rank() + 1) % me.size(), from = (me.rank() + me.size() - 1) % me.size();
  for (const std::size_t bytes : me.sizes()) {
    const Bytes out = content(me.rank(), to, 0, bytes);
    Bytes in(bytes), shared = me.rank() == 0 ? content(0, 0, 7, bytes) : Bytes(bytes);
    const auto receive = me.start_receive(in, kAny, kAny);
    me.broadcast(shared, 0);
    const auto sent = me.start_send(out, to, 0);
    me.barrier();
    me.wait(receive);
    me.wait(sent);
    me.expect(shared == content(0, 0, 7, bytes), "between messages: damaged broadcast");
    me.expect(in == content(from, me.rank(), 0, bytes), "between messages: damaged message");
    me.barrier();
  }
}

}  // namespace

const std::vector<Pattern>& all() {
  static const std::vector<Pattern> patterns{
      {"ring", ring},
      {"head_to_head", head_to_head},
      {"everyone_to_everyone", everyone_to_everyone},
      {"any_source_keeps_order", any_source_keeps_order},
      {"tags_choose", tags_choose},
      {"probe_tells_the_size", probe_tells_the_size},
      {"polling_finds_a_message", polling_finds_a_message},
      {"synchronous_sends_wait", synchronous_sends_wait},
      {"truncation_is_told_and_spares_the_rest", truncation_is_told_and_spares_the_rest},
      {"flood", flood},
      {"barriers_hold_everyone_back", barriers_hold_everyone_back},
      {"broadcast_from_everyone", broadcast_from_everyone},
      {"sums", sums},
      {"gather_and_scatter", gather_and_scatter},
      {"everyone_gets_everything", everyone_gets_everything},
      {"collectives_between_messages", collectives_between_messages},
  };
  return patterns;
}

}  // namespace antiphon::patterns
