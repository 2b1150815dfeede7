// Puts and gets: MPI 5.0, 12.3. If the target's memory is mapped, they are copies, complete at once. If the target
// takes no part in the epoch, the operating system copies, which is complete at once as well. Otherwise, or if the
// system refuses, they are packets (outbounds.hpp), which the target carries out when it polls, or, if they are long,
// messages (long_transfers.hpp). Owns the state of every window. Belongs to the Engines; guarded by the lane's lock.
//
// All packets to a process go through its link, in order with its messages: a message that is sent after a put
// arrives after the put. Long puts take more time; LongTransfers waits until they are complete.
#pragma once

#include <fmt/format.h>

#include <functional>
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
  // The memory of a process of the job; null if it cannot be reached.
  using MemoryOf = std::function<transport::PeerMemory*(int process)>;

  OneSided(pt2pt::Messages& pt2pt, links::Links& links, transport::Dispatcher& dispatcher,
           progress::Progress& progress, MemoryOf memory_of, const settings::Values& settings,
           counters::Counters& counters);
  OneSided(const OneSided&) = delete;
  OneSided& operator=(const OneSided&) = delete;

  // From admit() to dismiss(), other processes may use what this process exposes in the window.
  void admit(objects::Ref<objects::Window> window, std::span<const Exposed> exposed, std::uint64_t granularity = 0);
  void dismiss(objects::Window& window);
  // Whether this process exposes some of these bytes of its own memory in a window.
  [[nodiscard]] bool exposes(const void* start, std::size_t bytes) const;

  // The window with this context; null if there is none, or if it has ended.
  [[nodiscard]] WindowState* find_window(std::uint32_t context) const;
  // The window that a packet names by its context. The packet names its sender by its source, a rank in that window.
  // Both are checked.
  [[nodiscard]] WindowState& window_of(const packets::Incoming& packet) const;
  // The same for packets that may arrive after the window has ended; null then.
  [[nodiscard]] WindowState* find_window_of(const packets::Incoming& packet) const;
  // A member, after this process has tried to map its memory and words.
  WindowState::Target& find(WindowState& state, int rank) {
    WindowState::Target& member = state.of(rank);
    if (!member.looked_for) [[unlikely]]
      look_for(state, rank);
    return member;
  }
  struct Reach {
    RemoteSide remote;
    std::byte* here;  // where the target's side begins in this process's memory; null if it is not mapped
    bool is_exposed;  // whether all of it is exposed, as far as this process knows
  };
  // Finds the target's side of an operation. In an epoch that MPI_Win_start began, waits for the target's post. Fails
  // with ERR_RMA_SYNC if no epoch allows the operation now, with ERR_DISP or ERR_RMA_RANGE if the target does not
  // expose all of these bytes.
  [[nodiscard]] Reach reach(WindowState& state, const Wanted& wanted);
  // Begins a put or get of `bytes` packed bytes. Creates *request, if `request` is not null and the operation is not
  // complete at once.
  void begin(WindowState& state, Transfer::Kind kind, const LocalSide& local, const Wanted& remote, std::size_t bytes,
             objects::Ref<OperationRequest>* request = nullptr);

  // Waits until a target of MPI_Win_start has posted, or until known() is true for another reason.
  template <class Known>
  void await_post(const WindowState& state, int target, Known&& known) {
    std::string name;
    progress_.wait(known, [&] {
      name = fmt::format("post of rank {} in {}", target, state.window().title());
      return progress::WaitReason{.communicator = name.c_str(), .peer = state.comm().world_rank(target)};
    });
  }

  // Waits until this process has completed the window's operations locally: data of puts has left, data of gets has
  // arrived.
  void finish_here(const WindowState& state) {
    if (state.under_way() != 0) [[unlikely]]
      wait_here(state);
  }
  void finish_here(const WindowState& state, int target);
  // Also waits until the targets have carried them out. False if a target has refused one.
  [[nodiscard]] bool finish_there(WindowState& state);
  [[nodiscard]] bool finish_there(WindowState& state, int target);

 private:
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
  // Waits until done() is true. Other processes make it true.
  template <class Done>
  void wait(const WindowState& state, Done&& done);

  links::Links& links_;
  progress::Progress& progress_;
  MemoryOf memory_of_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  LongTransfers long_transfers_;
  links::Pending<Get, links::PendingKind::get> gets_;
  std::unordered_map<std::uint32_t, std::unique_ptr<WindowState>> windows_;  // by context
};

}  // namespace antiphon::rma
