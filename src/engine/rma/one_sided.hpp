// Puts and gets: MPI 5.0, 12.3. If the target's memory is mapped, they are copies, complete at once. If the target
// takes no part in the epoch, the system copies, which is complete at once as well. Otherwise, or if the system
// refuses, they are packets (outbounds.hpp), which the target carries out when it polls, or, if they are long,
// messages (long_transfers.hpp). Owns the state of every window. Belongs to the Process, one for each lane.
//
// All packets to a process go through its link, in order with its messages: a message that is sent after a put
// arrives after the put. Long puts, which take more time, are advanced here until they are complete.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>

#include "engine/links/links.hpp"
#include "engine/rma/long_transfers.hpp"
#include "engine/rma/outbounds.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::rma {

class OneSided {
 public:
  // The memory of a process of the job; null where there is no way to it.
  using MemoryOf = std::function<transport::PeerMemory*(int process)>;

  OneSided(pt2pt::Messages& pt2pt, links::Links& links, transport::Dispatcher& dispatcher,
           progress::Progress& progress, MemoryOf memory_of, const settings::Values& settings,
           counters::Counters& counters);
  OneSided(const OneSided&) = delete;
  OneSided& operator=(const OneSided&) = delete;

  // From here on others may reach what this process exposes in it; until nobody does so any more.
  void admit(objects::Ref<objects::Window> window, std::span<const Exposed> exposed, std::uint64_t granularity = 0);
  void dismiss(objects::Window& window);
  // Whether this process exposes any of these bytes, of its own memory, in a window.
  [[nodiscard]] bool exposes(const void* start, std::size_t bytes) const;

  // The window with this context; null if there is none, or no more.
  [[nodiscard]] WindowState* find_window(std::uint32_t context) const;
  // Where what a member exposes is in this process's own memory, and its words: as far as they are.
  WindowState::Target& find(WindowState& state, int rank) {
    WindowState::Target& member = state.of(rank);
    if (!member.looked_for) [[unlikely]]
      look_for(state, rank);
    return member;
  }
  struct Reach {
    RemoteSide remote;
    std::byte* here;  // where the target's side begins in this process's memory; null if it is not there
    bool is_exposed;  // all of it, as far as this process knows
  };
  // The target's side of an operation, after its post if the epoch has begun with start. Fails with ERR_RMA_SYNC if
  // no epoch allows it now, with ERR_DISP or ERR_RMA_RANGE if not all of it is in what the target exposes.
  [[nodiscard]] Reach reach(WindowState& state, const Wanted& wanted);
  // Begins a put or get of as many bytes. Makes *request, if somebody asks for one and it is not over.
  void begin(WindowState& state, Transfer::Kind kind, const LocalSide& local, const Wanted& remote, std::size_t bytes,
             objects::Ref<OperationRequest>* request = nullptr);

  // Waits until a target of start has posted, or what that would say is known.
  template <class Known>
  void await_post(const WindowState& state, int target, Known&& known) {
    std::string name;
    progress_.wait(known, [&] {
      name = fmt::format("post of rank {} in {}", target, state.window().title());
      return progress::WaitReason{.communicator = name.c_str(), .peer = state.comm().world_rank(target)};
    });
  }

  // Waits until nothing of the window's operations has to be done here any more: what was put has left, what was got
  // is there.
  void finish_here(const WindowState& state) {
    if (state.under_way() != 0) [[unlikely]]
      wait_here(state);
  }
  void finish_here(const WindowState& state, int target);
  // Waits until the targets have done what was asked of them as well. False if one of them could not.
  [[nodiscard]] bool finish_there(WindowState& state);
  [[nodiscard]] bool finish_there(WindowState& state, int target);

 private:
  struct PendingGet : Get {
    using Get::Get;
    std::list<PendingGet>::iterator self;
  };
  void on_put(int source, const transport::PacketHeader&, transport::Payload);
  void on_get(int source, const transport::PacketHeader&, transport::Payload);
  void on_got(int source, const transport::PacketHeader&, transport::Payload);
  void on_confirm(int source, const transport::PacketHeader&, transport::Payload);
  void on_confirmed(int source, const transport::PacketHeader&, transport::Payload);

  [[gnu::cold]] void look_for(WindowState& state, int rank);
  void open(WindowState& state, int target);
  [[nodiscard]] bool may_copy_alone(const WindowState::Target& target) const;
  [[nodiscard]] bool copy_alone(WindowState& state, const Transfer& transfer);
  void begin_packets(WindowState& state, const Transfer& transfer, objects::Ref<OperationRequest>* request);
  void ask_to_confirm(WindowState& state, int target);
  void wait_here(const WindowState& state);
  // Waits until done() holds, for what others have to do for this window.
  template <class Done>
  void wait(const WindowState& state, Done&& done);

  links::Links& links_;
  progress::Progress& progress_;
  MemoryOf memory_of_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  LongTransfers long_transfers_;
  std::list<PendingGet> gets_;
  std::unordered_map<std::uint32_t, std::unique_ptr<WindowState>> windows_;  // by context
};

}  // namespace antiphon::rma
