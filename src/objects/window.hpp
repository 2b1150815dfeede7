// A window (MPI 5.0, 12.2): memory of each member of a group that the others may read and write. Knows what this
// process exposes, and what users give it and ask of it. What others expose and where it stands between its
// synchronizations is its state, which the engine of one-sided communication owns. Its messages go through a
// communicator of its own, which no user sees. Passive: it never sends. Shared by its handle and its state; guarded
// by the lane's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "abi/constants.hpp"
#include "objects/attributes.hpp"
#include "objects/comm.hpp"
#include "objects/error_scope.hpp"
#include "objects/info.hpp"

namespace antiphon::rma {
class WindowState;
}

namespace antiphon::objects {

class Window final : public ErrorScope {
 public:
  enum class Flavor {
    create = abi::WIN_FLAVOR_CREATE,
    allocate = abi::WIN_FLAVOR_ALLOCATE,
    dynamic = abi::WIN_FLAVOR_DYNAMIC,
    shared = abi::WIN_FLAVOR_SHARED
  };

  // What this process exposes.
  struct Mine {
    void* base = nullptr;
    std::uint64_t bytes = 0;
    std::int64_t disp_unit = 1;
  };
  struct Parts {
    Flavor flavor;
    Ref<Comm> comm;
    Mine mine{};
    void* allocated = nullptr;  // what this process gives back when the window ends
    Ref<Errhandler> errhandler;
    CommName maker{};  // of the communicator that it was made from
  };
  explicit Window(Parts parts);

  [[nodiscard]] Flavor flavor() const { return flavor_; }
  [[nodiscard]] Comm& comm() const { return *comm_; }
  [[nodiscard]] const Mine& mine() const { return mine_; }
  // Of a shared window, whose parts have a place only when all sizes are known.
  void set_base(void* base) { mine_.base = base; }
  [[nodiscard]] void* allocated() const { return allocated_; }

  // Of a dynamic window: memory that this process exposes in it. Fails with ERR_RMA_ATTACH where pieces overlap.
  void attach(void* base, std::size_t bytes);
  // False for what is not the start of an attached piece.
  bool detach(const void* base);
  // From the address of a piece to its bytes.
  using Attached = std::map<std::uint64_t, std::uint64_t>;
  [[nodiscard]] const Attached& attached() const { return attached_; }
  // Whether all of these bytes lie in attached pieces, one after the other.
  [[nodiscard]] bool is_attached(std::uint64_t address, std::uint64_t bytes) const;
  // Whether this process exposes any of these bytes.
  [[nodiscard]] bool uses(const void* start, std::size_t bytes) const;

  // What MPI_Win_get_attr gives for a predefined key: the value, or the address of a number that stays where it is.
  // Empty if `keyval` is the key of none.
  [[nodiscard]] std::optional<void*> predefined_attribute(int keyval);

  [[nodiscard]] const std::string& given_name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  [[nodiscard]] std::string title() const override;
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::window; }

  // From its making, by the engine, until its end.
  [[nodiscard]] rma::WindowState& state() const { return *state_; }
  void set_state(rma::WindowState* state) { state_ = state; }
  [[nodiscard]] Info& hints() { return *hints_; }
  // Whether its hints say that nobody locks any of it.
  [[nodiscard]] bool has_no_locks() const { return has_no_locks_; }
  void set_has_no_locks(bool has_none) { has_no_locks_ = has_none; }
  // What its program has said, and not left to the default: that it applies no more than one operation at once to the
  // same memory, or one and MPI_NO_OP (accumulate_ops).
  enum class PromisedOps : std::uint8_t { nothing, same, same_or_none };
  [[nodiscard]] PromisedOps promised_ops() const { return promised_ops_; }
  void set_promised_ops(PromisedOps promised) { promised_ops_ = promised; }
  [[nodiscard]] Attributes& attributes() { return attributes_; }
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

 private:
  Flavor flavor_;
  Ref<Comm> comm_;
  Mine mine_;
  void* allocated_;
  rma::WindowState* state_ = nullptr;
  Attached attached_;
  CommName maker_;
  std::string name_;
  Ref<Info> hints_ = Ref<Info>::adopt(new Info);
  bool has_no_locks_ = false;
  PromisedOps promised_ops_ = PromisedOps::nothing;
  Attributes attributes_;

  // Users get the addresses of these.
  std::intptr_t size_attribute_;
  int disp_unit_attribute_;
  int flavor_attribute_;
  int model_attribute_ = abi::WIN_UNIFIED;
};

}  // namespace antiphon::objects
