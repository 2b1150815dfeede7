#include "wire/connection.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "wire/archive.hpp"

namespace antiphon::launch {
namespace {

constexpr std::size_t kMostRead = 256 << 10;
constexpr std::uint32_t kMagic = 0x46504e41;  // "ANPF"
constexpr std::uint32_t kMostBytes = 256 << 20;

struct Header {
  std::uint32_t magic;
  std::int32_t node;
  std::uint32_t bytes;
};

void stop_waiting(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

bool has_event(std::span<const pollfd> polls, int descriptor) {
  for (const pollfd& ready : polls)
    if (ready.fd == descriptor && ready.revents != 0) return true;
  return false;
}

// Removes what is done from the front of `bytes`, but not so often that much is moved.
void forget(std::string& bytes, std::size_t& done) {
  if (2 * done < bytes.size()) return;
  bytes.erase(0, std::exchange(done, 0));
}

}  // namespace

Connection::Connection(platform::OwnedDescriptor in, platform::OwnedDescriptor out)
    : in_(std::move(in)), out_(std::move(out)) {
  stop_waiting(in_.get());
  stop_waiting(out_.get());
}

void Connection::append_polls(std::vector<pollfd>& polls) const {
  if (!ended_) polls.push_back({.fd = in_.get(), .events = POLLIN, .revents = 0});
  if (!ended_ && unsent() != 0) polls.push_back({.fd = out_.get(), .events = POLLOUT, .revents = 0});
}

bool Connection::handle(std::span<const pollfd> polls) {
  if (ended_) return false;
  if (unsent() != 0) write_some();
  return has_event(polls, in_.get()) && read_some();
}

bool Connection::read_some() {
  static thread_local std::array<char, kMostRead> buffer;
  forget(received_, taken_);
  const ssize_t length = read(in_.get(), buffer.data(), buffer.size());
  if (length > 0) received_.append(buffer.data(), static_cast<std::size_t>(length));
  if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) ended_ = true;
  return length > 0;
}

std::optional<std::string> Connection::next_line() {
  const std::size_t end = received_.find('\n', taken_);
  if (end == std::string::npos) return std::nullopt;
  std::string line = received_.substr(taken_, end - taken_);
  taken_ = end + 1;
  return line;
}

std::optional<Frame> Connection::next_frame() {
  const std::string_view rest = untaken();
  Header header;
  if (rest.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, rest.data(), sizeof header);
  if (header.magic != kMagic || header.bytes > kMostBytes) throw Malformed("something that is no message");
  const std::size_t whole = sizeof header + header.bytes + 1;
  if (rest.size() < whole) return std::nullopt;
  if (rest[whole - 1] != '\n') throw Malformed("a message without its end");
  taken_ += whole;
  return Frame{.node = header.node, .bytes = rest.substr(sizeof header, header.bytes)};
}

void Connection::send(int node, std::string_view bytes) {
  const Header header{.magic = kMagic, .node = node, .bytes = static_cast<std::uint32_t>(bytes.size())};
  queued_.append(reinterpret_cast<const char*>(&header), sizeof header).append(bytes).append("\n");
  write_some();
}

void Connection::send_line(std::string_view line) {
  queued_.append(line).append("\n");
  write_some();
}

void Connection::write_some() {
  while (!ended_ && unsent() != 0) {
    const ssize_t length = write(out_.get(), queued_.data() + sent_, unsent());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) break;
    // Nobody will read this. What the other end has sent still comes, and then its end.
    sent_ += length < 0 ? unsent() : static_cast<std::size_t>(length);
  }
  forget(queued_, sent_);
}

void Connection::close() {
  ended_ = true;
  in_ = {};
  out_ = {};
}

}  // namespace antiphon::launch
