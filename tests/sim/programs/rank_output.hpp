// What one simulated rank prints. stdio is one for all ranks of a simulation, so whoever runs next finds its own
// streams in `stdout` and `stderr`; both end up in one file, in the order in which they were written.
#pragma once

#include <cstdio>
#include <memory>

namespace antiphon::sim {

class RankOutput {
 public:
  explicit RankOutput(int fd);

  void install();    // this rank goes on
  void uninstall();  // it has given way
  void flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using Stream = std::unique_ptr<std::FILE, Close>;

  Stream out_, err_;
  std::FILE* real_out_ = nullptr;
  std::FILE* real_err_ = nullptr;
};

}  // namespace antiphon::sim
