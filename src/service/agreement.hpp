// How the members of a new communicator get its context id. One of them, the leader, takes a number and sends it
// down a tree. A number that has never been used is final at once, so the leader does not wait. For a number that
// may still be in use somewhere, the members vote: their answers go up the tree, and then the same number goes
// down as final, or another one to vote on. Offers and votes are plans of collectives: a blocking constructor
// carries them out at once (agree), and MPI_Comm_idup lets progress replay them (Agreement).
#pragma once

#include <optional>

#include "engine/coll/replay.hpp"
#include "service/toolbox.hpp"

namespace antiphon::service {

// A process, as seen through a communicator that reaches it.
struct Link {
  Comm* comm;
  objects::MessageSpace space;
  std::int32_t tag;
  int rank;
};

// Who agrees, and where they talk.
struct Circle {
  Comm& comm;  // reaches all members on this side
  objects::MessageSpace space;
  std::int32_t tag = coll::kBlockingTag;
  const Group* members = nullptr;  // the first leads; null: all of comm
  int leader = 0;                  // of all of comm
  // Where two groups agree with each other: from leader to leader. One of the two draws.
  std::optional<Link> bridge{};
  bool draws = true;
  int my_place = 0;  // rank in `members`, or in comm
};

// What one member has to say and to hear, as one plan after the other. Who carries them out is the sink's affair.
class Negotiation {
 public:
  Negotiation(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn);
  // Plans point to what is offered and voted.
  Negotiation(const Negotiation&) = delete;
  Negotiation& operator=(const Negotiation&) = delete;

  [[nodiscard]] const coll::Meeting& meeting() const { return meeting_; }
  // What comes now.
  template <coll::Sink S>
  void plan(S& sink);
  // To be called when that has been carried out. True when this process knows the context and owes nobody anything.
  [[nodiscard]] bool conclude();
  // Fails, for all members alike, where the leader had no number left.
  [[nodiscard]] objects::ContextLease take();

 private:
  struct Offer {
    std::uint32_t context = 0;
    std::uint32_t final = 0;
  };

  [[nodiscard]] bool leads() const { return meeting_.view.rank == leader_; }
  [[nodiscard]] bool draws() const { return leads() && draws_; }
  void propose(Contexts::Drawn drawn);

  Contexts& contexts_;
  coll::Meeting meeting_;
  int leader_;
  bool draws_;  // if it leads
  Offer offer_;
  bool voting_ = false;
  std::uint32_t vote_ = 0;  // 1 says yes: mine, then that of all who have answered me
  objects::ContextLease lease_;
};

// A negotiation that never waits: advance() does what can be done now. Must stay where it is, and alive, until
// advance() has said true.
class Agreement {
 public:
  // The leader may bring a number: one that its members heard of elsewhere.
  Agreement(Toolbox tools, const Circle& circle, std::optional<Contexts::Drawn> drawn = {});

  [[nodiscard]] bool advance();
  [[nodiscard]] objects::ContextLease take() { return negotiation_.take(); }
  [[nodiscard]] progress::WaitReason reason() const { return replay_->reason(); }

 private:
  void start();

  Toolbox tools_;
  Negotiation negotiation_;
  coll::Plan plan_;
  std::optional<coll::Replay> replay_;
};

// Waits until the circle has agreed.
[[nodiscard]] objects::ContextLease agree(Toolbox tools, const Circle& circle,
                                          std::optional<Contexts::Drawn> drawn = {});

}  // namespace antiphon::service
