#include "daemon/open_broker.hpp"

#include <utility>

namespace antiphon::launch {
namespace {

class RealBroker : public NodeBroker {
 public:
  explicit RealBroker(Broker::Setup setup) : broker_(std::move(setup)) {}
  [[nodiscard]] const bootstrap::LocalAddress& address() const override { return broker_.address(); }
  [[nodiscard]] const BrokerEndpoint& endpoint() const override { return broker_.endpoint(); }
  void meet(std::vector<BrokerEndpoint> brokers) override { broker_.meet(std::move(brokers)); }
  [[nodiscard]] int descriptor() const override { return broker_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> next_deadline() const override {
    return broker_.next_deadline();
  }
  void handle() override { broker_.handle(); }

 private:
  Broker broker_;
};

}  // namespace

std::unique_ptr<NodeBroker> open_broker(Broker::Setup setup) {
  return std::make_unique<RealBroker>(std::move(setup));
}

}  // namespace antiphon::launch
