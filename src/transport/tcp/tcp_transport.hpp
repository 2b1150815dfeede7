// Packets between processes of different nodes, over one TCP connection for each pair that talks. Sockets come
// connected (sockets.hpp); it neither listens nor connects. The lane protects it, but for try_poll().
//
// Looking at connections costs a system call, which takes longer than an answer through shared memory. So a poll
// looks only every now and then, unless something was sent or has arrived over a connection lately, something waits
// to be sent, or a thread was woken because of a connection. A thread that sleeps waits for EventSet::descriptor().
//
// A connection that ends without a goodbye means that its process, or the way to it, is lost. What ends the job is an
// error that the next poll throws, a while later: if the process has died, its mpiexec says so better meanwhile.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>

#include "platform/linux/alarm.hpp"
#include "transport/tcp/connection.hpp"
#include "transport/tcp/sockets.hpp"

namespace antiphon::transport::tcp {

struct Options {
  Capabilities limits{.max_payload = std::size_t{64} << 10, .eager_limit = std::size_t{64} << 10};
  std::size_t scratch_bytes = std::size_t{256} << 10;        // the most that is read from one connection at a time
  int looks_skipped = 63;                                    // polls in a row that do not look, where nothing moves
  std::chrono::nanoseconds grace = std::chrono::seconds(2);  // from a broken connection to the error
  // How often it is looked whether data that was sent is acknowledged, and with how many retries of the system the
  // host is lost: five take six seconds and more.
  std::chrono::nanoseconds watch_period = std::chrono::seconds(2);
  unsigned most_retries = 5;
};

class TcpTransport final : public Transport {
 public:
  // `events` must outlive it.
  TcpTransport(Sockets sockets, platform::EventSet& events, const Options& options = {});
  ~TcpTransport() override;

  [[nodiscard]] std::unique_ptr<Channel> connect(int process) override;
  bool poll(const Dispatcher& dispatch) override {
    if (!is_due()) [[likely]]
      return false;
    return look(dispatch);
  }
  // Nothing can be read without the lane: says that the lane is needed when it is time to look.
  bool try_poll(const Dispatcher& dispatch, bool* refused) override;
  [[nodiscard]] bool has_unsent() const noexcept override { return common_.blocked != 0; }
  void say_goodbye() override;

 private:
  class Sender;

  [[nodiscard]] bool is_due() noexcept {
    const int skip = skip_.load(std::memory_order_relaxed);
    if (skip == 0 || events_.has_news()) return true;
    skip_.store(skip - 1, std::memory_order_relaxed);
    return false;
  }
  void expect_something() noexcept { skip_.store(0, std::memory_order_relaxed); }
  [[nodiscard]] bool look(const Dispatcher& dispatch);
  [[nodiscard]] bool look_at(Connection& connection, const Dispatcher& dispatch);
  [[nodiscard]] bool look_at_all(const Dispatcher& dispatch);
  void take_sockets();
  void lose(const Connection& connection);
  [[noreturn]] void report_loss() const;
  void look_for_lost_hosts();
  void watch_again();

  Sockets sockets_;
  platform::EventSet& events_;
  const Options options_;
  Common common_;
  std::unordered_map<int, std::unique_ptr<Connection>> connections_;  // by process
  Connection* favourite_ = nullptr;  // from which something came last: the next packet often comes from there, too
  unsigned looks_ = 0;
  int eager_looks_ = 0;        // left before polls begin to be skipped
  std::atomic<int> skip_ = 0;  // polls left until the next look
  platform::Alarm grace_;      // rings at the end of the time of grace
  platform::Alarm watch_;      // rings when it is to be looked for lost hosts
  bool is_watching_ = false;   // watch_ is set, because something was sent
  std::string lost_;           // what was lost first; empty: nothing
};

}  // namespace antiphon::transport::tcp
