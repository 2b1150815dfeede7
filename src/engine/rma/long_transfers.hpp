// Long puts and gets to targets whose memory is not mapped: messages on the window's communicator, which the target
// is told to receive into its window, or to send from there. So they use the methods for long messages
// (engine/pt2pt/rendezvous.hpp), and what was learned about these. A put is complete at its origin when the target
// has all data, so it needs no other confirmation, and later messages arrive after it. Belongs to the OneSided;
// guarded by the lane's lock.
#pragma once

#include <list>
#include <optional>

#include "engine/pt2pt/messages.hpp"
#include "engine/rma/operation.hpp"
#include "engine/rma/transfer.hpp"

namespace antiphon::rma {

class OneSided;

class LongTransfers final : public progress::Pusher {
 public:
  LongTransfers(const OneSided& one_sided, pt2pt::Messages& pt2pt, links::Links& links,
                transport::Dispatcher& dispatcher, progress::Progress& progress, const settings::Values& settings);

  // Returns false, and has done nothing, if the transfer is short, if the target's side cannot be described in a few
  // words, or if data can reach the target only in packets.
  [[nodiscard]] bool begin(WindowState& state, const Transfer& transfer, objects::Ref<OperationRequest>* request);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !arriving_.empty() || !getting_.empty(); }

 private:
  // What the target must know of its side, besides the address.
  struct Order {
    std::uint64_t bytes;
  };
  struct ScatteredOrder {
    Order order;
    layout::Regular layout;
  };
  // The target's side, at the target; empty if the target does not expose all of it.
  struct Side {
    std::byte* buffer = nullptr;
    std::size_t bytes = 0;
    objects::Ref<objects::Datatype> type;  // null: contiguous

    [[nodiscard]] data::Scattered scattered() const {
      return type ? data::Scattered{type.get(), 1} : data::Scattered{};
    }
  };
  struct Putting {
    Operation operation;
    objects::Ref<pt2pt::SendRequest> leaving;
  };
  struct Getting {
    Operation operation;
    objects::Ref<pt2pt::ReceiveRequest> arriving;
    std::size_t bytes;
  };
  // A put that arrives at its target.
  struct Arriving {
    int origin;  // process of the job
    std::uint64_t cookie;
    objects::Ref<pt2pt::ReceiveRequest> request;
    std::size_t bytes;
  };

  void on_long_put(int source, const transport::PacketHeader&, transport::Payload);
  void on_long_get(int source, const transport::PacketHeader&, transport::Payload);
  void on_long_put_done(int source, const transport::PacketHeader&, transport::Payload);

  void tell_order(links::Link& to, transport::PacketHeader header, std::size_t bytes,
                  const std::optional<layout::Regular>& layout);
  [[nodiscard]] Side side_of(const WindowState& state, const packets::Incoming& packet) const;

  const OneSided& one_sided_;
  pt2pt::Messages& pt2pt_;
  links::Links& links_;
  const settings::Values& settings_;
  objects::Ref<objects::Datatype> byte_;
  links::Pending<Putting, links::PendingKind::long_put> putting_;
  std::list<Getting> getting_;
  std::list<Arriving> arriving_;
};

}  // namespace antiphon::rma
