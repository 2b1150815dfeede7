// Merges the output of several ranks line by line: all bytes from the start of a line to its newline are from one
// rank, however the bytes arrive. The bytes of an incomplete line are kept until its newline arrives, with two
// exceptions: a prompt, which is short and for which a user may wait, and a line that is too long to keep. The rank
// of such a line then has the *floor*: the other ranks' lines wait until its line is complete. If it prints nothing
// for a while, it loses the floor, and a newline is inserted before the next rank's line. Pure: bytes and times in,
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

  static constexpr auto kPromptAfter = std::chrono::milliseconds(50);  // without the rest of the line
  static constexpr auto kFloorLostAfter = std::chrono::seconds(1);     // of silence, if others have lines to write
  static constexpr std::size_t kLongestPrompt = 1 << 10;               // bytes
  static constexpr std::size_t kLongestKept = 64 << 20;

  // Incomplete lines are of no use in a file, but may be to a user at a terminal or to the reader of a pipe.
  enum class Reader { file, somebody };
  explicit LineMerge(Reader reader) : reader_(reader) {}

  // Returns the number of the new source. Each of its lines begins with `label`.
  std::size_t add_source(std::string label);
  void feed(std::size_t source, std::string_view bytes, Clock::time_point now);
  // The source has ended. If it has a label, an incomplete line gets a newline; otherwise it stays as it is, unless
  // another source's line follows.
  void finish(std::size_t source);
  // No source could be fed for a while, because it was not read. Its silence until now does not count.
  void forget_silence(Clock::time_point now);

  // Appends to *out all bytes that may be written now.
  void collect(Clock::time_point now, std::string* out);
  // When collect() may return more although nothing has been fed.
  [[nodiscard]] std::optional<Clock::time_point> next_collect() const;
  [[nodiscard]] bool is_empty() const;

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  struct Source {
    std::string label;
    std::string kept;              // bytes that have not been written
    std::size_t whole = 0;         // bytes of `kept` that are complete lines
    Clock::time_point begun_at{};  // when the first byte of the incomplete line arrived
    Clock::time_point last_fed{};  // when the last bytes arrived
    bool ended = false;
    bool in_line = false;  // its last written byte was not a newline

    [[nodiscard]] std::size_t begun() const { return kept.size() - whole; }
  };

  [[nodiscard]] bool is_prompt(const Source& source) const;
  [[nodiscard]] bool others_wait() const;
  void write(std::size_t source, std::size_t bytes, std::string* out);

  Reader reader_;
  std::vector<Source> sources_;
  std::size_t floor_ = kNobody;       // the source that has written an incomplete line and may continue it
  std::size_t unfinished_ = kNobody;  // the source whose incomplete line was written last
};

}  // namespace antiphon::launch
