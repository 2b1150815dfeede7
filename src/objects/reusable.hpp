// A base class for objects that their owner reuses instead of deleting them. Such an object keeps its place in the
// handle table from its first handle to its end.
#pragma once

#include <cstdint>
#include <type_traits>

namespace antiphon::objects {

class Reusable {
 public:
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};

  [[nodiscard]] bool is_reused() const { return is_reused_; }
  [[nodiscard]] std::uint32_t kept_place() const { return kept_place_; }
  // Called by the handle table alone.
  void set_kept_place(std::uint32_t place) { kept_place_ = place; }

 protected:
  explicit Reusable(bool is_reused) : is_reused_(is_reused) {}
  ~Reusable() = default;

 private:
  std::uint32_t kept_place_ = kNoPlace;
  bool is_reused_;
};

template <class T>
inline constexpr bool kCanBeReused = std::is_base_of_v<Reusable, T>;

}  // namespace antiphon::objects
