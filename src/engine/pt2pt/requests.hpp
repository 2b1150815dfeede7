// The engine's own state of a send and of a receive, and of a message that came before anyone asked for it.
#pragma once

#include <vector>

#include "base/intrusive_list.hpp"
#include "engine/pt2pt/envelope.hpp"
#include "objects/request.hpp"
#include "transport/packet.hpp"

namespace antiphon::pt2pt {

class SendRequest final : public objects::Request {
 public:
  explicit SendRequest(objects::Ref<objects::Comm> comm) : Request(Kind::send, std::move(comm)) {}

  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  int destination = 0;  // rank of the job
  int parts_left = 1;   // what must still happen before it is complete: bytes gone, acknowledgement here
};

class ReceiveRequest final : public objects::Request, public base::ListHook {
 public:
  explicit ReceiveRequest(objects::Ref<objects::Comm> comm) : Request(Kind::receive, std::move(comm)) {}

  Envelope wanted;
  std::uint64_t order = 0;  // when it was posted, against the other posted receives
  std::byte* buffer = nullptr;
  std::size_t capacity = 0;  // bytes
  std::size_t expected = 0;  // bytes of the matched message that the sender will transfer
  std::size_t arrived = 0;
};

struct BucketHook : base::ListHook {};
struct ArrivalHook : base::ListHook {};

// A message, or the announcement of one, that no posted receive wanted. Owned by the Matcher until a receive takes
// it, then by the engine until its last byte has come.
struct Unexpected : BucketHook, ArrivalHook {
  Envelope envelope;
  int world_source = 0;
  std::size_t total = 0;     // bytes of the whole message
  bool rendezvous = false;   // announced only: the bytes come when asked for
  bool acknowledge = false;  // a synchronous sender waits for the match
  std::uint64_t sender_cookie = 0;
  std::vector<std::byte> data;  // what has arrived
  ReceiveRequest* claimed_by = nullptr;
};

}  // namespace antiphon::pt2pt
