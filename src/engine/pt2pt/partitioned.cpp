#include "engine/pt2pt/partitioned.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/make_room.hpp"

namespace antiphon::pt2pt {

using objects::Comm;
using objects::Ref;
using objects::Request;

bool PartitionedBuffer::can_be_cut_every(std::size_t part_bytes) const {
  return !scattered || bytes == 0 || part_bytes % static_cast<std::size_t>(type->size()) == 0;
}

PartitionedBuffer::Part PartitionedBuffer::part(std::size_t number, std::size_t part_bytes) const {
  const std::size_t offset = std::min(number * part_bytes, bytes);
  const std::size_t here = std::min(part_bytes, bytes - offset);
  if (!scattered || bytes == 0) return {start + offset, here, {}};
  const auto size = static_cast<std::size_t>(type->size());
  const auto first = static_cast<std::int64_t>(offset / size);
  const auto elements = static_cast<std::int64_t>((here + size - 1) / size);
  const auto address = reinterpret_cast<std::uintptr_t>(start) + static_cast<std::uintptr_t>(first * type->extent());
  return {reinterpret_cast<std::byte*>(address), static_cast<std::size_t>(elements) * size, {type, elements}};
}

// ---- both sides

PartitionedRequest::PartitionedRequest(Direction direction, Partitioned& all, const PartitionedBuffer& buffer,
                                       int peer, std::int32_t tag, Comm& comm)
    : PersistentRequest(Ref<Comm>::share(comm)),
      all_(all),
      buffer_(buffer),
      peer_(peer),
      tag_(tag),
      type_(buffer.scattered),
      direction_(direction) {}

Messages& PartitionedRequest::engine() const { return all_.engine_; }

Ref<Request> PartitionedRequest::begin() {
  auto operation = Ref<Request>::adopt(new Request(Kind::partitioned, comm_ref()));
  if (to_nobody()) {
    if (direction_ == Direction::receive) operation->outcome.source = abi::PROC_NULL;
    operation->complete();
  } else {
    base::make_room(all_.working_);
    rewind();
    all_.work_on(*this);
  }
  return operation;
}

// ---- sending

PartitionedSend::PartitionedSend(Partitioned& all, const PartitionedBuffer& buffer, int destination, std::int32_t tag,
                                 Comm& comm)
    : PartitionedRequest(Direction::send, all, buffer, destination, tag, comm),
      offer_{buffer.bytes, buffer.partitions, all.take_tags(1)} {
  if (to_nobody()) return;
  const Ref<ReceiveRequest> answered = engine().start_receive(
      {&answer_, sizeof answer_, peer_, offer_.answer_tag, comm, comm.space(objects::MessageKind::partition_answer)});
  answered_ = answered;
  try {
    offering_ = engine().start_send_with_request(
        {&offer_, sizeof offer_, peer_, tag_, comm, comm.space(objects::MessageKind::partition_offer)});
  } catch (...) {
    (void)engine().cancel(*answered);  // nobody has been told to send it
    throw;
  }
}

bool PartitionedSend::connect() {
  if (connected_) return true;
  if (!offering_->done() || !answered_->done()) return false;
  if (is_under_way()) {
    std::vector<bool> ready = ready_;
    rewind();
    ready_ = std::move(ready);
  }
  offering_.reset();
  answered_.reset();
  connected_ = true;
  if (is_under_way())
    for (std::size_t i = 0; i < ready_.size(); ++i)
      if (ready_[i]) want_less(i);
  return true;
}

void PartitionedSend::rewind() {
  ready_.reserve(buffer_.partitions);
  wanting_.assign(answer_.messages, answer_.messages == 0 ? 0 : buffer_.partitions / answer_.messages);
  ready_.assign(buffer_.partitions, false);
  unsent_ = answer_.messages;
  held_back_ = 0;
}

void PartitionedSend::ready(std::size_t partition) {
  ready_[partition] = true;
  if (connected_) want_less(partition);
}

// Without memory for the message, progress sends it later.
void PartitionedSend::want_less(std::size_t partition) {
  const std::size_t message = partition / (buffer_.partitions / answer_.messages);
  if (--wanting_[message] != 0) return;
  ++held_back_;
  (void)all_.attempt([&] { return send(message), true; });
}

void PartitionedSend::send(std::size_t message) {
  const PartitionedBuffer::Part part = buffer_.part(message, offer_.bytes / answer_.messages);
  const std::int32_t tag = answer_.first_tag + static_cast<std::int32_t>(message);
  base::make_room(sending_);
  if (Ref<SendRequest> sending = engine().start_send({.buffer = part.start,
                                                      .bytes = part.bytes,
                                                      .destination = peer_,
                                                      .tag = tag,
                                                      .comm = comm(),
                                                      .space = comm().space(objects::MessageKind::partition),
                                                      .scattered = part.scattered}))
    sending_.emplace_back(std::move(sending));
  wanting_[message] = kSent;
  --unsent_;
  --held_back_;
}

bool PartitionedSend::advance() {
  if (!connect()) return false;
  while (!sending_.empty() && sending_.back()->done()) sending_.pop_back();
  if (!is_under_way()) return true;
  for (std::size_t message = 0; held_back_ != 0; ++message)
    if (wanting_[message] == 0) send(message);
  if (unsent_ != 0 || !sending_.empty()) return false;
  active()->complete();
  return true;
}

// ---- receiving

PartitionedReceive::PartitionedReceive(Partitioned& all, const PartitionedBuffer& buffer, int source,
                                       std::int32_t tag, Comm& comm)
    : PartitionedRequest(Direction::receive, all, buffer, source, tag, comm) {
  if (to_nobody()) return;
  offered_ = engine().start_receive(
      {&offer_, sizeof offer_, peer_, tag_, comm, comm.space(objects::MessageKind::partition_offer)});
}

// A message a partition of the sender's, if this side can be cut there; otherwise as many as there are ends of
// partitions that both have in common. Where the sender's partitions are shorter, one may be all that is possible.
std::uint32_t PartitionedReceive::messages_wanted() const {
  if (offer_.partitions == 0 || buffer_.partitions == 0) return 0;
  for (const std::uint64_t messages :
       {offer_.partitions, std::gcd(offer_.partitions, std::uint64_t{buffer_.partitions})})
    if (buffer_.can_be_cut_every(offer_.bytes / messages)) return static_cast<std::uint32_t>(messages);
  return 1;
}

bool PartitionedReceive::connect() {
  if (!connected_) {
    if (!offered_->done()) return false;
    answer_.messages = messages_wanted();
    answer_.first_tag = all_.take_tags(answer_.messages);
    answering_ = engine().start_send_with_request({&answer_, sizeof answer_, peer_, offer_.answer_tag, comm(),
                                                   comm().space(objects::MessageKind::partition_answer)});
    offered_.reset();
    connected_ = true;
  }
  return true;
}

void PartitionedReceive::rewind() {
  posted_ = false;
  receiving_.clear();
  if (connected_) (void)all_.attempt([this] { return post(), true; });
}

// Goes on where it ended for want of memory.
void PartitionedReceive::post() {
  receiving_.reserve(answer_.messages);
  for (auto i = static_cast<std::uint32_t>(receiving_.size()); i < answer_.messages; ++i) {
    const PartitionedBuffer::Part part = buffer_.part(i, offer_.bytes / answer_.messages);
    receiving_.emplace_back(
        engine().start_receive({part.start, part.bytes, peer_, answer_.first_tag + static_cast<std::int32_t>(i),
                                comm(), comm().space(objects::MessageKind::partition), part.scattered}));
  }
  pending_ = receiving_.size();
  posted_ = true;
}

bool PartitionedReceive::advance() {
  if (!connect() || !answering_->done()) return false;
  if (!is_under_way()) return true;
  if (!posted_) post();
  while (pending_ != 0 && receiving_[pending_ - 1]->done()) --pending_;
  if (pending_ != 0) return false;
  finish();
  return true;
}

void PartitionedReceive::finish() {
  objects::Outcome& all = active()->outcome;
  all.source = peer_;
  all.tag = tag_;
  for (const Ref<Request>& part : receiving_) {
    all.bytes += part->outcome.bytes;
    if (part->outcome.error != 0 && all.error == 0)
      active()->fail(part->outcome.error, [&] { return part->failure(); });
  }
  active()->complete();
}

bool PartitionedReceive::arrived(std::size_t partition) const {
  if (active()->done()) return true;
  if (!posted_) return false;
  const std::size_t part = offer_.bytes / answer_.messages, mine = buffer_.bytes / buffer_.partitions;
  const std::size_t first = part == 0 ? 0 : std::min(partition * mine / part, receiving_.size());
  const std::size_t end =
      part == 0 ? receiving_.size() : std::min(((partition + 1) * mine + part - 1) / part, receiving_.size());
  return std::all_of(receiving_.begin() + static_cast<std::ptrdiff_t>(first),
                     receiving_.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Ref<Request>& request) { return request->done(); });
}

// ---- all of a process

Ref<PartitionedSend> Partitioned::make_send(const PartitionedBuffer& buffer, int destination, std::int32_t tag,
                                            Comm& comm) {
  base::make_room(working_);
  auto made = Ref<PartitionedSend>::adopt(new PartitionedSend(*this, buffer, destination, tag, comm));
  if (destination != abi::PROC_NULL) work_on(*made);
  return made;
}

Ref<PartitionedReceive> Partitioned::make_receive(const PartitionedBuffer& buffer, int source, std::int32_t tag,
                                                  Comm& comm) {
  base::make_room(working_);
  auto made = Ref<PartitionedReceive>::adopt(new PartitionedReceive(*this, buffer, source, tag, comm));
  if (source != abi::PROC_NULL) work_on(*made);
  return made;
}

void Partitioned::work_on(PartitionedRequest& request) {
  if (request.is_worked_on_) return;
  request.is_worked_on_ = true;
  working_.push_back(Ref<PartitionedRequest>::share(request));
  has_begun();
}

bool Partitioned::push() {
  return std::erase_if(working_, [this](const Ref<PartitionedRequest>& request) {
           if (!attempt([&] { return request->advance(); })) return false;
           request->is_worked_on_ = false;
           return true;
         }) != 0;
}

std::int32_t Partitioned::take_tags(std::uint32_t count) {
  if (count > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max() - next_tag_)) next_tag_ = 0;
  const std::int32_t first = next_tag_;
  next_tag_ += static_cast<std::int32_t>(count);
  return first;
}

}  // namespace antiphon::pt2pt
