// Carries out a recorded plan: a state machine that never waits, and continues as far as possible each time it is
// asked. Reductions by a user's function are left to progress. After a failure it continues or ends, as an Executor
// does. Must stay in its place, and alive, until advance() has returned true or thrown; guarded by the lane's lock.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "engine/coll/recorder.hpp"
#include "engine/coll/steps.hpp"
#include "progress/user_code.hpp"

namespace antiphon::coll {

class Replay final : progress::UserStep {
 public:
  // The plan must outlive it.
  Replay(pt2pt::Messages& pt2pt, progress::Progress& progress, const Plan& plan, const Meeting& meeting)
      : pt2pt_(pt2pt),
        progress_(progress),
        plan_(plan),
        meeting_(meeting),
        goes_on_(survives_errors(meeting.comm())) {}
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // True when all is done. Throws the first error, once no message is under way any more.
  [[nodiscard]] bool advance();
  [[nodiscard]] progress::WaitReason reason() const;

 private:
  enum class UserCodeIs { not_needed, queued, over };

  bool carry_out(const SendStep& step);
  bool carry_out(const ReceiveStep& step);
  bool carry_out(const AwaitStep& step);
  bool carry_out(const FenceStep& step);
  bool carry_out(const CopyStep& step);
  bool carry_out(const ReduceStep& step);
  bool is_over(Begun& message);
  bool all_over();
  [[nodiscard]] const ReduceStep& reduction() const { return std::get<ReduceStep>(plan_.steps()[next_]); }
  void run() override;
  void ran(std::exception_ptr thrown) override;

  pt2pt::Messages& pt2pt_;
  progress::Progress& progress_;
  const Plan& plan_;
  Meeting meeting_;
  std::size_t next_ = 0;
  std::vector<Begun> begun_;  // since the last fence, by token
  UserCodeIs user_code_ = UserCodeIs::not_needed;
  bool goes_on_;
  std::optional<base::Error> failure_;
};

// The plans that progress carries out while the program does something else.
class Replays final : public progress::Pusher {
 public:
  Replays(pt2pt::Messages& pt2pt, progress::Progress& progress) : pt2pt_(pt2pt), progress_(progress) {
    progress.add(*this);
  }

  // The plan must have been recorded for this communicator's view. All members have drawn the same tag for it.
  [[nodiscard]] objects::Ref<objects::Request> start(std::shared_ptr<const Plan> plan, objects::Comm& comm,
                                                     std::int32_t tag);

  // The oldest that runs on communicators of a session, or of the world model (0); null if there is none.
  [[nodiscard]] const Replay* oldest_of(std::uintptr_t session) const;

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return !running_.empty(); }

 private:
  struct Running {
    Running(Replays& replays, std::shared_ptr<const Plan> what, const objects::Ref<objects::Request>& told,
            const Meeting& meeting)
        : plan(std::move(what)), request(told), replay(replays.pt2pt_, replays.progress_, *plan, meeting) {}
    std::shared_ptr<const Plan> plan;
    objects::Ref<objects::Request> request;
    Replay replay;
  };
  // True when it is over, with success or not.
  static bool advance(Running& running);

  pt2pt::Messages& pt2pt_;
  progress::Progress& progress_;
  std::list<Running> running_;
};

}  // namespace antiphon::coll
