#include "engine/pt2pt/requests.hpp"

#include <fmt/format.h>

namespace antiphon::pt2pt {

namespace {

int world_peer(const objects::Comm& comm, int rank) { return rank < 0 ? rank : comm.world_rank(rank); }

}  // namespace

base::WaitReason SendRequest::reason() const {
  return {comm().name().c_str(), world_receiver, tag, static_cast<std::int64_t>(bytes)};
}

objects::Ref<SendRequest> SendPool::start(const Send& send, int process) {
  auto request = objects::Ref<SendRequest>::adopt(&take());
  request->start(send.comm);
  request->parts_left = 1;
  request->world_receiver = process;
  request->tag = send.tag;
  request->data = send.data();
  request->bytes = send.bytes;
  if (send.scattered) request->set_scattered(send.scattered);
  return request;
}

objects::Ref<SendRequest> SendPool::start_completed(objects::Comm& comm) {
  auto over = objects::Ref<SendRequest>::adopt(&take());
  over->start(comm);
  over->complete();
  return over;
}

bool ReceiveRequest::abandon() noexcept {
  const std::lock_guard held(lock());
  return PooledRequest::abandon();
}

void ReceiveRequest::retire_locked() noexcept {
  const std::lock_guard held(lock());
  go_back();
}

void ReceiveRequest::truncate(const Envelope& sent, std::size_t total) {
  fail(abi::ERR_TRUNCATE, [&] {
    return fmt::format(
        "the message of {} bytes from rank {} with tag {} does not fit: the receive buffer holds {} bytes", total,
        sent.source, sent.tag, capacity);
  });
}

base::WaitReason ReceiveRequest::reason() const {
  return {comm().name().c_str(), world_peer(comm(), wanted.source), wanted.tag, static_cast<std::int64_t>(capacity)};
}

}  // namespace antiphon::pt2pt
