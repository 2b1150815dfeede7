// An open file (MPI 5.0, 14): how it was opened, what this process sees of it, where its own pointer is, and what
// users give it. Where its bytes are and what is under way is its state, which the engine of files owns. Its messages
// go through a communicator of its own, which no user sees. MPI_FILE_NULL is one, too, without a communicator: it has
// the error handler for operations without a file, and gives it to new files. Passive: it never sends. Shared by its
// handle and its operations; guarded by the lane's lock.
#pragma once

#include <string>

#include "abi/constants.hpp"
#include "objects/comm.hpp"
#include "objects/error_scope.hpp"
#include "objects/file_view.hpp"
#include "objects/info.hpp"

namespace antiphon::io {
class FileState;
}

namespace antiphon::objects {

class File final : public ErrorScope {
 public:
  // MPI_FILE_NULL.
  explicit File(Ref<Errhandler> errhandler) : ErrorScope(std::move(errhandler)) {}

  struct Parts {
    Ref<Comm> comm;
    std::string path;
    int amode;
    FileViewRef view;
    Ref<Errhandler> errhandler;
  };
  explicit File(Parts parts)
      : ErrorScope(std::move(parts.errhandler)),
        comm_(std::move(parts.comm)),
        path_(std::move(parts.path)),
        amode_(parts.amode),
        view_(std::move(parts.view)) {}

  [[nodiscard]] std::string title() const override { return comm_ ? "the file " + path_ : "MPI_FILE_NULL"; }
  [[nodiscard]] Errhandler::Kind kind() const override { return Errhandler::Kind::file; }

  [[nodiscard]] Comm& comm() const { return *comm_; }
  [[nodiscard]] const Ref<Comm>& comm_ref() const { return comm_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int amode() const { return amode_; }
  [[nodiscard]] bool may_read() const { return (amode_ & abi::MODE_WRONLY) == 0; }
  [[nodiscard]] bool may_write() const { return (amode_ & abi::MODE_RDONLY) == 0; }
  [[nodiscard]] bool is_sequential() const { return (amode_ & abi::MODE_SEQUENTIAL) != 0; }

  [[nodiscard]] const FileView& view() const { return *view_; }
  [[nodiscard]] const FileViewRef& view_ref() const { return view_; }
  void set_view(FileViewRef view) { view_ = std::move(view); }
  // This process's own pointer, in etypes of the view.
  [[nodiscard]] std::int64_t position() const { return position_; }
  void set_position(std::int64_t etypes) { position_ = etypes; }
  [[nodiscard]] bool is_atomic() const { return is_atomic_; }
  void set_atomic(bool is_atomic) { is_atomic_ = is_atomic; }
  [[nodiscard]] Info& hints() { return *hints_; }

  // From its opening, by the engine, until it is closed.
  [[nodiscard]] io::FileState& state() const { return *state_; }
  void set_state(io::FileState* state) { state_ = state; }

 private:
  Ref<Comm> comm_;
  std::string path_;
  int amode_ = 0;
  FileViewRef view_;
  std::int64_t position_ = 0;
  bool is_atomic_ = false;
  Ref<Info> hints_ = Ref<Info>::adopt(new Info);
  io::FileState* state_ = nullptr;
};

}  // namespace antiphon::objects
