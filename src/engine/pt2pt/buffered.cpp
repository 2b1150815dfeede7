#include "engine/pt2pt/buffered.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace antiphon::pt2pt {

using objects::Ref;
using objects::Request;

namespace {

[[noreturn, gnu::cold]] void no_buffer(std::size_t bytes) {
  base::fail(
      abi::ERR_BUFFER,
      fmt::format(
          "a buffered send of {} bytes needs a buffer, but none is attached to the communicator, its session or "
          "the process: attach one of at least {} bytes, MPI_BSEND_OVERHEAD included (MPI_Buffer_attach)",
          bytes, bytes + abi::BSEND_OVERHEAD));
}

[[noreturn, gnu::cold]] void no_room(std::size_t bytes, const SendBuffer& buffer) {
  const std::size_t taken = buffer.taken();
  base::fail(abi::ERR_BUFFER,
             fmt::format("a buffered send of {} bytes does not fit into the buffer attached: of its {} "
                         "bytes {} are in use by messages that have not been sent yet, {} are free",
                         bytes, buffer.bytes(), taken, buffer.bytes() - taken));
}

}  // namespace

SendBuffer* BufferedSends::find(Owner owner) {
  const auto found = attached_.find(owner);
  return found == attached_.end() ? nullptr : found->second.get();
}

bool BufferedSends::attach(Owner owner, std::unique_ptr<SendBuffer> buffer) {
  return attached_.try_emplace(owner, std::move(buffer)).second;
}

// Looks the buffer up after each poll, because another thread may have detached it meanwhile.
std::unique_ptr<SendBuffer> BufferedSends::detach(Owner owner) {
  const auto gone = [&] {
    SendBuffer* buffer = find(owner);
    return !buffer || buffer->reap();
  };
  progress_.wait(gone, [] { return progress::WaitReason{.communicator = "messages in an attached buffer"}; });
  auto node = attached_.extract(owner);
  return node ? std::move(node.mapped()) : nullptr;
}

bool BufferedSends::all_gone() {
  return std::ranges::all_of(attached_, [](const auto& attached) { return attached.second->reap(); });
}

Ref<Request> BufferedSends::start_flush(Owner owner, objects::Comm& comm) {
  SendBuffer* buffer = find(owner);
  if (!buffer || buffer->reap()) return {};
  return combined_.start(comm, buffer->under_way());
}

void BufferedSends::flush(Owner owner, objects::Comm& comm) {
  if (const Ref<Request> flushing = start_flush(owner, comm)) progress_.wait(*flushing);
}

void BufferedSends::send(const Send& send, std::initializer_list<Owner> owners) {
  if (send.destination == abi::PROC_NULL) return;
  for (const Owner owner : owners)
    if (SendBuffer* buffer = find(owner)) return send_through(send, *buffer);
  no_buffer(send.bytes);
}

// A message that can be sent at once needs no space in the buffer. But a message longer than the whole buffer is
// always an error, so that whether an incorrect program fails does not depend on timing.
void BufferedSends::send_through(const Send& send, SendBuffer& buffer) {
  if (!buffer.automatic() && send.bytes > buffer.bytes()) no_room(send.bytes, buffer);
  if (!send.scattered && engine_.eager().try_send(send)) return;
  const auto fill = [&](std::byte* place) { data::pack_part(send.data(), send.scattered, 0, place, send.bytes); };
  const auto start = [&](std::byte* place) -> Ref<Request> {
    return engine_.start_send({place, send.bytes, send.destination, send.tag, send.comm, send.space});
  };
  if (!buffer.put(send.bytes, fill, start)) no_room(send.bytes, buffer);
}

}  // namespace antiphon::pt2pt
