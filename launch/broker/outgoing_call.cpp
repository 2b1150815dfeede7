#include "broker/outgoing_call.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace antiphon::launch {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 8s;            // of the whole call
constexpr auto kPatienceOfTry = 2s;       // of one attempt at one address
constexpr auto kPauseAfterRound = 200ms;  // when no address has answered

struct Address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;
};

Address parse(const std::string& text, std::uint16_t port) {
  Address address;
  auto* const four = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* const six = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    address.bytes = sizeof *four;
  } else if (inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    address.bytes = sizeof *six;
  }
  return address;
}

}  // namespace

OutgoingCall::OutgoingCall(const Secret& secret, const Hello& hello, std::vector<std::string> addresses,
                           std::uint16_t port)
    : secret_(secret),
      hello_(hello),
      addresses_(std::move(addresses)),
      port_(port),
      give_up_(Clock::now() + kPatience) {
  begin_attempt();
}

std::uint32_t OutgoingCall::events() const {
  if (state_ != State::calling) return 0;
  return writes() ? EPOLLOUT : EPOLLIN;
}

void OutgoingCall::begin_attempt() {
  const Address address = parse(addresses_[which_], port_);
  hello_.nonce = new_nonce();
  hello_bytes_ = encode(hello_);
  step_ = Step::connect;
  deadline_ = std::min(give_up_, Clock::now() + kPatienceOfTry);
  socket_ =
      platform::OwnedDescriptor(socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket_.get() < 0) return end_attempt(std::strerror(errno));
  const auto* const to = reinterpret_cast<const sockaddr*>(&address.storage);
  if (connect(socket_.get(), to, address.bytes) != 0 && errno != EINPROGRESS) end_attempt(std::strerror(errno));
}

// Goes on with the next address; after the last one with the first again, a little later, unless all that answered
// were of another mind than time will change.
void OutgoingCall::end_attempt(const std::string& why, Again again) {
  socket_ = {};
  failure_ = fmt::format("{} port {}: {}", address(), port_, why);
  worth_another_round_ |= again == Again::may_help;
  which_ = (which_ + 1) % addresses_.size();
  const bool end_of_round = which_ == 0;
  const Clock::time_point now = Clock::now();
  if (now >= give_up_ || (end_of_round && !worth_another_round_)) {
    state_ = State::failed;
    return;
  }
  if (end_of_round) worth_another_round_ = false;
  deadline_ = end_of_round ? now + kPauseAfterRound : now;
}

void OutgoingCall::expire() {
  if (state_ != State::calling) return;
  if (socket_.get() < 0 && Clock::now() < give_up_) return begin_attempt();
  end_attempt("no answer");
}

void OutgoingCall::advance() {
  while (state_ == State::calling && socket_.get() >= 0) {
    if (step_ == Step::connect) {
      int error = 0;
      socklen_t bytes = sizeof error;
      getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &bytes);
      if (error != 0) return end_attempt(std::strerror(error));
      finish(step_);
      continue;
    }
    const Moved moved = writes() ? transfer_.write_to(socket_.get()) : transfer_.read_from(socket_.get());
    if (moved == Moved::not_yet) return;
    if (moved == Moved::broken) return end_attempt(std::strerror(errno));
    finish(step_);
  }
}

// A step is done.
void OutgoingCall::finish(Step step) {
  switch (step) {
    case Step::connect:
      step_ = Step::hello;
      return transfer_.begin(hello_bytes_);
    case Step::hello:
      step_ = Step::challenge;
      return transfer_.begin(challenge_);
    case Step::challenge: {
      Nonce nonce;
      Proof proof;
      std::ranges::copy_n(challenge_.begin(), nonce.size(), nonce.begin());
      std::ranges::copy_n(challenge_.begin() + nonce.size(), proof.size(), proof.begin());
      if (!is_proof(proof, secret_, Role::callee, hello_bytes_, nonce))
        return end_attempt("what listens there does not know the secret of this job", Again::is_useless);
      proof_ = prove(secret_, Role::caller, hello_bytes_, nonce);
      step_ = Step::proof;
      return transfer_.begin(proof_);
    }
    case Step::proof:
      step_ = Step::verdict;
      return transfer_.begin(verdict_);
    case Step::verdict: {
      const std::optional<Verdict> verdict = decode_verdict(verdict_);
      if (!verdict) return end_attempt("it gave no answer that can be understood", Again::is_useless);
      if (verdict->kind == Verdict::Kind::refused) return end_attempt(verdict->reason, Again::is_useless);
      state_ = verdict->kind == Verdict::Kind::accepted ? State::connected : State::crossed;
      return;
    }
  }
}

}  // namespace antiphon::launch
