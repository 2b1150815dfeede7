// Partitioned communication: MPI 5.0, chapter 4. An operation consists of ordinary messages, each as long as one or
// several partitions, in message spaces of their own, so every protocol works for them. The two sides agree on the
// messages once, when they are initialized: the sender describes its side, and the receiver answers how many messages
// it wants, at least one, and under which tags (docs/wire.md). Until then, partitions that are ready wait; later
// starts need no agreement. Belongs to the Process; the lane protects it.
#pragma once

#include <utility>
#include <vector>

#include "engine/pt2pt/messages.hpp"
#include "engine/pt2pt/persistent.hpp"
#include "engine/pt2pt/tags.hpp"

namespace antiphon::pt2pt {

class Partitioned;

// One side's memory: `partitions` times `count` elements.
struct PartitionedBuffer {
  std::byte* start;
  std::size_t bytes;  // of all partitions
  std::size_t partitions;
  std::int64_t count;  // elements in a partition
  const objects::Datatype* type;
  data::Scattered scattered;  // all partitions, if they are not in one piece

  struct Part {
    std::byte* start;
    std::size_t bytes;
    data::Scattered scattered;
  };
  // Whether parts of this length end at ends of elements, or the data is contiguous.
  [[nodiscard]] bool can_be_cut_every(std::size_t part_bytes) const;
  // The part with this number, if all parts have this length; shorter if the buffer ends in it.
  [[nodiscard]] Part part(std::size_t number, std::size_t part_bytes) const;
};

class PartitionedRequest : public objects::PersistentRequest {
 public:
  enum class Direction : std::uint8_t { send, receive };

  [[nodiscard]] Direction direction() const { return direction_; }
  [[nodiscard]] std::size_t partitions() const { return buffer_.partitions; }

  // Does what is possible now. True if nothing is left to do before the next start.
  virtual bool advance() = 0;

 protected:
  PartitionedRequest(Direction direction, Partitioned& all, const PartitionedBuffer& buffer, int peer,
                     std::int32_t tag, objects::Comm& comm);

  [[nodiscard]] objects::Ref<objects::Request> begin() final;
  // Called at each start: resets the state of the operation.
  virtual void rewind() = 0;
  [[nodiscard]] Messages& engine() const;
  // Throws BadPacket if what the peer has told is not possible.
  void need(bool possible, const char* what) const;
  [[nodiscard]] bool to_nobody() const { return peer_ == abi::PROC_NULL; }
  [[nodiscard]] bool is_under_way() const { return active() && !active()->done(); }

  Partitioned& all_;
  PartitionedBuffer buffer_;
  int peer_;
  std::int32_t tag_;

 private:
  friend class Partitioned;

  data::KeptType type_;
  Direction direction_;
  bool is_worked_on_ = false;
};

// What the sender tells the receiver when it is initialized, and the receiver's answer.
struct PartitionedOffer {
  std::uint64_t bytes;
  std::uint64_t partitions;
  std::int32_t answer_tag;
};
struct PartitionedAnswer {
  std::uint32_t messages;  // a divisor of the sender's partitions; one where it has none
  std::int32_t first_tag;
};

class PartitionedSend final : public PartitionedRequest {
 public:
  PartitionedSend(Partitioned& all, const PartitionedBuffer& buffer, int destination, std::int32_t tag,
                  objects::Comm& comm);

  [[nodiscard]] bool is_ready(std::size_t partition) const { return ready_[partition]; }
  // Marks a partition of an active operation as ready; each partition once.
  void ready(std::size_t partition);
  bool advance() override;

 private:
  void rewind() override;
  void send(std::size_t message);
  // Whether both sides have agreed on the messages.
  bool connect();

  TagLease answer_tag_;  // held until the answer has arrived
  PartitionedOffer offer_{};
  PartitionedAnswer answer_{};
  objects::Ref<objects::Request> offering_;
  objects::Ref<objects::Request> answered_;
  bool connected_ = false;
  std::vector<bool> ready_;           // partitions
  std::vector<std::size_t> wanting_;  // by message: partitions not ready yet
  std::size_t unsent_ = 0;            // messages
  std::vector<objects::Ref<objects::Request>> sending_;
};

class PartitionedReceive final : public PartitionedRequest {
 public:
  PartitionedReceive(Partitioned& all, const PartitionedBuffer& buffer, int source, std::int32_t tag,
                     objects::Comm& comm);

  // The operation must be active.
  [[nodiscard]] bool arrived(std::size_t partition) const;
  bool advance() override;

 private:
  void rewind() override;
  bool connect();
  [[nodiscard]] std::uint32_t messages_wanted() const;
  // The range of messages that carry bytes of a partition: the first, and one past the last.
  [[nodiscard]] std::pair<std::size_t, std::size_t> messages_of(std::size_t partition) const;
  void post();
  void finish();

  TagLease tags_;  // of the messages; held from the answer on
  PartitionedOffer offer_{};
  PartitionedAnswer answer_{};
  objects::Ref<objects::Request> offered_;
  objects::Ref<objects::Request> answering_;
  bool connected_ = false;
  bool posted_ = false;
  std::vector<objects::Ref<objects::Request>> receiving_;  // a request a message
  std::size_t pending_ = 0;                                // all after the first pending_ are complete
};

class Partitioned final : public progress::Pusher {
 public:
  // `tags`: how many tags all requests of this process share.
  Partitioned(Messages& engine, progress::Progress& progress, std::int32_t tags = Tags::kAll)
      : engine_(engine), tags_(tags) {
    progress.add(*this);
  }

  [[nodiscard]] objects::Ref<PartitionedSend> make_send(const PartitionedBuffer& buffer, int destination,
                                                        std::int32_t tag, objects::Comm& comm);
  [[nodiscard]] objects::Ref<PartitionedReceive> make_receive(const PartitionedBuffer& buffer, int source,
                                                              std::int32_t tag, objects::Comm& comm);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !working_.empty(); }

 private:
  friend class PartitionedRequest;
  friend class PartitionedSend;
  friend class PartitionedReceive;

  // Calls advance() in polls until it returns true, even if the user frees the handle.
  void work_on(PartitionedRequest& request);

  Messages& engine_;
  Tags tags_;
  std::vector<objects::Ref<PartitionedRequest>> working_;
};

}  // namespace antiphon::pt2pt
