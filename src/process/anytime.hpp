// What a program may use at any time, from any thread, before MPI is initialized, meanwhile, and after it is
// finalized (MPI 5.0, 11.4.1): info objects, error handlers, the user's error codes. Exists as long as the
// program. Everything but lookups by handle is done under `mutex`, which is only held for a look or a change, and
// never while a thread waits for something else.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "objects/errhandler.hpp"
#include "objects/error_codes.hpp"
#include "objects/handle_table.hpp"
#include "objects/info.hpp"

namespace antiphon::process {

// Error handlers under their handles. Whoever asks for the handle of one gets the same again, and frees it once more.
class ErrhandlerTable {
 public:
  using Value = std::uintptr_t;

  ErrhandlerTable();
  // Null for a value that is no live handle.
  [[nodiscard]] objects::Errhandler* find(Value value) const { return table_.find(value); }
  [[nodiscard]] Value handle_of(const objects::Ref<objects::Errhandler>& errhandler);
  // `value` must be live.
  void free(Value value);
  [[nodiscard]] Value value_of_number(int number) const { return table_.value_of_number(number); }

 private:
  struct Use {
    Value handle;
    long count;
  };
  objects::HandleTable<objects::Errhandler> table_;
  std::unordered_map<const objects::Errhandler*, Use> uses_;  // of those that the user made
};

// What the Fortran binding, if the program has one, has told about its compiler.
struct FortranFacts {
  objects::Ref<objects::Info> info;  // null: nothing
  int logical_size = 0;              // bytes; 0: the values were not told
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

  std::mutex lifetime;  // held while the process is brought up or let down
  int holders = 0;      // the world model, and every session
};

}  // namespace antiphon::process
