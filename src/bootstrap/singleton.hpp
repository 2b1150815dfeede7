// A program started without any launcher: a job of one, in a segment of its own that nobody else can see.
#pragma once

#include "bootstrap/bootstrap.hpp"

namespace antiphon::bootstrap {

class Singleton final : public Bootstrap {
 public:
  static std::unique_ptr<Singleton> create();

  // There is no mpiexec to tell the user, so this does.
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  using Bootstrap::Bootstrap;
};

}  // namespace antiphon::bootstrap
