// The values that a program has cached on one object (MPI 5.0, 7.7), in the order in which they were set. Part of its
// Comm or Datatype. Callbacks may come back here, or change the object from another thread: nothing is held across
// one but the number of the key, and an attribute whose delete function runs stays readable but cannot be changed.
// `object` is the value of the handle that callbacks are given.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/keyval.hpp"

namespace antiphon::objects {

class Attributes {
 public:
  Attributes() = default;
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes();

  // Where the value is stored; null if there is none.
  [[nodiscard]] void* const* find(int keyval) const {
    for (const Entry& entry : entries_)
      if (entry.number == keyval) return &entry.value;
    return nullptr;
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  // An old value is deleted first. These fail with the error code of a callback, and then leave the attribute whose
  // callback it was as it was.
  void set(Keyval& keyval, void* value, std::uintptr_t object);
  void remove(int keyval, std::uintptr_t object);
  // The newest first, as Finalize must for MPI_COMM_SELF (MPI 5.0, 11.2.4). Stops at the first error.
  void clear(std::uintptr_t object);
  // Into an object that nobody else knows yet. What was copied before an error is in `target`.
  void copy_to(Attributes& target, std::uintptr_t object) const;

 private:
  struct Entry {
    int number;
    bool leaving;  // its delete function runs
    void* value;
    Ref<Keyval> keyval;  // counted in Keyval::attributes_ besides
  };

  Entry* entry(int keyval);
  void add(Keyval& keyval, void* value);

  std::vector<Entry> entries_;
};

}  // namespace antiphon::objects
