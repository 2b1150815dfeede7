// Long messages through pipes: the sender copies into shared memory while the receiver copies out of it. A process
// lends one of its pipes to a sender as long as data of that sender is under way; messages use the pipe in the order
// in which the receiver has requested them. So a sender that does not call MPI delays only its own messages, and if
// no pipe is free, a message uses another method. The receiver tells the sender with each message how long the pipe
// is, and changes the length only when the pipe is empty. Belongs to the Rendezvous; the lane protects it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/pt2pt/pipe_blocks.hpp"
#include "engine/pt2pt/way.hpp"
#include "progress/progress.hpp"
#include "settings/values.hpp"

namespace antiphon::pt2pt {

class Pipelines final : public Way, public progress::Pusher {
 public:
  Pipelines(const Around& around, transport::Dispatcher& dispatcher, progress::Progress& progress,
            const settings::Values& settings);

  [[nodiscard]] bool begin(ReceiveRequest& request, const Announced& message) override;

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return receiving_ != 0 || sending_ != 0; }

 private:
  enum Flag : std::uint8_t { kPlain = 0, kStreamed = 1 };
  static constexpr int kNobody = -1;
  static constexpr unsigned kLately = 1024;  // messages through empty pipes between two searches for unused pipes

  // A pipe of this process.
  struct Inbound {
    transport::PipeReader pipe;
    transport::PipeBlock block;  // the block of `pipe`; blocks_ may have shrunk it since
    int source = kNobody;        // the sender that uses it, or used it last
    transport::PeerMemory* peer = nullptr;
    unsigned lent = 0;  // how often, with this block
    bool used = false;  // since the last search for unused pipes
    std::deque<ReceiveRequest*> messages;
  };
  // What the receiver tells the sender, apart from the pipe's number.
  struct Clearance {
    std::uint64_t bytes;  // that are wanted
    transport::PipeBlock block;
  };
  struct Sending {
    SendRequest* request;
    std::size_t bytes;  // that are wanted
    bool streamed;
  };
  // The pipe that a peer lends to this process.
  struct Outbound {
    transport::PipeWriter pipe;
    unsigned number = 0;
    transport::PipeBlock block;  // empty: none was lent yet
    transport::PeerMemory* peer = nullptr;
    unsigned borrowed = 0;  // how often, with this block
    std::deque<Sending> messages;
    std::size_t sent = 0;  // bytes of the first message
  };

  void on_clear_to_pipe(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  [[nodiscard]] Inbound* lend_to(int source, transport::PeerMemory& peer);
  [[nodiscard]] Inbound* find_pipe_for(int source, transport::PeerMemory& peer);
  [[nodiscard]] bool fit(Inbound& pipe, transport::PeerMemory& peer);
  void drop_unused();
  [[nodiscard]] unsigned number_of(const Inbound& pipe) const {
    return static_cast<unsigned>(&pipe - inbound_.data());
  }
  [[nodiscard]] Outbound& outbound_to(int process);
  bool receive_some(Inbound& from);
  bool send_some(Outbound& to);
  [[nodiscard]] std::size_t piece_of(std::size_t bytes, const transport::Pipe& pipe) const;

  const settings::Values& settings_;
  std::optional<PipeBlocks> blocks_;  // created with the first message
  std::vector<Inbound> inbound_;      // as many as were needed at once
  unsigned until_unused_ = kLately;
  std::vector<std::unique_ptr<Outbound>> outbound_;  // by process of the job
  std::vector<Outbound*> active_;                    // those with messages
  std::size_t receiving_ = 0, sending_ = 0;          // messages
};

}  // namespace antiphon::pt2pt
