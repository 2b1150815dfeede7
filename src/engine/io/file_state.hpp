// What the engine keeps of an open file: the file in the storage, the pointer that all share, what all processes have
// agreed on about collective access, and the collective operations under way. These are carried out one after the
// other, in the order in which all processes begin them, so their messages need not be told apart. Owned by Files;
// guarded by the lane's lock.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "engine/io/background.hpp"
#include "engine/io/scratch.hpp"
#include "engine/io/shared_pointer.hpp"
#include "engine/io/stored_file.hpp"
#include "engine/io/transfer.hpp"

namespace antiphon::io {

class CollectiveAccess;

// How collective access is carried out: the hints that must be the same on all processes. Trivially copyable, since
// rank 0 tells the others.
struct Manner {
  enum class Phases : std::int32_t { as_it_pays, always_two, one };

  std::int32_t aggregators = 0;  // cb_nodes; 0: as many as there are cores for
  Phases read = Phases::as_it_pays, write = Phases::as_it_pays;
  std::int64_t buffer_bytes = std::int64_t{4} << 20;  // cb_buffer_size
};

class FileState {
 public:
  FileState(objects::Ref<objects::File> file, StoredFileRef stored, SharedPointer pointer, const Manner& manner);
  ~FileState();

  [[nodiscard]] objects::File& file() const { return *file_; }
  [[nodiscard]] const StoredFileRef& stored() const { return stored_; }
  [[nodiscard]] SharedPointer& shared_pointer() { return shared_pointer_; }
  [[nodiscard]] const Manner& manner() const { return manner_; }
  void set_manner(const Manner& manner) { manner_ = manner; }
  [[nodiscard]] const Tuning& tuning() const { return tuning_; }
  void set_tuning(const Tuning& tuning) { tuning_ = tuning; }

  struct Running {
    std::unique_ptr<CollectiveAccess> access;
    FileRequestRef request;
  };
  [[nodiscard]] std::deque<Running>& running() { return running_; }

  // Operations under way that are not collective.
  [[nodiscard]] int accesses() const { return accesses_; }
  void access_begun() { ++accesses_; }
  void access_over() { --accesses_; }

  // For the operation that is carried out.
  [[nodiscard]] TwoPhaseBuffers& buffers() { return buffers_; }

  // The split collective that has begun (MPI 5.0, 14.4.5).
  struct Split {
    const char* call;    // that ends it
    const void* buffer;  // that it was begun with
    FileRequestRef request;
  };
  [[nodiscard]] std::optional<Split>& split() { return split_; }

 private:
  objects::Ref<objects::File> file_;
  StoredFileRef stored_;
  SharedPointer shared_pointer_;
  Manner manner_;
  Tuning tuning_;
  std::deque<Running> running_;
  int accesses_ = 0;
  std::optional<Split> split_;
  TwoPhaseBuffers buffers_;
};

}  // namespace antiphon::io
