// Long messages, contiguous or scattered, copied directly from the sender's memory to the receiver's. The receiver
// can copy the whole message alone. A sender that is inside MPI copies some of the parts, so that two cores work. The
// side that copies the last part completes its own request and tells the other. Each poll copies one part, or one
// part each of several messages, so that other work is done in between. Belongs to the Rendezvous; the lane protects
// it.
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

  // The layout that the sender of a scattered message tells its receiver; nothing if the receiver could not use it.
  [[nodiscard]] std::optional<layout::Regular> layout_for_receiver(const SendRequest& message);
  // Whether this process has mapped the memory of the message; then copying directly is always the fastest method.
  [[nodiscard]] bool finds_mapped(const Announced& message, std::size_t bytes);
  [[nodiscard]] bool begin(ReceiveRequest& request, const Announced& message) override;

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !receiving_.empty() || !helping_.empty(); }

 private:
  enum Flag : std::uint8_t { kTellsLayout = 2 };

  // What this process knows of one peer.
  struct Partner {
    enum class System : std::uint8_t { unknown, copies, refuses };

    transport::PeerMemory* memory = nullptr;  // null: it cannot be accessed
    std::size_t least_part = 1;               // bytes
    std::size_t least_run = 1;                // bytes; runs of scattered data that system calls copy
    bool tells_layouts = false;               // a packet has room for a layout
    System system = System::unknown;          // the first copy finds out
  };

  // What a receiver tells a sender that may copy parts, apart from the address of its buffer. `work` is the number of
  // one of the receiver's counters.
  struct Offer {
    std::uint64_t receiver_cookie;
    std::uint64_t bytes;
    std::uint64_t part_bytes;
    std::uint32_t work;
    std::uint32_t generation;
  };
  // The offer of a receiver whose buffer is scattered.
  struct ScatteredOffer {
    Offer offer;
    layout::Regular layout;
  };

  // Whether the sender may copy parts, and the layout that it needs for that.
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
    links::Cookie cookie = 0;   // if the sender has been asked to copy parts
    bool is_all_taken = false;  // it is in waiting_

    [[nodiscard]] transport::SharedWork& counter() const { return memory->mine(work); }
  };
  struct Helping : Copying {
    SendRequest* request;
    links::Cookie cookie;  // the request's, as long as parts may be left
    int world_receiver;
    links::Cookie receiver;
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
  void offer_work(ReceivingList::iterator receiving);
  void copy_at_once(const Receiving& receiving);
  void receive_some();
  void help_some();
  void end_here(ReceivingList::iterator receiving);
  void done(const Receiving& receiving);
  void bring_to_front(ReceivingList::iterator receiving);

  static constexpr std::size_t kMostLeastParts = 8;

  const settings::Values& settings_;
  counters::Counters& counters_;
  std::vector<std::unique_ptr<Partner>> peers_;  // by process of the job
  std::uint32_t generation_ = 0;
  std::uint64_t works_in_use_ = 0;  // a bit for each counter of this process
  ReceivingList receiving_;         // parts may be left to take
  ReceivingList backlog_;           // not begun, because all counters are in use
  ReceivingList waiting_;           // all parts taken; the sender still copies some
  links::Pending<ReceivingList::iterator, links::PendingKind::shared_copy> shared_;  // those with cookies
  std::list<Helping> helping_;
};

}  // namespace antiphon::pt2pt
