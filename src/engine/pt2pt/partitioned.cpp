#include "engine/pt2pt/partitioned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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

namespace {

bool has_arrived(const Request& message, std::size_t bytes) {
  return message.outcome.error == 0 && message.outcome.bytes == static_cast<std::int64_t>(bytes);
}

}  // namespace

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

void PartitionedRequest::need(bool possible, const char* what) const {
  if (possible) return;
  const int process = comm().world_rank(peer_);
  throw transport::BadPacket{
      {abi::ERR_OTHER,
       fmt::format("process {} of the job sent a bad {} for partitioned communication with tag {}: nobody can divide "
                   "partitions like that",
                   process, what, tag_)},
      process};
}

Ref<Request> PartitionedRequest::begin() {
  auto operation = Ref<Request>::adopt(new Request(Kind::partitioned, comm_ref()));
  if (to_nobody()) {
    if (direction_ == Direction::receive) operation->outcome.source = abi::PROC_NULL;
    operation->complete();
  } else {
    rewind();
    all_.work_on(*this);
  }
  return operation;
}

// ---- sending

PartitionedSend::PartitionedSend(Partitioned& all, const PartitionedBuffer& buffer, int destination, std::int32_t tag,
                                 Comm& comm)
    : PartitionedRequest(Direction::send, all, buffer, destination, tag, comm) {
  if (to_nobody()) return;
  answer_tag_ = all.tags_.take(1);
  if (!answer_tag_)
    base::fail(abi::ERR_OTHER,
               fmt::format("partitioned requests of this process use all {} tags that there are: free "
                           "some of them (MPI_Request_free)",
                           all.tags_.number()));
  offer_ = {buffer.bytes, buffer.partitions, answer_tag_.first()};
  answered_ = engine().start_receive(
      {&answer_, sizeof answer_, peer_, offer_.answer_tag, comm, comm.space(objects::MessageKind::partition_answer)});
  offering_ = engine().start_send_with_request(
      {&offer_, sizeof offer_, peer_, tag_, comm, comm.space(objects::MessageKind::partition_offer)});
}

bool PartitionedSend::connect() {
  if (connected_) return true;
  if (!offering_->done() || !answered_->done()) return false;
  const std::uint64_t messages = answer_.messages, partitions = buffer_.partitions;
  need(has_arrived(*answered_, sizeof answer_) && messages != 0 &&
           (partitions == 0 ? messages == 1 : partitions % messages == 0) && answer_.first_tag >= 0 &&
           messages <= static_cast<std::uint64_t>(INT32_MAX - answer_.first_tag) + 1,
       "answer");
  offering_.reset();
  answered_.reset();
  answer_tag_ = {};
  connected_ = true;
  if (is_under_way()) {
    const std::vector<bool> ready = std::move(ready_);
    rewind();
    for (std::size_t i = 0; i < ready.size(); ++i)
      if (ready[i]) this->ready(i);
  }
  return true;
}

void PartitionedSend::rewind() {
  ready_.assign(buffer_.partitions, false);
  unsent_ = answer_.messages;
  if (!connected_) return;
  wanting_.assign(unsent_, buffer_.partitions / unsent_);
  if (buffer_.partitions == 0) send(0);  // no call of ready() would send it
}

void PartitionedSend::ready(std::size_t partition) {
  ready_[partition] = true;
  if (!connected_) return;
  const std::size_t message = partition / (buffer_.partitions / answer_.messages);
  if (--wanting_[message] == 0) send(message);
}

void PartitionedSend::send(std::size_t message) {
  const PartitionedBuffer::Part part = buffer_.part(message, offer_.bytes / answer_.messages);
  const std::int32_t tag = answer_.first_tag + static_cast<std::int32_t>(message);
  --unsent_;
  if (Ref<SendRequest> sending = engine().start_send({.buffer = part.start,
                                                      .bytes = part.bytes,
                                                      .destination = peer_,
                                                      .tag = tag,
                                                      .comm = comm(),
                                                      .space = comm().space(objects::MessageKind::partition),
                                                      .scattered = part.scattered}))
    sending_.emplace_back(std::move(sending));
}

bool PartitionedSend::advance() {
  if (!connect()) return false;
  while (!sending_.empty() && sending_.back()->done()) sending_.pop_back();
  if (!is_under_way()) return true;
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

// One message for each partition of the sender, if this side's buffer can be divided there. Otherwise as many
// messages as there are common ends of both sides' partitions, and otherwise one. If the sender has no partitions,
// one empty message says that it has started.
std::uint32_t PartitionedReceive::messages_wanted() const {
  if (offer_.partitions == 0) return 1;
  for (const std::uint64_t messages :
       {offer_.partitions, std::gcd(offer_.partitions, std::uint64_t{buffer_.partitions})})
    if (buffer_.can_be_cut_every(offer_.bytes / messages)) return static_cast<std::uint32_t>(messages);
  return 1;
}

bool PartitionedReceive::connect() {
  if (!connected_) {
    if (!offered_->done()) return false;
    need(has_arrived(*offered_, sizeof offer_) && offer_.partitions <= INT32_MAX && offer_.bytes <= INT64_MAX &&
             (offer_.partitions == 0 ? offer_.bytes : offer_.bytes % offer_.partitions) == 0 &&
             offer_.answer_tag >= 0,
         "offer");
    const std::uint32_t messages = messages_wanted();
    tags_ = all_.tags_.take(messages);
    if (!tags_) return false;  // try again: other requests may have been freed then
    offered_.reset();
    connected_ = true;
    answer_ = {messages, tags_.first()};
    answering_ = engine().start_send_with_request({&answer_, sizeof answer_, peer_, offer_.answer_tag, comm(),
                                                   comm().space(objects::MessageKind::partition_answer)});
  }
  return true;
}

void PartitionedReceive::rewind() {
  posted_ = false;
  receiving_.clear();
  if (connected_) post();
}

void PartitionedReceive::post() {
  posted_ = true;
  for (std::uint32_t i = 0; i < answer_.messages; ++i) {
    const PartitionedBuffer::Part part = buffer_.part(i, offer_.bytes / answer_.messages);
    receiving_.emplace_back(
        engine().start_receive({part.start, part.bytes, peer_, answer_.first_tag + static_cast<std::int32_t>(i),
                                comm(), comm().space(objects::MessageKind::partition), part.scattered}));
  }
  pending_ = receiving_.size();
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
  objects::Request& operation = *active();
  operation.outcome.source = peer_;
  operation.outcome.tag = tag_;
  for (const Ref<Request>& part : receiving_) operation.outcome.bytes += part->outcome.bytes;
  const auto failed = std::ranges::find_if(receiving_, [](const auto& part) { return part->outcome.error != 0; });
  if (offer_.bytes > buffer_.bytes)
    operation.fail(
        abi::ERR_TRUNCATE,
        fmt::format("the {} partitions of {} bytes in all from rank {} with tag {} do not fit: the receive "
                    "buffer holds {} bytes",
                    offer_.partitions, offer_.bytes, peer_, tag_, buffer_.bytes));
  else if (failed != receiving_.end())
    operation.fail((*failed)->outcome.error, *(*failed)->error_text);
  operation.complete();
}

// Partitions and messages correspond by their bytes or, if no bytes are sent, by their numbers.
std::pair<std::size_t, std::size_t> PartitionedReceive::messages_of(std::size_t partition) const {
  const std::size_t messages = receiving_.size();
  std::size_t mine = buffer_.bytes / buffer_.partitions, each = offer_.bytes / messages;
  if (each == 0) {
    mine = messages;
    each = buffer_.partitions;
  }
  return {std::min(partition * mine / each, messages),
          std::min(((partition + 1) * mine + each - 1) / each, messages)};
}

bool PartitionedReceive::arrived(std::size_t partition) const {
  if (active()->done()) return true;
  if (!posted_) return false;
  const auto [first, end] = messages_of(partition);
  return std::all_of(receiving_.begin() + static_cast<std::ptrdiff_t>(first),
                     receiving_.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Ref<Request>& request) { return request->done(); });
}

// ---- all of a process

Ref<PartitionedSend> Partitioned::make_send(const PartitionedBuffer& buffer, int destination, std::int32_t tag,
                                            Comm& comm) {
  auto made = Ref<PartitionedSend>::adopt(new PartitionedSend(*this, buffer, destination, tag, comm));
  if (destination != abi::PROC_NULL) work_on(*made);
  return made;
}

Ref<PartitionedReceive> Partitioned::make_receive(const PartitionedBuffer& buffer, int source, std::int32_t tag,
                                                  Comm& comm) {
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
  return std::erase_if(working_, [](const Ref<PartitionedRequest>& request) {
           if (!request->advance()) return false;
           request->is_worked_on_ = false;
           return true;
         }) != 0;
}

}  // namespace antiphon::pt2pt
