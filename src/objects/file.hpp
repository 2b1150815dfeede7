// The object that errors of file operations happen on (MPI 5.0, 14.7). So far there is one, MPI_FILE_NULL, which
// has the error handler for operations without a file, and gives it to new files. Owned by the Process; the lane's
// lock protects it.
#pragma once

#include "objects/error_scope.hpp"

namespace antiphon::objects {

class File final : public ErrorScope {
 public:
  explicit File(Ref<Errhandler> errhandler) : ErrorScope(std::move(errhandler)) {}

  [[nodiscard]] std::string title() const override { return "MPI_FILE_NULL"; }
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::file; }
};

}  // namespace antiphon::objects
