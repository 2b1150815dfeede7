// Objects of one class that are used again and again. One is taken, used and given back, but never destroyed in
// between, so what two uses have in common is not set up twice. All die with the pool, which must be after their last
// use. Not for several threads at once: the owner's lock guards it.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <new>
#include <utility>
#include <vector>

namespace antiphon::base {

// T is constructed from the pool it belongs to.
template <class T>
class Pool {
 public:
  using Prepare = std::function<void(T&)>;
  // `prepare` is called for each new one; it may fail.
  explicit Pool(Prepare prepare = {}) : prepare_(std::move(prepare)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Whether take() has to make new ones, which can fail.
  [[nodiscard]] bool dry() const noexcept { return count_ == 0; }

  [[nodiscard]] T& take() {
    if (dry()) [[unlikely]]
      grow();
    return *free_[--count_];
  }
  // So that the next take() does not fail.
  void make_room() {
    if (dry()) grow();
  }
  void give_back(T& object) noexcept { free_[count_++] = &object; }

 private:
  static constexpr std::size_t kChunk = 64;

  [[gnu::noinline]] void grow() {
    free_.resize(objects_.size() + kChunk);
    try {
      for (std::size_t i = 0; i < kChunk; ++i) add();
    } catch (const std::bad_alloc&) {
      if (dry()) throw;
    }
  }
  void add() {
    T& made = objects_.emplace_back(*this);
    try {
      if (prepare_) prepare_(made);
    } catch (...) {
      objects_.pop_back();
      throw;
    }
    give_back(made);
  }

  Prepare prepare_;
  std::deque<T> objects_;
  std::vector<T*> free_;  // the first count_; there is room for all objects
  std::size_t count_ = 0;
};

}  // namespace antiphon::base
