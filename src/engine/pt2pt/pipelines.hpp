// Long messages through pipes: the sender copies into a piece of shared memory while the receiver copies out of
// it. A process lends one of its pipes to a process that has bytes for it, and that one keeps it while there are some
// under way: their order there is the one in which the receiver has asked for them. So a sender that does not look
// holds up what comes from itself only; where no pipe is free, a message has to take another way. Belongs to the
// Rendezvous; guarded by the lane's lock.
#pragma once

#include <deque>
#include <memory>
#include <vector>

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

  // A pipe of this process.
  struct Inbound {
    transport::PipeReader pipe;
    int source = kNobody;  // who has it, or had it last
    transport::PeerMemory* peer = nullptr;
    unsigned lent = 0;  // times
    std::deque<ReceiveRequest*> messages;
  };
  struct Sending {
    SendRequest* request;
    std::size_t bytes;  // that are wanted
    bool streamed;
  };
  // The pipe that a peer lends to this process.
  struct Outbound {
    static constexpr unsigned kNone = UINT32_MAX;

    transport::PipeWriter pipe;
    unsigned number = kNone;
    transport::PeerMemory* peer = nullptr;
    unsigned borrowed = 0;  // times
    std::deque<Sending> messages;
    std::size_t sent = 0;  // of the first
  };

  void on_clear_to_pipe(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  [[nodiscard]] Inbound* lend_to(int source, transport::PeerMemory& peer);
  [[nodiscard]] Outbound& outbound_to(int process);
  bool receive_some(Inbound& from);
  bool send_some(Outbound& to);
  [[nodiscard]] std::size_t piece_of(std::size_t bytes, const transport::Pipe& pipe) const;

  const settings::Values& settings_;
  std::vector<Inbound> inbound_;                     // all there are, once a message has come
  std::vector<std::unique_ptr<Outbound>> outbound_;  // by process of the job
  std::vector<Outbound*> active_;                    // that have messages
  std::size_t receiving_ = 0, sending_ = 0;          // messages
};

}  // namespace antiphon::pt2pt
