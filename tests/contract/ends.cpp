#include "ends.hpp"

#include "shm_ends.hpp"
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

}  // namespace

std::vector<Maker> every_transport() {
  return {{"Loopback", [] { return std::make_unique<LoopbackEnds>(); }},
          {"SharedMemory", [] { return std::make_unique<ShmEnds>(false); }},
          {"SharedMemoryFullFence", [] { return std::make_unique<ShmEnds>(true); }},
          {"SharedMemoryManyThreads", [] { return std::make_unique<ShmEnds>(false, 2, true); }},
          sim("Simulated", {.capabilities = {.max_payload = 300, .eager_limit = 64}, .packets_per_pair = 7}),
          sim("SimulatedTiny", {.capabilities = {.max_payload = 8, .eager_limit = 0},
                                .packets_per_pair = 1,
                                .max_delay = 5,
                                .refuse_percent = 50})};
}

}  // namespace antiphon::contract
