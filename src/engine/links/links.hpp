// The links to all other processes, and to this one, which all engines share. So packets of one engine stay in
// order with those of others. A link is created when somebody first sends to its process. Owned by the Engines,
// and constructed before those that send. The lane's lock protects it, except find().
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/growing_table.hpp"
#include "counters/counters.hpp"
#include "engine/links/link.hpp"
#include "progress/progress.hpp"

namespace antiphon::links {

class Links final : public progress::Pusher {
 public:
  using Connect = std::function<std::unique_ptr<transport::Channel>(int process)>;
  // Whether a process runs on another node.
  using IsRemote = std::function<bool(int process)>;

  Links(int processes, Connect connect, progress::Progress& progress, Senders senders,
        const settings::Values& settings, counters::Counters& counters, IsRemote is_remote = {});

  // Whether there are processes on other nodes. What these say about themselves is checked even in short messages.
  // The processes of this node belong to one user, who could change their memory anyway.
  [[nodiscard]] bool any_remote() const noexcept { return static_cast<bool>(is_remote_); }
  [[nodiscard]] bool is_remote(int process) const { return is_remote_ && is_remote_(process); }

  // Any thread may call this. Null if nobody has sent to the process so far.
  [[nodiscard]] Link* find(int process) const noexcept { return links_[static_cast<std::size_t>(process)]; }
  [[nodiscard]] Link& to(int process) {
    Link* known = find(process);
    return known ? *known : meet(process);
  }

  // Sends as much as the channel takes at once; the rest waits in the link's queue.
  void submit(Link& to, std::unique_ptr<Outbound> out);
  // Sends a packet whose payload is empty or a few words; they are copied if the packet has to wait.
  void send_control(Link& to, const transport::PacketHeader& header, transport::Payload words = {}) {
    if (!to.try_packet(header, words)) [[unlikely]]
      submit(to, std::make_unique<Control>(header, words));
  }
  template <class Argument>
  void send_control(Link& to, const transport::PacketHeader& header, const Argument& argument) {
    static_assert(std::is_trivially_copyable_v<Argument> && sizeof argument <= kMostControl);
    send_control(to, header, transport::Payload(reinterpret_cast<const std::byte*>(&argument), sizeof argument));
  }

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return waiting_ != 0; }

 private:
  static constexpr std::size_t kMostControl = 96;

  class Control final : public Outbound {
   public:
    Control(const transport::PacketHeader& header, transport::Payload payload);
    [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override;

   private:
    transport::PacketHeader header_;
    std::array<std::byte, kMostControl> payload_;
    std::size_t bytes_;
  };

  Link& meet(int process);

  Connect connect_;
  const IsRemote is_remote_;  // empty: all processes run on this node
  Senders senders_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  base::GrowingTable<Link*> links_;
  std::vector<std::unique_ptr<Link>> met_;
  std::size_t waiting_ = 0;  // outbounds in all queues
};

}  // namespace antiphon::links
