// A session (MPI 5.0, 11.3): what a part of a program that asked for MPI on its own was granted. Owned by its handle;
// it keeps the process up, which its Process counts.
#pragma once

#include "objects/error_scope.hpp"

namespace antiphon::objects {

class Session final : public ErrorScope {
 public:
  Session(Ref<Errhandler> errhandler, int thread_level, std::string memory_kinds)
      : ErrorScope(std::move(errhandler)), thread_level_(thread_level), memory_kinds_(std::move(memory_kinds)) {}

  [[nodiscard]] std::string title() const override { return "a session"; }
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::session; }
  [[nodiscard]] int thread_level() const { return thread_level_; }
  [[nodiscard]] const std::string& memory_kinds() const { return memory_kinds_; }

 private:
  int thread_level_;
  std::string memory_kinds_;
};

}  // namespace antiphon::objects
