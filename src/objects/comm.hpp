// A communicator: a group, this process's rank in it, and a context that keeps its messages apart from all others'.
// Passive: it never sends. Context numbers come in pairs: point-to-point, and collectives one above.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "objects/attributes.hpp"
#include "objects/error_scope.hpp"
#include "objects/group.hpp"

namespace antiphon::objects {

class Comm : public ErrorScope {
 public:
  Comm(std::uint32_t context, Ref<Group> group, int rank, Ref<Errhandler> errhandler, std::string name = {})
      : ErrorScope(std::move(errhandler)),
        context_(context),
        group_(std::move(group)),
        rank_(rank),
        size_(group_->size()),
        name_(std::move(name)) {}

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] std::uint32_t context() const { return context_; }
  [[nodiscard]] std::uint32_t collective_context() const { return context_ + 1; }
  [[nodiscard]] const Group& group() const { return *group_; }
  [[nodiscard]] const Ref<Group>& group_ref() const { return group_; }
  [[nodiscard]] int world_rank(int rank) const { return group_->world_rank(rank); }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Empty unless the user, or the standard, gave one.
  [[nodiscard]] std::string_view given_name() const { return is_named_ ? std::string_view(name_) : ""; }
  void set_name(std::string name) {
    name_ = std::move(name);
    is_named_ = true;
  }
  [[nodiscard]] std::string title() const override { return name_; }
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::comm; }
  [[nodiscard]] Attributes& attributes() { return attributes_; }
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

 private:
  std::uint32_t context_;
  Ref<Group> group_;
  int rank_;
  int size_;
  std::string name_;
  bool is_named_ = false;
  Attributes attributes_;
};

}  // namespace antiphon::objects
