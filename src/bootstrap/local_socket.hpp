// Unix sockets between processes of one node that keep messages whole (SOCK_SEQPACKET), under names in the abstract
// name space: they have no file, and go with the process that listens. Functions without state.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::bootstrap {

struct LocalListener {
  platform::OwnedDescriptor socket;
  LocalAddress address;  // with a new token
};

// Under a name that the system chooses. -1 and errno if that is not possible, here as in all that follows.
[[nodiscard]] LocalListener listen_locally();
[[nodiscard]] platform::OwnedDescriptor connect_locally(const LocalAddress& address);
// Whether the process at the other end belongs to the same user.
[[nodiscard]] bool is_of_this_user(int socket);

// A message of that size, with descriptors.
[[nodiscard]] bool send_message(int socket, std::span<const std::byte> message,
                                std::span<const int> descriptors = {});
// The number of bytes, 0 at the end and -1 with errno. Descriptors that came along are added to `descriptors`.
[[nodiscard]] long receive_message(int socket, std::span<std::byte> message, int flags,
                                   std::vector<platform::OwnedDescriptor>& descriptors);

// Numbers that nobody can guess. Fails with ERR_OTHER where the system has none.
void fill_with_secret(std::span<std::byte> bytes);

}  // namespace antiphon::bootstrap
