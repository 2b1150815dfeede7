#include "broker/rank_line.hpp"

#include <sodium.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bootstrap/local_socket.hpp"

namespace antiphon::launch {

std::uint32_t RankLine::events() const { return answers_.empty() ? EPOLLIN : EPOLLIN | EPOLLOUT; }

bool RankLine::hears_hello(const std::array<std::byte, 16>& token, int* rank) {
  bootstrap::BrokerHello hello{};
  if (!bootstrap::is_of_this_user(descriptor())) return false;
  if (recv(descriptor(), &hello, sizeof hello, MSG_DONTWAIT) != ssize_t{sizeof hello}) return false;
  *rank = hello.rank;
  return sodium_memcmp(hello.token.data(), token.data(), token.size()) == 0;
}

std::optional<int> RankLine::next_request() {
  bootstrap::BrokerRequest request{};
  const ssize_t bytes = recv(descriptor(), &request, sizeof request, MSG_DONTWAIT);
  if (bytes == ssize_t{sizeof request}) return request.process;
  if (bytes >= 0 || (errno != EAGAIN && errno != EINTR)) over_ = true;
  return std::nullopt;
}

void RankLine::connected(int process, platform::OwnedDescriptor connection) {
  answers_.push_back(
      {{.kind = bootstrap::BrokerAnswer::Kind::connected, .process = process, .failure = {}}, std::move(connection)});
  send_answers();
}

void RankLine::failed(int process, const std::string& why) {
  Answer answer{{.kind = bootstrap::BrokerAnswer::Kind::failed, .process = process, .failure = {}}, {}};
  why.copy(answer.text.failure, sizeof answer.text.failure - 1);
  answers_.push_back(std::move(answer));
  send_answers();
}

void RankLine::send_answers() {
  while (!answers_.empty() && !over_ && send_one(answers_.front())) answers_.pop_front();
}

// False if it has to wait, or if the rank has gone.
bool RankLine::send_one(const Answer& answer) {
  bootstrap::BrokerAnswer text = answer.text;
  iovec part{.iov_base = &text, .iov_len = sizeof text};
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(int))]{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (const int connection = answer.connection.get(); connection >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof connection);
    std::memcpy(CMSG_DATA(rights), &connection, sizeof connection);
  }
  if (sendmsg(descriptor(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) == ssize_t{sizeof text}) return true;
  if (errno != EAGAIN && errno != EINTR) over_ = true;
  return false;
}

}  // namespace antiphon::launch
