// What a program may use at any time and from any thread: before MPI is initialized, while it is, and after it is
// finalized (MPI 5.0, 11.4.1). These are info objects, error handlers and the user's error codes. It exists until the
// program ends. All of it is protected by `mutex`, which is held for one access only, never while a thread waits for
// something else.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "objects/errhandler.hpp"
#include "objects/error_codes.hpp"
#include "objects/handle_table.hpp"
#include "objects/info.hpp"

namespace antiphon::process {

// Error handlers and their handles. Asking again for the handle of an error handler returns the same handle and
// counts one more use; each use must be freed.
class ErrhandlerTable {
 public:
  using Value = std::uintptr_t;

  ErrhandlerTable();
  // Null for a value that is not a valid handle.
  [[nodiscard]] objects::Errhandler* find(Value value) const { return table_.find(value); }
  [[nodiscard]] Value handle_of(const objects::Ref<objects::Errhandler>& errhandler);
  // `value` must be a valid handle.
  void free(Value value);
  [[nodiscard]] Value value_of_number(int number) const { return table_.value_of_number(number); }

 private:
  struct Use {
    Value handle;
    long count;
  };
  objects::HandleTable<objects::Errhandler> table_;
  std::unordered_map<const objects::Errhandler*, Use> uses_;  // by error handler
};

// What the Fortran binding, if the program uses it, has reported about its compiler.
struct FortranFacts {
  objects::Ref<objects::Info> info;  // null: nothing was reported
  int logical_size = 0;              // bytes; 0: the values below were not reported
  std::array<std::byte, 16> logical_true{};
  std::array<std::byte, 16> logical_false{};
};

class Anytime {
 public:
  Anytime();

  [[nodiscard]] objects::Info* find_info(std::uintptr_t handle) {
    const std::lock_guard lock(mutex);
    return infos.find(handle);
  }
  [[nodiscard]] std::uintptr_t add_info(objects::Ref<objects::Info> info) {
    const std::lock_guard lock(mutex);
    return infos.insert(std::move(info));
  }
  [[nodiscard]] objects::Errhandler* find_errhandler(std::uintptr_t handle) {
    const std::lock_guard lock(mutex);
    return errhandlers.find(handle);
  }

  std::mutex mutex;
  objects::HandleTable<objects::Info> infos;
  ErrhandlerTable errhandlers;
  objects::ErrorCodes error_codes;
  FortranFacts fortran;

  std::mutex lifetime;  // held while the process is initialized or shut down
  int holders = 0;      // number of sessions, and the world model if it is in use
};

}  // namespace antiphon::process
