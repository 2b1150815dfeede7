// The first line that a daemon sends: which Antiphon it is, so that two that do not understand each other part with a
// sentence. It is text, because what starts a daemon on another machine may print lines of its own before it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace antiphon::launch {

struct Greeting {
  std::string version;  // "0.1.0"
  std::string build;    // what both have to agree on: byte order, sizes, layouts
};

[[nodiscard]] Greeting my_greeting();
[[nodiscard]] std::string to_line(const Greeting& greeting);
// Nothing if the line is none.
[[nodiscard]] std::optional<Greeting> read_greeting(std::string_view line);

}  // namespace antiphon::launch
