// Merges what several ranks print, line by line: all bytes from the start of a line to its newline are from one
// rank, however the bytes arrive. The bytes of an incomplete line are kept until its newline comes, with two
// exceptions: a prompt, which is short and which somebody may wait for, and a line that is too long to be kept.
// Their rank then has the *floor*, and the others wait until its line is complete. A rank that has the floor and
// prints nothing more loses it, and the line of the next rank begins with a newline. Pure: bytes and times in,
// bytes out.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace antiphon::launch {

class LineMerge {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr auto kPromptAfter = std::chrono::milliseconds(50);  // without a newline
  static constexpr auto kFloorLostAfter = std::chrono::seconds(1);     // of silence, when others wait
  static constexpr std::size_t kLongestPrompt = 1 << 10;               // bytes
  static constexpr std::size_t kLongestKept = 64 << 20;

  // A file has no use for a line before it is whole; a terminal has, and so may whoever reads a pipe.
  enum class Reader { file, somebody };
  explicit LineMerge(Reader reader) : reader_(reader) {}

  // Returns the number of the new source. Each of its lines begins with `label`.
  std::size_t add_source(std::string label);
  void feed(std::size_t source, std::string_view bytes, Clock::time_point now);
  // It ended. With a label what is left becomes a line; without one it stays as it is, unless others follow.
  void finish(std::size_t source);

  // Appends to *out what may be written by now.
  void collect(Clock::time_point now, std::string* out);
  // When collect() may give more without anything being fed.
  [[nodiscard]] std::optional<Clock::time_point> next_collect() const;
  [[nodiscard]] bool is_empty() const;

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  struct Source {
    std::string label;
    std::string kept;              // not written so far
    std::size_t whole = 0;         // bytes of it that are whole lines
    Clock::time_point begun_at{};  // when the first byte came of what is not
    Clock::time_point last_fed{};  // when it said something last
    bool ended = false;
    bool in_line = false;  // what it has written so far ends without a newline

    [[nodiscard]] std::size_t begun() const { return kept.size() - whole; }
  };

  [[nodiscard]] bool is_prompt(const Source& source) const;
  [[nodiscard]] bool others_wait() const;
  void write(std::size_t source, std::size_t bytes, std::string* out);

  Reader reader_;
  std::vector<Source> sources_;
  std::size_t floor_ = kNobody;       // who has written a line without its end, and may go on with it
  std::size_t unfinished_ = kNobody;  // whose unfinished line is the last that was written
};

}  // namespace antiphon::launch
