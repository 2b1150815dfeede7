// An attribute key (MPI 5.0, 7.7.1): what becomes of a cached value when its object is duplicated, and when the value
// goes. The user frees a key once, but it lives, and its number stays valid, until the last attribute under it is
// gone. Owned by the Process through Keyvals; guarded by the lane's lock, which the callbacks run without.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Keyval : public Refcounted {
 public:
  enum class Kind : std::uint8_t { comm, datatype, window };

  // `object` is the value of a handle. What they return is 0 or the error code with which the call has to fail.
  struct Callbacks {
    using Copy = int(std::uintptr_t object, int keyval, void* value, void** copied, bool* keep);
    using Remove = int(std::uintptr_t object, int keyval, void* value);
    std::function<Copy> copy;      // empty: values are not copied
    std::function<Remove> remove;  // empty: nothing has to be done when a value goes
  };

  Keyval(int number, Kind kind, Callbacks functions)
      : callbacks(std::move(functions)), number_(number), kind_(kind) {}
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] Kind kind() const { return kind_; }

  const Callbacks callbacks;

 private:
  friend class Keyvals;
  friend class Attributes;

  int number_;
  Kind kind_;
  bool freed_ = false;
  long attributes_ = 0;  // values cached under it
};

// From the number of a key to the key. Numbers are shared by all kinds, so that a key of the wrong kind is
// recognized, and are never used again.
class Keyvals {
 public:
  static constexpr int kFirst = 1024;  // above the numbers that the ABI gives to predefined keys

  Keyval& create(Keyval::Kind kind, Keyval::Callbacks callbacks);
  // Null for a number that no living key has.
  [[nodiscard]] Keyval* find(int number) const;
  void free(Keyval& keyval);

 private:
  void sweep();

  std::unordered_map<int, Ref<Keyval>> by_number_;
  std::vector<int> freed_in_use_;
  std::size_t sweep_at_ = 16;  // so many of them
  int next_ = kFirst;
};

}  // namespace antiphon::objects
