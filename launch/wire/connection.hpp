// The connection between mpiexec and the daemon of a node, or between two daemons: a pair of pipes, which the command
// that started the daemon, as ssh, may carry to another machine. What goes through it are frames: a header, so many
// bytes, and a newline, so that commands which pass on whole lines pass on whole frames. A frame names the node that
// it is for or from. A frame without bytes is only a sign of life. Before its first frame, a daemon sends lines of
// text (wire/greeting.hpp). Never waits. One thread.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

struct Frame {
  int node;
  std::string_view bytes;  // valid until more is read or sent
};

class Connection {
 public:
  Connection(platform::OwnedDescriptor in, platform::OwnedDescriptor out);

  void append_polls(std::vector<pollfd>& polls) const;
  // Reads and writes what is possible. True if anything was read.
  bool handle(std::span<const pollfd> polls);

  // The next line of text, without its newline; nothing if it is not complete.
  [[nodiscard]] std::optional<std::string> next_line();
  // The next frame; nothing if it is not complete. Throws Malformed if there is something else.
  [[nodiscard]] std::optional<Frame> next_frame();
  // What came and was not taken, for messages.
  [[nodiscard]] std::string_view untaken() const { return std::string_view(received_).substr(taken_); }

  // Queue, and write what is possible.
  void send(int node, std::string_view bytes);
  void send_line(std::string_view line);
  [[nodiscard]] std::size_t unsent() const { return queued_.size() - sent_; }
  // So much waits to be sent that whoever makes more of it should pause.
  [[nodiscard]] bool is_full() const { return unsent() > kMostUnsent; }

  // The other end has closed it, or has ended. What came before can still be taken.
  [[nodiscard]] bool has_ended() const { return ended_; }
  void close();

 private:
  static constexpr std::size_t kMostUnsent = 1 << 20;  // bytes

  bool read_some();
  void write_some();

  platform::OwnedDescriptor in_, out_;
  std::string received_;
  std::size_t taken_ = 0;
  std::string queued_;
  std::size_t sent_ = 0;
  bool ended_ = false;
};

}  // namespace antiphon::launch
