// A random program of sends, receives and probes for 2 to 8 ranks that ends whatever the network does. It is a list
// of rounds, each on a communicator of its own, at whose end a rank waits for what it started. Why no round can hang:
//
// ordered   Messages have an order, and every rank does its part of message 0, then of 1, and so on. At one receiver
//           any two receives accept the same messages or none in common. So a blocking receive of message i finds
//           one, since everything before i has been started; a blocking send of message i finds a receive if all that
//           its receive accepts comes from that sender, and only there it is used.
// storm     Nothing blocks before the end. A receiver posts its receives for one source and tag first, then those
// with
//           one kind of wildcard, then those that accept anything: the sets it asks for are nested, so the first come
//           can take nothing that the later ones lack.
#pragma once

#include <cstdint>
#include <vector>

#include "naive_matcher.hpp"
#include "settings/values.hpp"
#include "transport/sim/fabric.hpp"
#include "user_buffer.hpp"

namespace antiphon::sim {

enum class SendAs { plain, persistent, buffered };
enum class ReceiveAs { plain, persistent, matched };

struct Message {
  int number;    // in the whole program: what its bytes are made of
  int from, to;  // ranks in the round's communicator
  int tag;
  std::size_t bytes;
  bool synchronous = false;
  bool blocking_send = false;
  SendAs send_as = SendAs::plain;
  // The receive that the receiver does for it; which message that gets is for the matcher to say.
  int wanted_source = 0, wanted_tag = 0;  // or Label::kAny
  std::size_t capacity = 0;
  bool blocking_receive = false;
  bool probe_first = false;                 // with a blocking receive
  ReceiveAs receive_as = ReceiveAs::plain;  // matched: what blocks is the probe, and a receive follows
  UserBuffer::Shape send_from = UserBuffer::Shape::one_piece, receive_into = UserBuffer::Shape::one_piece;
};

struct Action {
  enum class Kind { send, receive } kind;
  int message;  // index into the round's messages
};

struct Round {
  std::uint32_t context;
  std::vector<int> world_ranks;  // of the communicator's ranks
  std::vector<Message> messages;
  std::vector<std::vector<Action>> actions;  // of each of the communicator's ranks
};

struct Program {
  int ranks;
  transport::sim::Conditions conditions;
  settings::Values settings;
  std::vector<Round> rounds;
};

[[nodiscard]] Program random_program(std::uint64_t seed);

}  // namespace antiphon::sim
