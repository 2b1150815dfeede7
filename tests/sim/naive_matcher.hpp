// MPI 5.0, 3.5 in its plainest form: two lists, walked from the front. The oracle that the engine's matcher is held
// against; shares no code with it. Receives and messages are known by the numbers that the test gives them.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>

namespace antiphon::sim {

// A receive's wish, or a message's label; source and tag may be kAny in a wish.
struct Label {
  static constexpr int kAny = -12345;
  std::uint32_t context;
  int source;
  int tag;
};

class NaiveMatcher {
 public:
  void post(int receive, const Label& wish);
  void arrive(int message, const Label& label);
  // The message that a probe would see.
  [[nodiscard]] std::optional<int> peek(const Label& wish) const;

  [[nodiscard]] const std::map<int, int>& message_of_receive() const { return matches_; }
  [[nodiscard]] bool nothing_left() const { return posted_.empty() && unexpected_.empty(); }

 private:
  struct Entry {
    int number;
    Label label;
  };
  std::list<Entry> posted_;
  std::list<Entry> unexpected_;
  std::map<int, int> matches_;
};

}  // namespace antiphon::sim
