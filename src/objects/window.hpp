// A window (MPI 5.0, 12.2): memory of each member of a group that the others may read and write. Knows what everybody
// exposes and, once somebody has looked, where that is in this process's own memory. Its messages go through a
// communicator of its own, which no user sees. Passive: it never sends. Shared by its handle and the operations under
// way on it; guarded by the lane's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abi/constants.hpp"
#include "objects/attributes.hpp"
#include "objects/comm.hpp"
#include "objects/epochs.hpp"
#include "objects/error_scope.hpp"
#include "objects/info.hpp"

namespace antiphon::objects {

class Window final : public ErrorScope {
 public:
  enum class Flavor {
    create = abi::WIN_FLAVOR_CREATE,
    allocate = abi::WIN_FLAVOR_ALLOCATE,
    dynamic = abi::WIN_FLAVOR_DYNAMIC,
    shared = abi::WIN_FLAVOR_SHARED
  };

  // What one member exposes. The address is one of the process `home`, a rank of the window, whose memory it is:
  // mostly the member itself.
  struct Exposed {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::int64_t disp_unit = 1;
    std::int32_t home = 0;
    bool looked_for = false;    // whether `here` is known
    std::byte* here = nullptr;  // where it is in this process's memory; null: nowhere
  };

  struct Parts {
    Flavor flavor;
    Ref<Comm> comm;
    std::vector<Exposed> exposed;  // of each rank; `here` is known for this process's own
    void* allocated = nullptr;     // what this process gives back when the window ends
    Ref<Errhandler> errhandler;
    CommName maker{};  // of the communicator that it was made from
  };
  explicit Window(Parts parts);

  [[nodiscard]] Flavor flavor() const { return flavor_; }
  [[nodiscard]] Comm& comm() const { return *comm_; }
  [[nodiscard]] const std::vector<Exposed>& exposed() const { return exposed_; }
  [[nodiscard]] Exposed& of(int rank) { return exposed_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Exposed& mine() const { return exposed_[static_cast<std::size_t>(comm_->rank())]; }
  [[nodiscard]] void* allocated() const { return allocated_; }

  // Of a dynamic window: memory that this process exposes in it. Fails with ERR_RMA_ATTACH where pieces overlap.
  void attach(void* base, std::size_t bytes);
  // False for what is not the start of an attached piece.
  bool detach(const void* base);
  // Whether all of these bytes lie in one attached piece.
  [[nodiscard]] bool is_attached(std::uint64_t address, std::uint64_t bytes) const;

  // What MPI_Win_get_attr gives for a predefined key: the value, or the address of a number that stays where it is.
  // Empty if `keyval` is the key of none.
  [[nodiscard]] std::optional<void*> predefined_attribute(int keyval);

  [[nodiscard]] const std::string& given_name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  [[nodiscard]] std::string title() const override;
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::window; }

  [[nodiscard]] Epochs& epochs() { return epochs_; }
  [[nodiscard]] const Epochs& epochs() const { return epochs_; }
  [[nodiscard]] Info& hints() { return *hints_; }
  [[nodiscard]] Attributes& attributes() { return attributes_; }
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

 private:
  Flavor flavor_;
  Ref<Comm> comm_;
  std::vector<Exposed> exposed_;
  void* allocated_;
  std::map<std::uint64_t, std::uint64_t> attached_;  // from the address of a piece to its bytes
  Epochs epochs_;
  CommName maker_;
  std::string name_;
  Ref<Info> hints_ = Ref<Info>::adopt(new Info);
  Attributes attributes_;

  // Users get the addresses of these.
  std::intptr_t size_attribute_;
  int disp_unit_attribute_;
  int flavor_attribute_;
  int model_attribute_ = abi::WIN_UNIFIED;
};

}  // namespace antiphon::objects
