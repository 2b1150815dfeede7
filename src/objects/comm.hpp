// A communicator: a group, this process's rank in it, and a context that keeps its messages apart from all others'.
// An intercommunicator has a second, remote group, and ranks given to sends and receives are of that one. Passive: it
// never sends. Shared by its handle and the operations under way on it; guarded by the lane's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "objects/attributes.hpp"
#include "objects/context.hpp"
#include "objects/error_scope.hpp"
#include "objects/group.hpp"
#include "objects/info.hpp"
#include "objects/nodes.hpp"
#include "objects/topology.hpp"
#include "settings/values.hpp"

namespace antiphon::objects {

// What a communicator is called in messages to the user: its own name, or how it came to be.
class CommName {
 public:
  CommName() = default;
  explicit CommName(std::string given) { set(std::move(given)); }
  // "dup of MPI_COMM_WORLD", after the nearest ancestor that has a name. `how` is a literal.
  static CommName of_child(const char* how, const CommName& parent);

  void set(std::string given);
  // Empty unless the user, or the standard, gave one.
  [[nodiscard]] std::string_view given() const { return given_ ? std::string_view(given_->text) : ""; }
  [[nodiscard]] const std::string& for_messages() const;

 private:
  struct Text : Refcounted {
    explicit Text(std::string given) : text(std::move(given)) {}
    std::string text;
  };
  Ref<Text> given_;
  Ref<Text> ancestor_;
  const char* how_ = "";
  mutable std::string description_;  // made when first asked for
};

// What an engine keeps with a communicator, to its end.
class Attachment {
 public:
  Attachment() = default;
  virtual ~Attachment() = default;
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
};

class Comm;

// Communicators that nobody holds any more, until a thread that holds the lane ends them: whoever let go of one last
// may not have held it.
class EndedComms {
 public:
  ~EndedComms() { end_all(); }
  void add(Comm& comm) noexcept;
  void end_all() noexcept;

 private:
  std::mutex mutex_;
  Comm* first_ = nullptr;
};

class Comm : public ErrorScope {
 public:
  struct Parts {
    ContextLease context;
    Ref<Group> group;
    int rank;
    Ref<Group> remote_group{};  // of an intercommunicator
    Ref<Topology> topology{};
    Ref<Errhandler> errhandler{};
    CommName name{};
  };
  explicit Comm(Parts parts);
  Comm(std::uint32_t context, Ref<Group> group, int rank, Ref<Errhandler> errhandler, std::string name = {});

  // For one that is about to have a handle, in a process whose threads use it without the lane: it ends through
  // `ended`.
  void share_among_threads(EndedComms& ended) {
    ended_ = &ended;
    ErrorScope::share_among_threads();
  }
  void retire() noexcept override {
    if (ended_) return ended_->add(*this);
    delete this;
  }

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const Group& group() const { return *group_; }
  [[nodiscard]] const Ref<Group>& group_ref() const { return group_; }

  // Peers are those to whom it sends: the remote group of an intercommunicator, else its own.
  [[nodiscard]] bool is_inter() const { return static_cast<bool>(remote_group_); }
  [[nodiscard]] int peers() const { return peers_; }
  [[nodiscard]] const Group& peer_group() const { return *peer_group_; }
  [[nodiscard]] const Ref<Group>& remote_group_ref() const { return remote_group_; }
  [[nodiscard]] int world_rank(int peer) const {
    if (peer_run_.count != 0) [[likely]]
      return peer_run_.at(peer);
    return peer_group_->world_rank(peer);
  }

  [[nodiscard]] std::uint32_t context() const { return space_.context(); }
  // Where its messages of a kind meet.
  [[nodiscard]] MessageSpace user_space() const { return space_; }
  [[nodiscard]] MessageSpace space(MessageKind kind) const { return space_.of_kind(kind); }
  [[nodiscard]] MessageSpace collective_space() const { return space_.of_kind(collectives_); }
  // All members start their nonblocking collectives in one order, so each has a tag of its own.
  [[nodiscard]] std::int32_t next_nonblocking_tag() {
    nonblocking_tag_ = nonblocking_tag_ == INT32_MAX ? 1 : nonblocking_tag_ + 1;
    return nonblocking_tag_;
  }
  // All members begin their blocking collectives in one order, too: which of them the next one is.
  [[nodiscard]] std::uint32_t next_blocking_collective() { return ++blocking_collectives_; }
  [[nodiscard]] std::uint32_t blocking_collectives() const { return blocking_collectives_; }

  // The way that short collectives take besides messages (coll::Board), once there have been some that block: on all
  // ranks as many.
  [[nodiscard]] Attachment* board() const { return board_.get(); }
  void set_board(std::unique_ptr<Attachment> board) { board_ = std::move(board); }
  [[nodiscard]] std::uint32_t count_collective() { return ++collectives_begun_; }
  // The members of an intercommunicator's own group among themselves: for collectives only.
  [[nodiscard]] Comm& local() { return local_ ? *local_ : *this; }

  // For a duplicate whose context was not known when it was made.
  void set_context(ContextLease lease);

  // Of the hints that programs gave, those that we know (MPI 5.0, 7.4.4); null: none.
  [[nodiscard]] const Ref<Info>& hints() const { return hints_; }
  void set_hints(Ref<Info> hints) { hints_ = std::move(hints); }
  // Those of the process with what hints changed for this communicator alone; null: nothing.
  [[nodiscard]] const settings::Values* settings() const { return settings_.get(); }
  void set_settings(const settings::Values& values) { settings_ = std::make_unique<const settings::Values>(values); }

  // Where its own group runs, once somebody has found out; null: not yet.
  [[nodiscard]] const Nodes* nodes() const { return nodes_.get(); }
  void set_nodes(Nodes nodes) { nodes_ = std::make_unique<const Nodes>(std::move(nodes)); }

  [[nodiscard]] const Topology* topology() const { return topology_.get(); }
  [[nodiscard]] const Ref<Topology>& topology_ref() const { return topology_; }

  [[nodiscard]] const CommName& naming() const { return name_; }
  [[nodiscard]] const std::string& name() const { return name_.for_messages(); }
  [[nodiscard]] std::string_view given_name() const { return name_.given(); }
  void set_name(std::string name) { name_.set(std::move(name)); }

  [[nodiscard]] std::string title() const override { return name(); }
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::comm; }
  [[nodiscard]] Attributes& attributes() { return attributes_; }
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

 private:
  MessageSpace space_;  // of the user's messages
  MessageKind collectives_ = MessageKind::collective;
  int rank_;
  int size_;
  int peers_;
  std::int32_t nonblocking_tag_ = 0;
  std::uint32_t blocking_collectives_ = 0;
  Ref<Group> group_;
  Ref<Group> remote_group_;
  const Group* peer_group_;
  Group::Run peer_run_{};  // all of that group, if it is a single run: every message asks
  Ref<Comm> local_;
  ContextLease lease_;
  Ref<Topology> topology_;
  Ref<Info> hints_;
  std::unique_ptr<const settings::Values> settings_;
  std::unique_ptr<const Nodes> nodes_;
  CommName name_;
  Attributes attributes_;
  std::uint32_t collectives_begun_ = 0;  // that could have gone over a board
  std::unique_ptr<Attachment> board_;
  friend class EndedComms;
  EndedComms* ended_ = nullptr;
  Comm* next_ended_ = nullptr;
};

}  // namespace antiphon::objects
