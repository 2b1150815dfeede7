// The connection to one process of another node. It exists from the time when somebody first asks for it, and is open
// once its socket has come. It belongs to the TcpTransport; the lane protects it.
//
// A packet is written at once if nothing waits before it. What the system does not take of it waits in a buffer,
// which the connection has for as long as something waits there; while a whole packet does not fit, the connection is
// full. A frame of which only a part has arrived is completed in memory of its own. So a connection over which
// nothing moves holds no memory.
//
// A burst of short packets is gathered. From the third packet between two polls on, the system may keep short
// segments until the other side has acknowledged what went before (Nagle's algorithm), which costs a quarter of
// sending each; the next poll sends the rest. If there is none, because the program computes, what is kept leaves
// without it, one round trip later: the other process acknowledges gathered packets as soon as it reads them. While
// that one computes, too, nobody waits for them, and they leave within the 40 ms for which systems delay
// acknowledgements.
//
// A process that stops using MPI says goodbye on all of its connections. If a connection ends without that, it is
// broken, and so is the job: the transport reports it (reason()).
#pragma once

#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "platform/linux/event_set.hpp"
#include "platform/linux/owned_descriptor.hpp"
#include "transport/channel.hpp"
#include "transport/tcp/frame.hpp"

namespace antiphon::transport::tcp {

class Connection;

// What the connections of a transport have in common.
struct Common {
  explicit Common(platform::EventSet& set, const Capabilities& capabilities, std::size_t scratch_bytes);

  // Whether a connection can get a buffer for what waits.
  [[nodiscard]] bool has_buffer() noexcept;

  platform::EventSet& events;
  const Capabilities limits;
  const std::size_t buffer_bytes;             // of what may wait on one connection: the longest frame, and a goodbye
  std::unique_ptr<std::byte[]> spare_buffer;  // for the next connection that has to wait; null: none was needed yet
  std::unique_ptr<std::byte[]> scratch;       // into which everything is read
  const std::size_t scratch_bytes;
  int blocked = 0;                  // connections that wait until they may write
  bool sent = false;                // something was sent since the transport last looked
  std::uint32_t looks = 0;          // how often the transport has looked
  Connection* gathering = nullptr;  // the first of the connections that gather short packets
};

class Connection {
 public:
  // asked: its socket has not come. ended: the other process has said goodbye, and closed it. broken: it has ended
  // otherwise. refused: what came is no frame.
  enum class State { asked, open, ended, broken, refused };

  Connection(int process, Common& common) : common_(common), process_(process) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(State::ended); }

  [[nodiscard]] int process() const noexcept { return process_; }
  [[nodiscard]] State state() const noexcept { return state_; }
  // Of a connection that is broken or refused, without a full stop: "Connection reset by peer".
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  void open(platform::OwnedDescriptor socket);

  [[nodiscard]] SendStatus try_send(const PacketHeader& header, Payload payload) noexcept;
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept;
  void commit(const PacketHeader& header, std::size_t bytes) noexcept;
  void say_goodbye() noexcept;
  // Writes what waits. True if something was written, or can be now.
  bool write_waiting() noexcept;
  // To be called at each look for a connection that gathers: what was gathered leaves now. Returns the next such
  // connection.
  Connection* end_burst() noexcept;
  [[nodiscard]] bool has_waiting() const noexcept { return begin_ != end_; }

  // Whether data is under way that the other side has not acknowledged.
  enum class Line { clear, under_way, lost };
  // lost: the system has sent something `most_retries` times again, in vain.
  [[nodiscard]] Line line(unsigned most_retries) const noexcept;
  // As if the system had reported that.
  void give_up() { end_of_stream(ETIMEDOUT); }

  // Reads once, and passes the packets that have come to the dispatcher; true if there was anything.
  bool read(const Dispatcher& dispatch);

 private:
  [[nodiscard]] std::size_t buffer_left() const noexcept { return common_.buffer_bytes - end_; }
  [[nodiscard]] bool take_buffer() noexcept;
  void give_buffer_back() noexcept;
  bool send_now(std::span<const iovec> pieces) noexcept;
  [[nodiscard]] FrameHead::Kind count_in_burst(std::size_t bytes) noexcept;
  void keep(std::span<const iovec> pieces, std::size_t skip) noexcept;
  void watch_for_room(bool wanted) noexcept;
  void cannot_write(int error) noexcept;
  void close(State state) noexcept;
  void end_of_stream(int error);

  [[nodiscard]] iovec rest_of_piece() noexcept;
  void take(std::size_t bytes_of_piece, std::span<const std::byte> more, const Dispatcher& dispatch);
  [[nodiscard]] bool is_valid();
  void deliver(Payload payload, const Dispatcher& dispatch);

  Common& common_;
  const int process_;
  State state_ = State::asked;
  bool may_end_ = false;  // the other process has said goodbye, and nothing since
  bool watches_for_room_ = false;
  bool gathers_ = false;
  bool is_to_be_acknowledged_ = false;  // gathered packets were read
  std::uint32_t burst_since_ = 0;       // Common::looks when the burst began
  unsigned in_burst_ = 0;               // its short packets
  Connection* next_gathering_ = nullptr;
  int write_error_ = 0;  // why nothing can be written any more; 0: it can
  platform::OwnedDescriptor socket_;
  std::string reason_;

  std::unique_ptr<std::byte[]> buffer_;  // what waits is from begin_ to end_
  std::size_t begin_ = 0, end_ = 0;

  FrameHead head_;                     // of the frame that arrives
  std::size_t head_bytes_ = 0;         // of it that have arrived
  std::unique_ptr<std::byte[]> body_;  // its payload, if that comes in parts
  std::size_t body_bytes_ = 0;         // of it that have arrived
};

}  // namespace antiphon::transport::tcp
