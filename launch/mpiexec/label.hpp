// Cuts a stream of bytes into whole lines that start with the rank they came from. Pure: bytes in, bytes out.
#pragma once

#include <string>
#include <string_view>

namespace antiphon::launch {

class LineLabeller {
 public:
  explicit LineLabeller(std::string label) : label_(std::move(label)) {}

  // Appends to `out` every line that `bytes` completes; keeps the beginning of the last one.
  void feed(std::string_view bytes, std::string& out);
  // The stream has ended: what is left becomes a line.
  void finish(std::string& out);

 private:
  // A "line" longer than this is handed on in pieces rather than kept in memory.
  static constexpr std::size_t kLongestLine = 64 << 10;

  void emit_line(std::string_view end, std::string& out);

  std::string label_;
  std::string begun_;
};

}  // namespace antiphon::launch
