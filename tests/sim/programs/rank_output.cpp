#include "programs/rank_output.hpp"

#include <unistd.h>

#include <utility>

namespace antiphon::sim {

// By lines, so that little is lost should the program crash.
RankOutput::RankOutput(int fd) : out_(fdopen(dup(fd), "w")), err_(fdopen(dup(fd), "w")) {
  std::setvbuf(out_.get(), nullptr, _IOLBF, BUFSIZ);
  std::setvbuf(err_.get(), nullptr, _IONBF, 0);
}

void RankOutput::install() {
  real_out_ = std::exchange(stdout, out_.get());
  real_err_ = std::exchange(stderr, err_.get());
}

void RankOutput::uninstall() {
  stdout = real_out_;
  stderr = real_err_;
}

void RankOutput::flush() { std::fflush(out_.get()); }

}  // namespace antiphon::sim
