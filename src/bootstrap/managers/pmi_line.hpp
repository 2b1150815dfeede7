// A conversation in lines of words like "cmd=get_result rc=0 value=x", as PMI-1 has it: one question, one answer,
// over a socket that somebody else connected. Owned by Pmi; one thread at a time.
#pragma once

#include <map>
#include <string>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::bootstrap {

class PmiLine {
 public:
  // What an answer says, by name.
  using Words = std::map<std::string, std::string, std::less<>>;

  // `launcher`: for messages.
  PmiLine(platform::OwnedDescriptor socket, std::string launcher);

  // Sends a line, whose newline is added here, and returns the answer, which has to begin with cmd=`answer`. Fails
  // with ERR_OTHER and a sentence where it does not, where it says that it failed (rc is not 0), and where nobody
  // answers any more.
  Words ask(const std::string& question, const std::string& answer);
  // The next line, which nobody asked for.
  Words hear(const std::string& question, const std::string& answer);
  // Sends a line that nobody answers; false where nobody is there.
  bool tell(const std::string& line) noexcept;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[nodiscard]] std::string next_line(const std::string& question);

  platform::OwnedDescriptor socket_;
  std::string launcher_;
  std::string received_;  // that has not been taken yet
};

}  // namespace antiphon::bootstrap
