#include "bootstrap/rank_card.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/hex.hpp"
#include "settings/digest.hpp"

namespace antiphon::bootstrap {
namespace {

constexpr char kBetween = ',';

// Other letters would mean something to one of the protocols.
std::string plain(std::string text) {
  std::erase_if(text, [](char letter) {
    const bool known = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '_';
    return !known;
  });
  return text;
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  gethostname(name.data(), name.size() - 1);
  return plain(name.data());
}

// Differs between machines, and changes when one is started again. Empty where a sandbox hides it.
std::string running_kernel() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return plain(id);
}

// Copies of a virtual machine that were started from one snapshot have the same kernel and the same numbers of
// namespaces; their names differ.
std::string identity_of_host() {
  struct stat network {};
  stat("/proc/self/ns/net", &network);
  return fmt::format("{}.{}.{}", running_kernel(), network.st_ino, host_name());
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char letter : text)
    if (letter == kBetween)
      parts.emplace_back();
    else
      parts.back() += letter;
  return parts;
}

std::string named(int rank, const RankCard& card) { return fmt::format("rank {} on {}", rank, card.host_name); }

}  // namespace

RankCard card_of(const LocalAddress& meeting) {
  return {.build = fmt::format("{}.{}.{:x}", plain(ANTIPHON_VERSION), kJobLayoutVersion, settings::kTableDigest),
          .host = identity_of_host(),
          .host_name = host_name(),
          .meeting = meeting};
}

std::string encode(const RankCard& card) {
  const auto name = std::as_bytes(std::span(card.meeting.name, card.meeting.name_bytes));
  return fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}", kBetween, card.build, card.host, card.host_name, to_hex(name),
                     to_hex(card.meeting.token));
}

RankCard decode_card(const std::string& text, int rank) {
  const std::vector<std::string> parts = split(text);
  RankCard card;
  bool good = parts.size() == 5 && parts[3].size() <= 2 * sizeof card.meeting.name;
  if (good) {
    card = {.build = parts[0], .host = parts[1], .host_name = parts[2], .meeting = {}};
    card.meeting.name_bytes = static_cast<std::uint32_t>(parts[3].size() / 2);
    good = from_hex(parts[3], std::as_writable_bytes(std::span(card.meeting.name, card.meeting.name_bytes))) &&
           from_hex(parts[4], card.meeting.token);
  }
  if (!good)
    base::fail(kErrOther, fmt::format("rank {} of this job has published '{}', which this Antiphon does not "
                                      "understand: do all ranks use the same version of it?",
                                      rank, text));
  return card;
}

int JobMap::ranks_of(int node) const { return static_cast<int>(std::ranges::count(places, node, &Place::node)); }

JobMap map_of(std::span<const RankCard> cards) {
  JobMap job;
  std::map<std::string, std::int32_t, std::less<>> node_of_host;
  std::vector<std::int32_t> ranks_of_node;
  for (std::size_t rank = 0; rank < cards.size(); ++rank) {
    const RankCard& card = cards[rank];
    if (card.build != cards[0].build)
      base::fail(kErrOther,
                 fmt::format("{} uses Antiphon {} and {} uses {} (version, layout of shared memory, table "
                             "of settings): all ranks of a job need the same",
                             named(0, cards[0]), cards[0].build, named(static_cast<int>(rank), card), card.build));
    const auto [known, is_new] = node_of_host.try_emplace(card.host, static_cast<std::int32_t>(job.lowest.size()));
    const std::int32_t node = known->second;
    if (is_new) {
      job.lowest.push_back(static_cast<int>(rank));
      job.node_names.push_back(card.host_name);
      ranks_of_node.push_back(0);
    }
    job.places.push_back({.node = node, .rank_on_node = ranks_of_node[static_cast<std::size_t>(node)]++});
  }
  return job;
}

}  // namespace antiphon::bootstrap
