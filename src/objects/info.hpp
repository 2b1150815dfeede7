// An info object (MPI 5.0, 10): keys with values, in the order in which the keys were first set. Guarded by the lock
// of whoever owns the table that it is in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Info : public Refcounted {
 public:
  struct Entry {
    std::string key;
    std::string value;
  };

  Info() = default;
  // A new object with the keys and values of `other`.
  [[nodiscard]] static Ref<Info> copy_of(const Info& other);

  void set(std::string_view key, std::string_view value);
  // False if there was none.
  bool erase(std::string_view key);
  // Null if the key is not set.
  [[nodiscard]] const std::string* find(std::string_view key) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace antiphon::objects
