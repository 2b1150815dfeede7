#include "mpiexec/label.hpp"

namespace antiphon::launch {

void LineLabeller::feed(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    if (newline == std::string_view::npos) {
      begun_ += bytes;
      if (begun_.size() > kLongestLine) finish(out);
      return;
    }
    emit_line(bytes.substr(0, newline), out);
    bytes.remove_prefix(newline + 1);
  }
}

void LineLabeller::finish(std::string& out) {
  if (!begun_.empty()) emit_line({}, out);
}

void LineLabeller::emit_line(std::string_view end, std::string& out) {
  out.append(label_).append(begun_).append(end).append("\n");
  begun_.clear();
}

}  // namespace antiphon::launch
