// Memory for many objects of one class, taken and given back at the cost of a few moves. Chunks are kept until the
// pool dies, which must be after every object made in it. Not for several threads at once: the owner's lock guards it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace antiphon::base {

template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  template <class... Arguments>
  [[nodiscard]] T* make(Arguments&&... arguments) {
    if (!free_) [[unlikely]]
      grow();
    Block* block = free_;
    free_ = block->next;
    return new (block) T(std::forward<Arguments>(arguments)...);
  }

  void recycle(T* object) noexcept {
    object->~T();
    free_ = new (object) Block{free_};
  }

 private:
  static constexpr std::size_t kChunk = 64;  // objects

  union alignas(T) Block {
    Block* next;
    std::byte object[sizeof(T)];
  };

  void grow() {
    chunks_.push_back(std::make_unique_for_overwrite<Block[]>(kChunk));
    for (std::size_t i = kChunk; i > 0; --i) free_ = new (&chunks_.back()[i - 1]) Block{free_};
  }

  Block* free_ = nullptr;
  std::vector<std::unique_ptr<Block[]>> chunks_;
};

}  // namespace antiphon::base
