// One operation under way, and how its completion is told. The engine that started it fills in `outcome` and calls
// complete(); whoever waits looks at done(). A request is destroyed when the user's side has released it (waited
// or freed) and the operation has ended, whichever comes last. Engines derive their own state from it, and may
// reuse an object for the next operation.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "abi/constants.hpp"
#include "base/wait_reason.hpp"
#include "objects/comm.hpp"
#include "objects/reusable.hpp"

namespace antiphon::objects {

// What MPI_Status tells, without its layout. Empty at first, and to the end for what is no receive.
struct Outcome {
  std::int32_t source = abi::ANY_SOURCE;
  std::int32_t tag = abi::ANY_TAG;
  std::int32_t error = 0;
  bool cancelled = false;
  std::int64_t bytes = 0;
};

class Request : public Refcounted, public Reusable {
 public:
  // combined: made of others. Unlike the rest: generalized, which the program carries out, and persistent, which
  // begins operations and is none itself (objects/persistent.hpp).
  enum class Kind : std::uint8_t {
    send,
    receive,
    collective,
    combined,
    partitioned,
    one_sided,
    file,
    generalized,
    persistent
  };

  Request(Kind kind, Ref<Comm> comm)
      : Reusable(false), kind_(kind), ends_unusually_(kind == Kind::generalized), comm_(std::move(comm)) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  virtual ~Request() = default;
  // References are the user's side's: his handle, and whoever waits for the operation in his place. The engine that
  // carries it out holds none, so it never counts while others do. True: the caller retires it.
  [[nodiscard]] bool release() noexcept { return Refcounted::release() && (done() || abandon()); }
  // The end of this object, or of this use.
  virtual void retire() noexcept { delete this; }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool done() const { return done_.load(std::memory_order_acquire); }
  [[nodiscard]] Comm& comm() const { return *comm_; }
  [[nodiscard]] const Ref<Comm>& comm_ref() const { return comm_; }  // empty if it belongs to none
  // On what its errors happen; empty if on none.
  [[nodiscard]] virtual Ref<ErrorScope> scope() const { return comm_; }
  // A persistent request has begun this and holds the user's handle, or does so no more.
  void set_of_persistent(bool holds) { ends_unusually_ = holds; }
  // Whether there is more to its end than its status and its handle: it is generalized, or of a persistent request.
  [[nodiscard]] bool ends_unusually() const { return ends_unusually_; }
  void complete() { done_.store(true, std::memory_order_release); }
  // What will have gone wrong when it is done.
  void fail(int error_class, std::string text) {
    outcome.error = error_class;
    error_text = std::make_unique<const std::string>(std::move(text));
  }

  // What a rank says that waits for it.
  [[nodiscard]] virtual base::WaitReason reason() const {
    return {.communicator = comm_ ? comm_->name().c_str() : "a generalized request"};
  }

  Outcome outcome;
  std::unique_ptr<const std::string> error_text;  // with outcome.error != 0: the sentence for the user

 protected:
  // Nobody has a reference any more, and it is not done, as far as the caller knows. False: its engine is at work on
  // it, and retires it at the end.
  [[nodiscard]] virtual bool abandon() noexcept { return true; }
  // One that is used again: every use is from a start() to the end().
  explicit Request(Kind kind) : Reusable(true), kind_(kind) {}
  void start(Comm& comm) {
    start_with(1);
    comm_.fill(comm);
    done_.store(false, std::memory_order_relaxed);
    outcome.error = 0;
    outcome.cancelled = false;
  }
  // Returns what it has kept alive.
  [[nodiscard]] Ref<Comm> end() noexcept {
    if (error_text) [[unlikely]]
      forget_error();
    return std::move(comm_);
  }

 private:
  [[gnu::cold, gnu::noinline]] void forget_error() noexcept { error_text.reset(); }

  Kind kind_;
  std::atomic<bool> done_ = false;  // another thread may have carried it out
  bool ends_unusually_ = false;
  Ref<Comm> comm_;
};

}  // namespace antiphon::objects
