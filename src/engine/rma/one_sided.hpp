// Puts and gets: MPI 5.0, 12.3. Where the target's memory is in this process's own they are copies, over when they
// begin. Elsewhere they are packets, which the target carries out when it polls (docs/wire.md); what waits for room
// in the channel waits here, in the order in which it was begun. Belongs to the Process, one for each lane.
//
// All packets to one process go the way that its messages go, in order: what a message says that is sent after the
// last packet of a put, is known after the put is done.
#pragma once

#include <list>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/pt2pt/place.hpp"
#include "engine/pt2pt/pt2pt.hpp"
#include "engine/rma/transfer.hpp"
#include "objects/window.hpp"

namespace antiphon::rma {

class OneSided final : public progress::Pusher {
 public:
  OneSided(pt2pt::PointToPoint& pt2pt, transport::Dispatcher& dispatcher, progress::Progress& progress);

  // Memory that is attached to a dynamic window: only what these know can be reached.
  void admit(objects::Window& dynamic) { dynamic_[dynamic.comm().context()].window = &dynamic; }
  void dismiss(objects::Window& dynamic) { dynamic_.erase(dynamic.comm().context()); }

  // `here`: where the target's side begins in this process's memory; null if it is not there.
  void begin(objects::Window& window, const Transfer& transfer, std::byte* here);

  // Waits until nothing of the window's operations has to be done here any more: what was put has left, what was got
  // is there.
  void finish_here(objects::Window& window);
  // Waits until the targets have done what was asked of them as well. False if one of them could not.
  [[nodiscard]] bool finish_there(objects::Window& window);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !going_.empty() || !answers_.empty(); }

 private:
  enum Packet : std::uint8_t { kPut = 16, kGet, kGot, kConfirm, kConfirmed };

  // A run of bytes at the target.
  struct Run {
    std::uint64_t address;
    std::size_t bytes;
  };
  struct Operation {
    Operation(objects::Window& of, const Transfer& begun);
    // The run that goes on at packed byte `offset`.
    [[nodiscard]] Run run_at(std::size_t offset) const;

    objects::Ref<objects::Window> window;
    Transfer transfer;
    int world_target;
    objects::Ref<objects::Datatype> local_type, remote_type;  // the user may free them meanwhile
    std::size_t gone = 0;                                     // bytes put, or asked for
    std::size_t arrived = 0;                                  // of a get
    std::list<Operation>::iterator self;
  };
  using Operations = std::list<Operation>;

  // To a process that asked for something: packets alike but for word[1], which counts the bytes before them.
  struct Answer {
    int world_origin;
    transport::PacketHeader header;
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::size_t gone = 0;
  };

  struct Dynamic {
    objects::Window* window = nullptr;
    std::set<int> refused;  // processes of the job that put where nothing is attached
  };

  struct GetArgument {
    std::uint64_t bytes;
    std::uint64_t offset;
  };

  void on_put(int source, const transport::PacketHeader&, transport::Payload);
  void on_get(int source, const transport::PacketHeader&, transport::Payload);
  void on_got(int source, const transport::PacketHeader&, transport::Payload);
  void on_confirm(int source, const transport::PacketHeader&, transport::Payload);
  void on_confirmed(int source, const transport::PacketHeader&, transport::Payload);

  void put_run(int source, std::uint32_t context, const Run& run, const std::byte* data);
  [[nodiscard]] bool may_reach(std::uint32_t context, std::uint64_t address, std::uint64_t bytes) const;
  // True when all of it has gone.
  [[nodiscard]] bool advance(Operation& operation);
  [[nodiscard]] bool advance_put(Operation& put);
  [[nodiscard]] static std::size_t pack_runs(const Operation& put, std::span<std::byte> packet, std::size_t* bytes,
                                             std::size_t* used);
  [[nodiscard]] bool advance_get(Operation& get);
  [[nodiscard]] bool advance(Answer& answer);
  void answer(Answer answer);
  void has_gone(Operations::iterator operation);

  pt2pt::PointToPoint& pt2pt_;
  progress::Progress& progress_;
  Operations going_;                                    // that have packets to send
  Operations coming_;                                   // gets of which everything has been asked for
  std::list<Answer> answers_;                           // that wait for room
  std::unordered_map<std::uint32_t, Dynamic> dynamic_;  // by context
};

}  // namespace antiphon::rma
