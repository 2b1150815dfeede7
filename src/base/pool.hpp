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
    void* place = free_;
    free_ = free_->next;
    return new (place) T(std::forward<Arguments>(arguments)...);
  }

  void recycle(T* object) noexcept {
    object->~T();
    free_ = new (static_cast<void*>(object)) Free{free_};
  }

 private:
  static constexpr std::size_t kChunk = 64;  // objects

  struct Free {  // lies where an object lay
    Free* next;
  };
  struct alignas(T) Place {
    std::byte bytes[sizeof(T)];
  };
  static_assert(sizeof(T) >= sizeof(Free) && alignof(T) >= alignof(Free));

  void grow() {
    chunks_.push_back(std::make_unique_for_overwrite<Place[]>(kChunk));
    for (std::size_t i = kChunk; i > 0; --i) free_ = new (&chunks_.back()[i - 1]) Free{free_};
  }

  Free* free_ = nullptr;
  std::vector<std::unique_ptr<Place[]>> chunks_;
};

}  // namespace antiphon::base
