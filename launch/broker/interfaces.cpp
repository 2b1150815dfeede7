#include "broker/interfaces.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <tuple>

namespace antiphon::launch {
namespace {

// An address as bytes: 4 or 16 of them.
using Number = std::vector<unsigned char>;

std::optional<Number> number_of(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) return Number(bytes.begin(), bytes.begin() + 4);
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return Number(bytes.begin(), bytes.end());
  return std::nullopt;
}

bool begins_alike(const Number& one, const Number& other, int bits) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size() && bits > 0; ++i, bits -= 8) {
    const int shift = std::max(0, 8 - bits);
    if (one[i] >> shift != other[i] >> shift) return false;
  }
  return true;
}

// Null for families that are not of the Internet.
const void* bytes_of(const sockaddr* address) {
  if (address == nullptr) return nullptr;
  if (address->sa_family == AF_INET) return &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  if (address->sa_family == AF_INET6) return &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  return nullptr;
}

int bits_of(const sockaddr* mask) {
  const auto* const bytes = static_cast<const unsigned char*>(bytes_of(mask));
  if (bytes == nullptr) return 0;
  int bits = 0;
  for (std::size_t i = 0; i < (mask->sa_family == AF_INET ? sizeof(in_addr) : sizeof(in6_addr)); ++i)
    bits += std::popcount(bytes[i]);
  return bits;
}

bool is_bridge(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists("/sys/class/net/" + name + "/bridge", ignored) || name.starts_with("docker") ||
         name.starts_with("virbr") || name.starts_with("cni") || name.starts_with("veth");
}

long speed_of(const std::string& name) {
  long speed = 0;
  std::ifstream("/sys/class/net/" + name + "/speed") >> speed;
  return std::max(0L, speed);
}

// An address of one link only means nothing on another host.
bool is_of_one_link(const sockaddr* address) {
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

}  // namespace

std::vector<Interface> interfaces_of_this_host() {
  std::vector<Interface> found;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return found;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    const void* const bytes = bytes_of(one->ifa_addr);
    if (bytes == nullptr || (one->ifa_flags & IFF_UP) == 0 || is_of_one_link(one->ifa_addr)) continue;
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (inet_ntop(one->ifa_addr->sa_family, bytes, text.data(), text.size()) == nullptr) continue;
    found.push_back({.name = one->ifa_name,
                     .address = text.data(),
                     .prefix_bits = bits_of(one->ifa_netmask),
                     .loopback = (one->ifa_flags & IFF_LOOPBACK) != 0,
                     .bridge = is_bridge(one->ifa_name),
                     .speed = speed_of(one->ifa_name)});
  }
  freeifaddrs(all);
  return found;
}

std::vector<std::string> addresses_to_offer(std::vector<Interface> interfaces,
                                            const std::vector<std::string>& wanted) {
  const auto rank = [](const Interface& one) { return std::tuple(one.loopback, one.bridge, -one.speed); };
  std::ranges::stable_sort(interfaces, {}, rank);
  if (!wanted.empty())
    std::erase_if(interfaces,
                  [&](const Interface& one) { return std::ranges::find(wanted, one.name) == wanted.end(); });
  std::vector<std::string> addresses;
  for (const Interface& one : interfaces) {
    const bool worse = one.loopback != interfaces.front().loopback || one.bridge != interfaces.front().bridge;
    if (!worse || !wanted.empty()) addresses.push_back(one.address);
  }
  return addresses;
}

std::vector<std::string> nearest_first(std::vector<std::string> addresses, const std::vector<Interface>& own) {
  std::ranges::stable_partition(addresses, [&own](const std::string& address) {
    const std::optional<Number> there = number_of(address);
    return there && std::ranges::any_of(own, [&](const Interface& one) {
             const std::optional<Number> here = number_of(one.address);
             return here && begins_alike(*here, *there, one.prefix_bits);
           });
  });
  return addresses;
}

}  // namespace antiphon::launch
