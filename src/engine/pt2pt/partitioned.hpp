// Partitioned communication: MPI 5.0, chapter 4. An operation consists of ordinary messages, each as long as one or
// several partitions, in contexts of their own, so it takes the same ways as any other message. How it is cut, both
// sides find out once, when they are initialized: the sender describes its side, the receiver answers how many
// messages it wants and under which tags (docs/wire.md). Until then what is ready waits; every start after that needs
// no agreement. Belongs to the Process; guarded by the lane's lock.
#pragma once

#include <vector>

#include "engine/pt2pt/messages.hpp"
#include "engine/pt2pt/persistent.hpp"

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
  // Whether parts of so many bytes end where elements do, or all is in one piece.
  [[nodiscard]] bool can_be_cut_every(std::size_t part_bytes) const;
  // The part with this number, of parts of so many bytes: as much of it as there is here.
  [[nodiscard]] Part part(std::size_t number, std::size_t part_bytes) const;
};

class PartitionedRequest : public objects::PersistentRequest {
 public:
  enum class Direction : std::uint8_t { send, receive };

  [[nodiscard]] Direction direction() const { return direction_; }
  [[nodiscard]] std::size_t partitions() const { return buffer_.partitions; }

  // Does what has become possible. True if nothing remains to be done before the next start.
  virtual bool advance() = 0;

 protected:
  PartitionedRequest(Direction direction, Partitioned& all, const PartitionedBuffer& buffer, int peer,
                     std::int32_t tag, objects::Comm& comm);

  [[nodiscard]] objects::Ref<objects::Request> begin() final;
  // At a start: everything is to be done again.
  virtual void rewind() = 0;
  [[nodiscard]] Messages& engine() const;
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

// What a sender tells when it is initialized, and what it is answered.
struct PartitionedOffer {
  std::uint64_t bytes;
  std::uint64_t partitions;
  std::int32_t answer_tag;
};
struct PartitionedAnswer {
  std::uint32_t messages;
  std::int32_t first_tag;
};

class PartitionedSend final : public PartitionedRequest {
 public:
  PartitionedSend(Partitioned& all, const PartitionedBuffer& buffer, int destination, std::int32_t tag,
                  objects::Comm& comm);

  [[nodiscard]] bool is_ready(std::size_t partition) const { return ready_[partition]; }
  // Of an active operation; each partition once.
  void ready(std::size_t partition);
  bool advance() override;

 private:
  static constexpr std::size_t kSent = SIZE_MAX;

  void rewind() override;
  // A message whose partitions are all ready.
  void send(std::size_t message);
  void want_less(std::size_t partition);
  // Whether it is known how to cut.
  bool connect();

  PartitionedOffer offer_;
  PartitionedAnswer answer_{};
  objects::Ref<objects::Request> offering_;
  objects::Ref<objects::Request> answered_;
  bool connected_ = false;
  std::vector<bool> ready_;           // partitions
  std::vector<std::size_t> wanting_;  // of each message: partitions not ready yet; or kSent
  std::size_t unsent_ = 0;            // messages
  std::size_t held_back_ = 0;         // of those, the ones that want nothing but memory
  std::vector<objects::Ref<objects::Request>> sending_;
};

class PartitionedReceive final : public PartitionedRequest {
 public:
  PartitionedReceive(Partitioned& all, const PartitionedBuffer& buffer, int source, std::int32_t tag,
                     objects::Comm& comm);

  // Of an active operation.
  [[nodiscard]] bool arrived(std::size_t partition) const;
  bool advance() override;

 private:
  void rewind() override;
  bool connect();
  [[nodiscard]] std::uint32_t messages_wanted() const;
  void post();
  void finish();

  PartitionedOffer offer_{};
  PartitionedAnswer answer_{};
  objects::Ref<objects::Request> offered_;
  objects::Ref<objects::Request> answering_;
  bool connected_ = false;
  bool posted_ = false;
  std::vector<objects::Ref<objects::Request>> receiving_;  // a request a message
  std::size_t pending_ = 0;                                // of the first so many
};

class Partitioned final : public progress::Pusher {
 public:
  Partitioned(Messages& engine, progress::Progress& progress) : engine_(engine) { progress.add(*this); }

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

  // Until advance() says that it is over, whatever the user does with the handle.
  void work_on(PartitionedRequest& request);
  // Tags for `count` messages, or one answer, that nobody else has now.
  [[nodiscard]] std::int32_t take_tags(std::uint32_t count);

  Messages& engine_;
  std::vector<objects::Ref<PartitionedRequest>> working_;
  std::int32_t next_tag_ = 0;
};

}  // namespace antiphon::pt2pt
