// Objects of one class that are reused. An object is taken, used and returned, but never destroyed in between, so
// what all uses have in common is set up once. All objects are destroyed with the pool, which must outlive their
// last use. One thread at a time: the owner's lock protects the pool.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace antiphon::base {

// T is constructed from the pool it belongs to.
template <class T>
class Pool {
 public:
  using Prepare = std::function<void(T&)>;
  // `prepare` is called for each new object and may throw.
  explicit Pool(Prepare prepare = {}) : prepare_(std::move(prepare)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Whether take() has to create objects, which may fail.
  [[nodiscard]] bool dry() const noexcept { return count_ == 0; }

  [[nodiscard]] T& take() {
    if (dry()) [[unlikely]]
      grow();
    return *free_[--count_];
  }
  void give_back(T& object) noexcept { free_[count_++] = &object; }

 private:
  static constexpr std::size_t kChunk = 64;

  [[gnu::noinline]] void grow() {
    free_.resize(objects_.size() + kChunk);
    for (std::size_t i = 0; i < kChunk; ++i) {
      T& made = objects_.emplace_back(*this);
      if (prepare_) prepare_(made);
      give_back(made);
    }
  }

  Prepare prepare_;
  std::deque<T> objects_;
  std::vector<T*> free_;  // the first count_ are free; it has room for all objects
  std::size_t count_ = 0;
};

}  // namespace antiphon::base
