#include "hosts/advice.hpp"

#include <fmt/format.h>

namespace antiphon::launch {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

bool is_unknown_name(std::string_view printed) {
  return has(printed, "Could not resolve hostname") || has(printed, "Name or service not known") ||
         has(printed, "Temporary failure in name resolution");
}

std::string what_to_try(const std::string& host, std::string_view printed) {
  if (is_unknown_name(printed))
    return fmt::format("is '{}' the right name? 'getent hosts {}' shows its address", host, host);
  if (has(printed, "Host key verification failed"))
    return fmt::format("the key of {} is not known here: log in once by 'ssh {}' and accept it", host, host);
  if (has(printed, "Permission denied"))
    return fmt::format("logging in to {} must need no password: 'ssh-copy-id {}' installs your key there", host,
                       host);
  if (has(printed, "Connection refused") || has(printed, "No route to host") || has(printed, "timed out"))
    return fmt::format("is {} up, and does it run sshd? 'ssh {} true' shows whether it can be reached", host, host);
  if (has(printed, "antiphon-node") && (has(printed, "not found") || has(printed, "No such file")))
    return fmt::format("{} has no Antiphon at this path: install it there, or name its folder by --prefix", host);
  if (has(printed, "No such file"))
    return "this command is missing here: install it, or name another one by --launcher-exec";
  return {};
}

}  // namespace antiphon::launch
