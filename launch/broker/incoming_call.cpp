#include "broker/incoming_call.hpp"

#include <sys/epoll.h>

#include <algorithm>

namespace antiphon::launch {
namespace {

constexpr std::chrono::seconds kPatience{5};

}  // namespace

IncomingCall::IncomingCall(platform::OwnedDescriptor socket, const Secret& secret, std::string from)
    : socket_(std::move(socket)),
      secret_(secret),
      from_(std::move(from)),
      deadline_(Clock::now() + kPatience),
      nonce_(new_nonce()) {
  transfer_.begin(hello_bytes_);
}

std::uint32_t IncomingCall::events() const {
  if (state_ != State::hearing && state_ != State::answering) return 0;
  return step_ == Step::challenge || step_ == Step::verdict ? EPOLLOUT : EPOLLIN;
}

void IncomingCall::advance() {
  while (state_ == State::hearing || state_ == State::answering) {
    const bool writes = step_ == Step::challenge || step_ == Step::verdict;
    const Moved moved = writes ? transfer_.write_to(descriptor()) : transfer_.read_from(descriptor());
    if (moved == Moved::not_yet) return;
    if (moved == Moved::broken) {
      state_ = State::over;  // perhaps a broker that has changed its mind, since our call crossed its own
      return;
    }
    finish(step_);
  }
}

// A message has been read or written whole.
void IncomingCall::finish(Step step) {
  switch (step) {
    case Step::hello: {
      std::string complaint;
      const std::optional<Hello> hello = decode_hello(hello_bytes_, &complaint);
      if (!hello) return blame(complaint);
      hello_ = *hello;
      const Proof proof = prove(secret_, Role::callee, hello_bytes_, nonce_);
      std::ranges::copy(proof, std::ranges::copy(nonce_, challenge_.begin()).out);
      step_ = Step::challenge;
      return transfer_.begin(challenge_);
    }
    case Step::challenge:
      step_ = Step::proof;
      return transfer_.begin(proof_);
    case Step::proof:
      if (!is_proof(proof_, secret_, Role::caller, hello_bytes_, nonce_))
        return blame("it does not know the secret of this job");
      state_ = State::proved;
      return;
    case Step::verdict:
      state_ = accepted_ ? State::accepted : State::over;
      return;
  }
}

void IncomingCall::decide(const Verdict& verdict) {
  accepted_ = verdict.kind == Verdict::Kind::accepted;
  verdict_ = encode(verdict);
  step_ = Step::verdict;
  state_ = State::answering;
  transfer_.begin(verdict_);
  advance();
}

void IncomingCall::expire() {
  if (state_ == State::hearing) blame("it proved nothing in time");
  if (state_ == State::answering) state_ = State::over;
}

void IncomingCall::blame(std::string complaint) {
  state_ = State::stranger;
  complaint_ = std::move(complaint);
}

}  // namespace antiphon::launch
