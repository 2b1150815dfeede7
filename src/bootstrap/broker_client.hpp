// A rank's end of the conversation with the connection broker of its node, which connects it to processes of other
// nodes: it knows their addresses, proves to their brokers that both belong to one job, and hands over the connected
// socket. So a rank has no secret, listens nowhere, and knows no address. Owned by the Host of a process in a job of
// several nodes; the lane protects it.
#pragma once

#include <optional>
#include <string>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::bootstrap {

class BrokerClient {
 public:
  // A connected stream socket that does not block; or why there is none.
  struct Connection {
    int process = -1;
    platform::OwnedDescriptor socket = {};
    std::string failure = {};
  };

  // Fails with ERR_OTHER where the broker cannot be reached.
  BrokerClient(const LocalAddress& address, int rank);
  BrokerClient(const BrokerClient&) = delete;
  BrokerClient& operator=(const BrokerClient&) = delete;

  // Readable when next() has something.
  [[nodiscard]] int descriptor() const { return socket_.get(); }
  // Asks for a connection to a process of another node. Its answer comes from next().
  void ask(int process);
  // The next connection, asked for here or by the other process; nothing if there is none now. Fails with ERR_OTHER
  // where the broker has ended.
  [[nodiscard]] std::optional<Connection> next();

 private:
  platform::OwnedDescriptor socket_;
};

}  // namespace antiphon::bootstrap
