// Long messages, scattered or not, copied directly from the sender's memory to the receiver's. The receiver can
// copy all of it alone; a sender that is inside MPI takes parts of the same work, so that two cores copy. The side
// that copies the last part completes its own request and tells the other. Each poll copies one part, or a part
// each of a few messages, so that other work is done in between. Belongs to the Rendezvous; the lane's lock
// protects it.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "counters/counters.hpp"
#include "engine/pt2pt/copying.hpp"
#include "engine/pt2pt/way.hpp"
#include "progress/progress.hpp"
#include "settings/values.hpp"

namespace antiphon::pt2pt {

class DirectCopies final : public Way, public progress::Pusher {
 public:
  DirectCopies(const Around& around, transport::Dispatcher& dispatcher, progress::Progress& progress,
               const settings::Values& settings, counters::Counters& counters);

  // What tells the receiver of a scattered message where its bytes lie; nothing, if that would be of no use.
  [[nodiscard]] std::optional<layout::Regular> layout_for_receiver(const SendRequest& message);
  // Whether it lies in memory that this process has mapped: no other way is as short.
  [[nodiscard]] bool finds_mapped(const Announced& message, std::size_t bytes);
  [[nodiscard]] bool begin(ReceiveRequest& request, const Announced& message) override;

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !receiving_.empty() || !helping_.empty(); }

 private:
  enum Flag : std::uint8_t { kTellsLayout = 2 };

  // What this side knows of one process.
  struct Partner {
    enum class System : std::uint8_t { unknown, copies, refuses };

    transport::PeerMemory* memory = nullptr;  // null: there is no way to it
    std::size_t least_part = 1;               // bytes
    std::size_t least_run = 1;                // bytes, of what is scattered and copied by the system
    bool tells_layouts = false;               // there is room for them in a packet
    System system = System::unknown;          // known from the first copy on
  };

  // What a receiver tells a sender that may help, besides where its buffer is. `work` counts among its own.
  struct Offer {
    std::uint64_t receiver_cookie;
    std::uint64_t bytes;
    std::uint64_t part_bytes;
    std::uint32_t work;
    std::uint32_t generation;
  };
  // One to a sender that has to know how the receive buffer is scattered.
  struct ScatteredOffer {
    Offer offer;
    layout::Regular layout;
  };

  // Whether the sender may work, too, and what it has to know for that.
  struct Help {
    bool wanted = false;
    std::optional<layout::Regular> layout;
  };
  struct Receiving : Copying {
    ReceiveRequest* request;
    Announced message;
    Partner* peer;
    Help help;
    std::uint32_t work = 0;
    std::uint32_t generation = 0;

    [[nodiscard]] transport::SharedWork& counter() const { return memory->mine(work); }
  };
  struct Helping : Copying {
    SendRequest* request;  // looked at only while a part is ours, and valid until the receiver has all
    int world_receiver;
    Cookie<ReceiveRequest> receiver;
    Partner* peer;
    std::uint32_t work;
    std::uint32_t generation;

    [[nodiscard]] transport::SharedWork& counter() const { return memory->theirs(work); }
  };
  using ReceivingList = std::list<Receiving>;

  void on_offer_work(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void on_copied(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void on_part_left(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  [[nodiscard]] Partner& peer(int process);
  [[nodiscard]] static bool system_copies_from(Partner& peer, const Announced& message);
  [[nodiscard]] Parts cut(std::size_t bytes, const Partner& peer) const;
  [[nodiscard]] static bool in_long_runs(const Partner& peer, const Announced& message,
                                         const std::optional<layout::Regular>& receiver);
  [[nodiscard]] static bool is_mapped_by_peer(Partner& peer, const ReceiveRequest& request,
                                              const std::optional<layout::Regular>& layout);
  [[nodiscard]] static std::size_t longest_part(const Partner& peer) { return kMostLeastParts * peer.least_part; }
  void share(ReceivingList::iterator in_backlog);
  void offer_work(const Receiving& receiving);
  void copy_at_once(const Receiving& receiving);
  void receive_some();
  void help_some();
  void end_here(ReceivingList::iterator receiving);
  void done(const Receiving& receiving);
  [[nodiscard]] ReceivingList::iterator bring_to_front(const ReceiveRequest& request);

  static constexpr std::size_t kMostLeastParts = 8;

  const settings::Values& settings_;
  counters::Counters& counters_;
  std::vector<std::unique_ptr<Partner>> peers_;  // by process of the job
  std::uint32_t generation_ = 0;                 // of the last work begun
  std::uint64_t works_in_use_ = 0;               // a bit for each counter of this process
  ReceivingList receiving_;                      // with parts to take, as far as this side knows
  ReceivingList backlog_;                        // that wait for a free counter
  ReceivingList waiting_;                        // all parts taken, some not done by the helper yet
  std::list<Helping> helping_;
};

}  // namespace antiphon::pt2pt
