#include "transport/tcp/connection.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace antiphon::transport::tcp {

namespace {

constexpr std::array<std::byte, kFrameAlignment> kZeros{};

// Frames up to this length are short: copying them into one piece takes less than passing several to the system does.
constexpr std::size_t kShortFrame = 512;
constexpr unsigned kBurst = 3;  // with so many short packets between two looks, gathering begins

// Sockets of tests have no such options.
void set(int socket, int level, int option, int value) noexcept {
  (void)setsockopt(socket, level, option, &value, sizeof value);
}

// The system asks a silent peer whether it is there: so a host that has gone is noticed within eight seconds. While
// data is under way it does not ask; then the transport looks (line()). TCP_USER_TIMEOUT would notice that, too, but
// it also ends connections to processes that compute for that long without reading.
void set_up(int socket) noexcept {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 4);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 2);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, 2);
}

iovec piece(const void* start, std::size_t bytes) noexcept { return {const_cast<void*>(start), bytes}; }

std::size_t bytes_of(std::span<const iovec> pieces) noexcept {
  std::size_t sum = 0;
  for (const iovec& one : pieces) sum += one.iov_len;
  return sum;
}

ssize_t send_all(int socket, std::span<const iovec> pieces) noexcept {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = pieces.size();
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}
ssize_t send_in_one_piece(int socket, std::span<const iovec> pieces) noexcept {
  std::array<std::byte, kShortFrame> frame;
  std::size_t bytes = 0;
  for (const iovec& one : pieces) {
    if (one.iov_len != 0) std::memcpy(frame.data() + bytes, one.iov_base, one.iov_len);
    bytes += one.iov_len;
  }
  return send(socket, frame.data(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace

Common::Common(platform::EventSet& set, const Capabilities& capabilities, std::size_t bytes)
    : events(set),
      limits(capabilities),
      buffer_bytes(frame_bytes(capabilities.max_payload) + sizeof(FrameHead)),
      scratch(std::make_unique_for_overwrite<std::byte[]>(bytes)),
      scratch_bytes(bytes) {}

bool Common::has_buffer() noexcept {
  if (!spare_buffer) spare_buffer.reset(new (std::nothrow) std::byte[buffer_bytes]);
  return spare_buffer != nullptr;
}

void Connection::open(platform::OwnedDescriptor socket) {
  set_up(socket.get());
  socket_ = std::move(socket);
  state_ = State::open;
  if (!common_.events.add(socket_.get(), this)) end_of_stream(errno);
}

// ---- sending

bool Connection::take_buffer() noexcept {
  if (!buffer_ && common_.has_buffer()) buffer_ = std::move(common_.spare_buffer);
  return buffer_ != nullptr;
}

void Connection::give_buffer_back() noexcept {
  if (buffer_) common_.spare_buffer = std::move(buffer_);
  begin_ = end_ = 0;
}

// A packet to a process that has ended MPI vanishes, as it does in shared memory.
SendStatus Connection::try_send(const PacketHeader& header, Payload payload) noexcept {
  if (state_ != State::open) [[unlikely]]
    return state_ == State::ended ? SendStatus::sent : SendStatus::full;
  const FrameHead head{.kind = count_in_burst(payload.size()),
                       .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                       .packet = header};
  const std::array pieces{piece(&head, sizeof head), piece(payload.data(), payload.size()),
                          piece(kZeros.data(), padded(payload.size()) - payload.size())};
  common_.sent = true;
  if (!has_waiting()) [[likely]]
    return send_now(pieces) ? SendStatus::sent : SendStatus::full;
  if (frame_bytes(payload.size()) + sizeof(FrameHead) > buffer_left()) return SendStatus::full;
  keep(pieces, 0);
  return SendStatus::sent;
}

// Long packets fill segments of their own, so they do not make a burst.
FrameHead::Kind Connection::count_in_burst(std::size_t bytes) noexcept {
  if (gathers_) return FrameHead::Kind::gathered;
  if (frame_bytes(bytes) > kShortFrame) return FrameHead::Kind::packet;
  if (std::exchange(burst_since_, common_.looks) != common_.looks) in_burst_ = 0;
  if (++in_burst_ < kBurst) return FrameHead::Kind::packet;
  gathers_ = true;
  next_gathering_ = std::exchange(common_.gathering, this);
  set(socket_.get(), IPPROTO_TCP, TCP_NODELAY, 0);
  return FrameHead::Kind::gathered;
}

Connection* Connection::end_burst() noexcept {
  gathers_ = false;
  if (state_ == State::open) set(socket_.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  return std::exchange(next_gathering_, nullptr);
}

// False if the system takes nothing. What it does not take otherwise is kept, so there must be a buffer beforehand.
bool Connection::send_now(std::span<const iovec> pieces) noexcept {
  if (write_error_ != 0 || watches_for_room_ || !common_.has_buffer()) return false;
  const std::size_t bytes = bytes_of(pieces);
  const ssize_t sent =
      bytes <= kShortFrame ? send_in_one_piece(socket_.get(), pieces) : send_all(socket_.get(), pieces);
  if (sent == static_cast<ssize_t>(bytes)) [[likely]]
    return true;
  if (sent < 0 && errno != EAGAIN && errno != EINTR && errno != ENOBUFS) {
    cannot_write(errno);
    return false;
  }
  watch_for_room(true);
  if (sent <= 0) return false;
  (void)take_buffer();
  keep(pieces, static_cast<std::size_t>(sent));
  return true;
}

// Adds the pieces, but for their first `skip` bytes, to what waits. The caller knows that there is room.
void Connection::keep(std::span<const iovec> pieces, std::size_t skip) noexcept {
  for (const iovec& one : pieces) {
    const std::size_t skipped = std::min(skip, one.iov_len);
    skip -= skipped;
    if (skipped == one.iov_len) continue;
    std::memcpy(buffer_.get() + end_, static_cast<const std::byte*>(one.iov_base) + skipped, one.iov_len - skipped);
    end_ += one.iov_len - skipped;
  }
}

std::byte* Connection::reserve(std::size_t bytes) noexcept {
  if (state_ != State::open && state_ != State::ended) return nullptr;
  if ((watches_for_room_ && !has_waiting()) || write_error_ != 0 || !take_buffer()) return nullptr;
  if (frame_bytes(bytes) + sizeof(FrameHead) > buffer_left()) return nullptr;
  return buffer_.get() + end_ + sizeof(FrameHead);
}

void Connection::commit(const PacketHeader& header, std::size_t bytes) noexcept {
  const bool is_first = !has_waiting();
  if (state_ == State::ended) return give_buffer_back();
  std::byte* const frame = buffer_.get() + end_;
  const FrameHead head{
      .kind = count_in_burst(bytes), .payload_bytes = static_cast<std::uint32_t>(bytes), .packet = header};
  std::memcpy(frame, &head, sizeof head);
  std::memset(frame + sizeof head + bytes, 0, padded(bytes) - bytes);
  end_ += frame_bytes(bytes);
  common_.sent = true;
  if (is_first) (void)write_waiting();
}

// There is always room for it: other frames leave that much.
void Connection::say_goodbye() noexcept {
  if (state_ != State::open || write_error_ != 0) return;
  const FrameHead head{.kind = FrameHead::Kind::goodbye};
  const std::array pieces{piece(&head, sizeof head)};
  if (!has_waiting() && send_now(pieces)) return;
  if (write_error_ == 0 && take_buffer()) keep(pieces, 0);
}

bool Connection::write_waiting() noexcept {
  if (state_ != State::open) return false;
  std::size_t written = 0;
  while (has_waiting()) {
    const ssize_t sent = send(socket_.get(), buffer_.get() + begin_, end_ - begin_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR && errno != ENOBUFS) {
      cannot_write(errno);
      return true;
    }
    if (sent <= 0) break;
    begin_ += static_cast<std::size_t>(sent);
    written += static_cast<std::size_t>(sent);
  }
  const bool is_blocked = has_waiting();
  if (!is_blocked) give_buffer_back();
  watch_for_room(is_blocked);
  return written != 0 || !is_blocked;
}

void Connection::watch_for_room(bool wanted) noexcept {
  if (watches_for_room_ == wanted) return;
  watches_for_room_ = wanted;
  common_.blocked += wanted ? 1 : -1;
  using For = platform::EventSet::For;
  common_.events.change(socket_.get(), this, wanted ? For::reading_and_writing : For::reading);
}

// Whether the connection is broken is decided where it is read: a goodbye may have arrived.
void Connection::cannot_write(int error) noexcept {
  write_error_ = error;
  give_buffer_back();
  watch_for_room(false);
}

// ---- receiving

bool Connection::read(const Dispatcher& dispatch) {
  if (state_ != State::open) return false;
  std::array pieces{rest_of_piece(), iovec{common_.scratch.get(), common_.scratch_bytes}};
  ssize_t got;
  if (pieces[0].iov_len == 0) {
    got = recv(socket_.get(), pieces[1].iov_base, pieces[1].iov_len, MSG_DONTWAIT);
  } else {
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    got = recvmsg(socket_.get(), &message, MSG_DONTWAIT);
  }
  if (got <= 0) {
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    end_of_stream(got == 0 ? 0 : errno);
    return true;
  }
  const std::size_t bytes = static_cast<std::size_t>(got), of_piece = std::min(bytes, pieces[0].iov_len);
  take(of_piece, {common_.scratch.get(), bytes - of_piece}, dispatch);
  if (std::exchange(is_to_be_acknowledged_, false) && state_ == State::open)
    set(socket_.get(), IPPROTO_TCP, TCP_QUICKACK, 1);
  return true;
}

// Where the head or the payload goes on that has arrived in part. It gets what is read first, so everything in the
// scratch memory is aligned as it is in the stream.
iovec Connection::rest_of_piece() noexcept {
  if (body_) return {body_.get() + body_bytes_, padded(head_.payload_bytes) - body_bytes_};
  if (head_bytes_ == 0) return {nullptr, 0};
  return {reinterpret_cast<std::byte*>(&head_) + head_bytes_, sizeof head_ - head_bytes_};
}

void Connection::take(std::size_t bytes_of_piece, std::span<const std::byte> more, const Dispatcher& dispatch) {
  if (body_) {
    body_bytes_ += bytes_of_piece;
    if (body_bytes_ != padded(head_.payload_bytes)) return;
    deliver({body_.get(), head_.payload_bytes}, dispatch);
    body_.reset();
  } else if (bytes_of_piece != 0) {
    head_bytes_ += bytes_of_piece;
    if (head_bytes_ == sizeof head_ && !is_valid()) return;
  }
  for (;;) {
    if (head_bytes_ < sizeof head_) {
      const std::size_t part = std::min(more.size(), sizeof head_ - head_bytes_);
      std::memcpy(reinterpret_cast<std::byte*>(&head_) + head_bytes_, more.data(), part);
      head_bytes_ += part;
      more = more.subspan(part);
      if (head_bytes_ < sizeof head_ || !is_valid()) return;
    }
    const std::size_t needed = padded(head_.payload_bytes);
    if (more.size() < needed) {
      body_ = std::make_unique_for_overwrite<std::byte[]>(needed);
      body_bytes_ = more.size();
      std::memcpy(body_.get(), more.data(), more.size());
      return;
    }
    deliver(more.first(head_.payload_bytes), dispatch);
    more = more.subspan(needed);
    if (more.empty()) return;
  }
}

bool Connection::is_valid() {
  using Kind = FrameHead::Kind;
  const bool is_packet = (head_.kind == Kind::packet || head_.kind == Kind::gathered) &&
                         head_.payload_bytes <= common_.limits.max_payload;
  const bool is_goodbye = head_.kind == Kind::goodbye && head_.payload_bytes == 0;
  if (is_packet || is_goodbye) return true;
  reason_ = fmt::format("a frame of kind {:#010x} with {} bytes (valid: packets of at most {} bytes)",
                        static_cast<std::uint32_t>(head_.kind), head_.payload_bytes, common_.limits.max_payload);
  close(State::refused);
  return false;
}

void Connection::deliver(Payload payload, const Dispatcher& dispatch) {
  head_bytes_ = 0;
  may_end_ = head_.kind == FrameHead::Kind::goodbye;
  is_to_be_acknowledged_ |= head_.kind == FrameHead::Kind::gathered;
  if (!may_end_) dispatch(process_, head_.packet, payload);
}

// ---- the end

Connection::Line Connection::line(unsigned most_retries) const noexcept {
  tcp_info info{};
  socklen_t bytes = sizeof info;
  if (state_ != State::open || getsockopt(socket_.get(), IPPROTO_TCP, TCP_INFO, &info, &bytes) != 0)
    return Line::clear;
  if (info.tcpi_unacked == 0) return Line::clear;
  return info.tcpi_retransmits >= most_retries ? Line::lost : Line::under_way;
}

// `error` is 0 if the other process has closed the connection.
void Connection::end_of_stream(int error) {
  if (may_end_ && head_bytes_ == 0) return close(State::ended);
  if (error == 0) error = write_error_;
  reason_ = error == 0 ? "it was closed at the other end" : std::strerror(error);
  close(State::broken);
}

void Connection::close(State state) noexcept {
  if (state_ == State::open) {
    give_buffer_back();
    watch_for_room(false);
    common_.events.remove(socket_.get());
  }
  socket_ = {};
  body_.reset();
  state_ = state;
}

}  // namespace antiphon::transport::tcp
