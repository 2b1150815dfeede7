// What errors of file operations happen on (MPI 5.0, 14.7). There is one so far, MPI_FILE_NULL, which has the error
// handler of what fails without a file, and gives new files theirs. Owned by the Process; guarded by the lane's lock.
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
