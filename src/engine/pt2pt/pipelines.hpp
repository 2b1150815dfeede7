// Long messages through pipes: the sender copies into shared memory while the receiver copies out of it. A process
// lends one of its pipes to a sender as long as data of that sender is under way; messages use the pipe in the
// order in which the receiver has cleared them. So a sender that does not call MPI delays only its own messages,
// and if no pipe is free, a message uses another method. The receiver says with each message how long the pipe is,
// and changes the length only when no data is under way. Belongs to the Rendezvous; the lane's lock protects it.
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
  static constexpr unsigned kLately = 1024;  // messages that found their pipe empty

  // A pipe of this process.
  struct Inbound {
    transport::PipeReader pipe;
    transport::PipeBlock block;  // where that reads; it may have been cut since
    int source = kNobody;        // who has it, or had it last
    transport::PeerMemory* peer = nullptr;
    unsigned lent = 0;  // times, with that block
    bool used = false;  // of late
    std::deque<ReceiveRequest*> messages;
  };
  // What a sender is told beside the number of the pipe.
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
    transport::PipeBlock block;  // of no bytes: none was lent yet
    transport::PeerMemory* peer = nullptr;
    unsigned borrowed = 0;  // times, with that block
    std::deque<Sending> messages;
    std::size_t sent = 0;  // of the first
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
  std::optional<PipeBlocks> blocks_;  // once a message has come
  std::vector<Inbound> inbound_;      // as many as were needed at once
  unsigned until_unused_ = kLately;
  std::vector<std::unique_ptr<Outbound>> outbound_;  // by process of the job
  std::vector<Outbound*> active_;                    // that have messages
  std::size_t receiving_ = 0, sending_ = 0;          // messages
};

}  // namespace antiphon::pt2pt
