// Long messages copied straight from the sender's memory to the receiver's, scattered or not. The receiver can do all
// of it, whatever its sender does meanwhile; a sender that is inside MPI takes parts of the same work, so that two
// cores copy. Whoever does the last part ends its own request and tells the other. One part, or a part each of a few
// messages, is done at each poll, so others are served between them. Belongs to PointToPoint.
#pragma once

#include <list>
#include <memory>

#include "engine/pt2pt/copying.hpp"
#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

class DirectCopies {
 public:
  // What this side knows of one peer.
  struct Peer {
    enum class System : std::uint8_t { unknown, copies, refuses };

    transport::PeerMemory* memory = nullptr;  // null: there is no way to it
    std::size_t least_part = 1;               // bytes
    std::size_t least_run = 1;                // bytes, of what is scattered and copied by the system
    bool tells_layouts = false;               // there is room for them in a packet
    System system = System::unknown;          // known from the first copy on
    std::uint32_t generation = 0;             // of the last work begun with it
    std::uint32_t works_in_use = 0;           // a bit for each of the counters that are mine
  };

  // A message announced by its sender.
  struct Announced {
    int world_source;
    std::uint64_t sender_cookie;
    std::uint64_t address;  // of its bytes, or of its buffer, in the sender's memory; 0: neither is of use here
    std::shared_ptr<const Elsewhere> scattered = nullptr;
  };

  // What a receiver tells a sender that may help, besides where its buffer is. `work` counts among its own.
  struct Offer {
    std::uint64_t receiver_cookie;
    std::uint64_t bytes;
    std::uint64_t part_bytes;
    std::uint32_t work;
    std::uint32_t generation;
  };

  class Host {
   public:
    virtual ~Host() = default;
    // `layout`: how the receiver's buffer is scattered; null if it is in one piece.
    virtual void offer_work(const Announced&, std::uint64_t address, const Offer&, const layout::Regular* layout) = 0;
    // A receive, or a send, has all its bytes where they belong; the other side must be told.
    virtual void copied_here(ReceiveRequest&, const Announced&) = 0;
    virtual void copied_there(SendRequest&, int world_receiver, std::uint64_t receiver_cookie) = 0;
    // This side's part could not be written: the receiver must read it.
    virtual void part_left(int world_receiver, std::uint64_t receiver_cookie, std::uint32_t part) = 0;
    [[nodiscard]] virtual std::uint64_t now_ns() = 0;  // to measure how fast copies are
    virtual void copies_begun() = 0;                   // push() has something to do
  };

  explicit DirectCopies(Host& host) : host_(host) {}

  // False if the bytes must come in packets. request.expected says how many are wanted, at least one.
  [[nodiscard]] bool begin(ReceiveRequest& request, const Announced& message, Peer& peer);
  // The sender's side of an offer. `request` stays valid until copied_there() or until its receiver has all.
  void help(SendRequest& request, int world_receiver, std::uint64_t address,
            std::shared_ptr<const Elsewhere> scattered, const Offer& offer, Peer& peer);
  // What the other side has told.
  void helper_did_the_last(ReceiveRequest& request);
  void helper_left(ReceiveRequest& request, std::uint32_t part);

  [[nodiscard]] bool has_work() const noexcept { return !receiving_.empty() || !helping_.empty(); }
  bool push();

 private:
  enum class Speed : std::uint8_t { unknown, fast, slow };

  // Whether the sender may work, too, and what it has to know for that.
  struct Help {
    bool wanted = false;
    std::optional<layout::Regular> layout;
  };
  struct Receiving : Copying {
    ReceiveRequest* request;
    Announced message;
    Peer* peer;
    Help help;
    std::uint32_t work = 0;
    std::uint32_t generation = 0;

    [[nodiscard]] transport::SharedWork& counter() const { return memory->mine(work); }
  };
  struct Helping : Copying {
    SendRequest* request;  // looked at only while a part is ours
    int world_receiver;
    std::uint64_t receiver_cookie;
    Peer* peer;
    std::uint32_t work;
    std::uint32_t generation;

    [[nodiscard]] transport::SharedWork& counter() const { return memory->theirs(work); }
  };
  using ReceivingList = std::list<Receiving>;

  [[nodiscard]] bool is_fast(const ReceiveRequest& request, const Announced& message, Peer& peer);
  [[nodiscard]] Speed measure(const ReceiveRequest& request, const Announced& message, Peer& peer);
  [[nodiscard]] static Parts cut(std::size_t bytes, const Peer& peer);
  [[nodiscard]] static bool in_long_runs(const Peer& peer, const Announced& message,
                                         const std::optional<layout::Regular>& receiver);
  [[nodiscard]] static bool is_mapped_by_peer(Peer& peer, const ReceiveRequest& request,
                                              const std::optional<layout::Regular>& layout);
  [[nodiscard]] static std::size_t longest_part(const Peer& peer) { return kMostLeastParts * peer.least_part; }
  void share(ReceivingList::iterator in_backlog);
  void copy_at_once(const Receiving& receiving);
  void receive_some();
  void help_some();
  void end(ReceivingList::iterator receiving);
  void done(const Receiving& receiving);
  [[nodiscard]] ReceivingList::iterator bring_to_front(const ReceiveRequest& request);

  static constexpr std::size_t kMostLeastParts = 8;

  Host& host_;
  Speed speed_ = Speed::unknown;  // of copies that the system makes
  ReceivingList receiving_;       // with parts to take, as far as this side knows
  ReceivingList backlog_;         // that wait for a free counter
  ReceivingList waiting_;         // all parts taken, some not done by the helper yet
  std::list<Helping> helping_;
};

}  // namespace antiphon::pt2pt
