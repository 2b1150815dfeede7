#include "objects/comm.hpp"

#include <fmt/format.h>

namespace antiphon::objects {

CommName CommName::of_child(const char* how, const CommName& parent) {
  CommName name;
  name.ancestor_ = parent.given_ ? parent.given_ : parent.ancestor_;
  name.how_ = how;
  return name;
}

void CommName::set(std::string given) {
  given_ = given.empty() ? Ref<Text>{} : Ref<Text>::adopt(new Text(std::move(given)));
}

const std::string& CommName::for_messages() const {
  if (given_) return given_->text;
  if (description_.empty())
    description_ = ancestor_ ? fmt::format("{} of {}", how_, ancestor_->text) : "a communicator without a name";
  return description_;
}

void EndedComms::add(Comm& comm) noexcept {
  const std::lock_guard held(mutex_);
  comm.next_ended_ = std::exchange(first_, &comm);
}

void EndedComms::end_all() noexcept {
  Comm* comm = nullptr;
  {
    const std::lock_guard held(mutex_);
    comm = std::exchange(first_, nullptr);
  }
  while (comm) delete std::exchange(comm, comm->next_ended_);
}

Comm::Comm(Parts parts)
    : ErrorScope(std::move(parts.errhandler)),
      space_(parts.context.context(), MessageKind::user),
      rank_(parts.rank),
      size_(parts.group->size()),
      group_(std::move(parts.group)),
      remote_group_(std::move(parts.remote_group)),
      peer_group_(remote_group_ ? remote_group_.get() : group_.get()),
      lease_(std::move(parts.context)),
      topology_(std::move(parts.topology)),
      name_(std::move(parts.name)) {
  peers_ = peer_group_->size();
  if (peer_group_->runs().size() == 1) peer_run_ = peer_group_->runs().front();
  if (remote_group_) {
    local_ = Ref<Comm>::adopt(new Comm({.context = ContextLease(context()),
                                        .group = group_,
                                        .rank = rank_,
                                        .errhandler = errhandler_ref(),
                                        .name = CommName::of_child("local group", name_)}));
    local_->collectives_ = MessageKind::group;
  }
}

Comm::Comm(std::uint32_t context, Ref<Group> group, int rank, Ref<Errhandler> errhandler, std::string name)
    : Comm(Parts{.context = ContextLease(context),
                 .group = std::move(group),
                 .rank = rank,
                 .errhandler = std::move(errhandler),
                 .name = CommName(std::move(name))}) {}

void Comm::set_context(ContextLease lease) {
  space_ = MessageSpace(lease.context(), MessageKind::user);
  lease_ = std::move(lease);
  if (local_) local_->space_ = space_;
}

}  // namespace antiphon::objects
