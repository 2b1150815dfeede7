#include "bootstrap/segment_meeting.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"

namespace antiphon::bootstrap {
namespace {

template <class Message>
std::span<const std::byte> bytes_of(const Message& message) {
  return std::as_bytes(std::span(&message, 1));
}

// False where the caller does not prove that it is a rank of this job. A rank says at once what it has to say.
bool hears_arrival(int guest, const LocalAddress& address, RankArrival& arrival) {
  constexpr timeval kPatience{.tv_sec = 10, .tv_usec = 0};
  setsockopt(guest, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  std::vector<platform::OwnedDescriptor> none;
  return is_of_this_user(guest) &&
         receive_message(guest, std::as_writable_bytes(std::span(&arrival, 1)), 0, none) == long{sizeof arrival} &&
         arrival.token == address.token;
}

[[noreturn]] void fail_to_attend(int lowest, const char* why) {
  base::fail(kErrOther, fmt::format("cannot get the memory that the ranks of this node share from rank {}, which "
                                    "creates it: {}",
                                    lowest, why));
}

}  // namespace

CpuMask cpus_of_this_process() {
  CpuMask mask{};
  if (sched_getaffinity(0, sizeof mask, reinterpret_cast<cpu_set_t*>(mask.data())) != 0) mask[0] = 1;
  return mask;
}

SegmentMeeting::SegmentMeeting() : listener_(listen_locally()) {
  if (listener_.socket.get() < 0)
    base::fail(kErrOther, fmt::format("cannot listen for the other ranks of this node on a Unix socket: {}",
                                      std::strerror(errno)));
}

std::vector<RankArrival> SegmentMeeting::await(int others) {
  std::vector<RankArrival> arrivals;
  while (static_cast<int>(arrivals.size()) < others) {
    platform::OwnedDescriptor guest(accept4(listener_.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (guest.get() < 0 && errno != EINTR && errno != ECONNABORTED)
      base::fail(kErrOther, fmt::format("cannot hear the other ranks of this node: {}", std::strerror(errno)));
    RankArrival arrival;
    if (guest.get() < 0 || !hears_arrival(guest.get(), address(), arrival)) continue;
    arrivals.push_back(arrival);
    guests_.push_back(std::move(guest));
  }
  return arrivals;
}

void SegmentMeeting::hand_out(std::span<const int> descriptors) {
  constexpr std::byte kHere{1};
  for (const platform::OwnedDescriptor& guest : guests_)
    (void)send_message(guest.get(), std::span(&kHere, 1), descriptors);
  guests_.clear();
}

std::vector<platform::OwnedDescriptor> attend(const LocalAddress& address, RankArrival me, int lowest) {
  const platform::OwnedDescriptor socket = connect_locally(address);
  if (socket.get() < 0) fail_to_attend(lowest, std::strerror(errno));
  if (!is_of_this_user(socket.get())) fail_to_attend(lowest, "a process of another user has taken its place");
  me.token = address.token;
  if (!send_message(socket.get(), bytes_of(me))) fail_to_attend(lowest, std::strerror(errno));
  std::byte here{};
  std::vector<platform::OwnedDescriptor> descriptors;
  long bytes;
  while ((bytes = receive_message(socket.get(), std::span(&here, 1), 0, descriptors)) < 0 && errno == EINTR) {
  }
  if (bytes <= 0 || descriptors.empty())
    fail_to_attend(lowest, bytes == 0 ? "it has ended, or failed (its own message says why)" : std::strerror(errno));
  return descriptors;
}

}  // namespace antiphon::bootstrap
