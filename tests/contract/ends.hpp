// Two ends of one transport in one process: what the contract suite is run on. A new transport adds one class here.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "transport/channel.hpp"

namespace antiphon::contract {

class Ends {
 public:
  virtual ~Ends() = default;
  // End 0 and end 1; of a loopback they are the same.
  virtual transport::Transport& end(int which) = 0;
  // What end `which` calls itself and its peer.
  virtual int name(int which) const { return which; }
  // Lets time pass, where it does not by itself.
  virtual void pass_time() {}
};

struct Maker {
  std::string transport;
  std::function<std::unique_ptr<Ends>()> make;
};
inline void PrintTo(const Maker& maker, std::ostream* to) { *to << maker.transport; }  // for GoogleTest

[[nodiscard]] std::vector<Maker> every_transport();

}  // namespace antiphon::contract
