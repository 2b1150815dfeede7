#include "ends.hpp"

#include "packets.hpp"
#include "shm_ends.hpp"
#include "tcp_ends.hpp"
#include "transport/self/loopback.hpp"
#include "transport/sim/fabric.hpp"

namespace antiphon::contract {

namespace {

class LoopbackEnds final : public Ends {
 public:
  transport::Transport& end(int) override { return loopback_; }
  int name(int) const override { return kSelf; }

 private:
  static constexpr int kSelf = 3;
  transport::Loopback loopback_{kSelf};
};

// A third end floods end 1 now and then, and end 1 has one ring: so end 0 gets it and has to give it back.
class SwitchingEnds final : public ShmEnds {
 public:
  explicit SwitchingEnds(bool threads)
      : ShmEnds({.threads = threads, .ends = 3, .rings_each = 1, .much = 3}), flood_(end(2).connect(1)) {}

  void pass_time() override {
    end(0).poll(nobody_.without_lane());  // what comes is for the test, but for what transports tell each other
    end(2).poll(nobody_.without_lane());
    if (++times_ % 16 != 0) return;
    for (int packet = 0; packet < 100; ++packet)
      if (flood_->try_send({.handler = kNoise}, {}) != transport::SendStatus::sent) break;
  }

 private:
  transport::Dispatcher nobody_{transport::Dispatcher::Threads::many};
  std::unique_ptr<transport::Channel> flood_;
  unsigned times_ = 0;
};

class SimEnds final : public Ends {
 public:
  explicit SimEnds(const transport::sim::Conditions& conditions) : fabric_(2, conditions, 42) {}
  transport::Transport& end(int which) override { return ends_[which]; }
  void pass_time() override { fabric_.advance_to(fabric_.now() + 1); }

 private:
  transport::sim::Fabric fabric_;
  transport::sim::SimTransport ends_[2] = {{fabric_, 0}, {fabric_, 1}};
};

Maker sim(const char* name, const transport::sim::Conditions& conditions) {
  return {name, [conditions] { return std::make_unique<SimEnds>(conditions); }};
}

Maker shm(const char* name, const ShmSetup& setup) {
  return {name, [setup] { return std::make_unique<ShmEnds>(setup); }};
}

Maker tcp(const char* name, const TcpSetup& setup) {
  return {name, [setup] { return std::make_unique<TcpEnds>(setup); }};
}

}  // namespace

std::vector<Maker> every_transport() {
  return {
      {"Loopback", [] { return std::make_unique<LoopbackEnds>(); }},
      shm("SharedMemory", {}),
      shm("SharedMemoryFullFence", {.full_fence = true}),
      shm("SharedMemoryManyThreads", {.threads = true}),
      shm("SharedMemoryQueue", {.rings_each = 0}),
      shm("SharedMemoryQueueManyThreads", {.threads = true, .rings_each = 0}),
      shm("SharedMemoryOfManyRanks", {.job_size = 1000, .much = 8}),
      {"SharedMemorySwitching", [] { return std::make_unique<SwitchingEnds>(false); }},
      {"SharedMemorySwitchingManyThreads", [] { return std::make_unique<SwitchingEnds>(true); }},
      sim("Simulated", {.capabilities = {.max_payload = 300, .eager_limit = 64}, .packets_per_pair = 7}),
      sim("SimulatedTiny", {.capabilities = {.max_payload = 8, .eager_limit = 0},
                            .packets_per_pair = 1,
                            .max_delay = 5,
                            .refuse_percent = 50}),
      tcp("Tcp", {}),
      tcp("TcpLater", {.delay = 50}),
      tcp("TcpTiny",
          {.options = {.limits = {.max_payload = 333, .eager_limit = 333}, .scratch_bytes = 48, .looks_skipped = 0},
           .buffer_bytes = 1})};
}

}  // namespace antiphon::contract
