#include "engine/links/links.hpp"

#include <algorithm>

namespace antiphon::links {

using Went = Outbound::Went;

Links::Links(int processes, Connect connect, progress::Progress& progress, Senders senders,
             const settings::Values& settings, counters::Counters& counters, IsRemote is_remote)
    : connect_(std::move(connect)),
      is_remote_(std::move(is_remote)),
      senders_(senders),
      settings_(settings),
      counters_(counters),
      links_(static_cast<std::size_t>(processes)) {
  if (processes > 0) links_.set(static_cast<std::size_t>(processes) - 1, nullptr);
  progress.add(*this);
}

Link& Links::meet(int process) {
  Link& link = *met_.emplace_back(std::make_unique<Link>(process, connect_(process), senders_, settings_));
  links_.set(static_cast<std::size_t>(process), &link);
  return link;
}

void Links::submit(Link& to, std::unique_ptr<Outbound> out) {
  if (to.is_clear() && out->advance(to.channel(), to.max_payload()) == Went::all) return out->has_gone();
  to.enqueue(std::move(out));
  counters_.queued.add();
  ++waiting_;
  has_begun();
}

bool Links::push() {
  bool moved = false;
  for (std::size_t i = 0; i < met_.size(); ++i) {  // has_gone() may add links
    Link& link = *met_[i];
    while (!link.is_clear()) {
      const Went went = link.first().advance(link.channel(), link.max_payload());
      moved |= went != Went::nothing;
      if (went != Went::all) break;
      const std::unique_ptr<Outbound> gone = link.take_first();
      --waiting_;
      gone->has_gone();
    }
  }
  return moved;
}

Links::Control::Control(const transport::PacketHeader& header, transport::Payload payload)
    : header_(header), bytes_(payload.size()) {
  std::ranges::copy(payload, payload_.begin());
}

Went Links::Control::advance(transport::Channel& channel, std::size_t) {
  return channel.try_send(header_, {payload_.data(), bytes_}) == transport::SendStatus::sent ? Went::all
                                                                                             : Went::nothing;
}

}  // namespace antiphon::links
