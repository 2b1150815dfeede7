// A hash table by envelope, of receives with a given source and tag or of messages. Its elements are linked in
// lists of their own. Elements with the same envelope stay in order of arrival. The table doubles when a search
// has passed many elements with other envelopes, so a search takes as long with 10,000 envelopes as with one. Owns
// none of its elements, which leave by unlinking themselves. Belongs to the Matcher, whose section's lock protects
// it.
#pragma once

#include <memory>

#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

inline const Envelope& label(const ReceiveRequest& receive) { return receive.wanted; }
inline const Envelope& label(const Unexpected& message) { return message.envelope; }

template <class T, class Hook>
class Buckets {
 public:
  using List = base::IntrusiveList<T, Hook>;

  // The list that holds the elements with this envelope; new ones go to its end.
  [[nodiscard]] List& of(const Envelope& envelope) { return lists_[envelope.hash() & mask_]; }

  // The first with exactly this envelope, or null.
  [[nodiscard]] T* find(const Envelope& envelope) {
    List& list = of(envelope);
    if (list.empty()) return nullptr;
    T& front = list.front();
    if (label(front) == envelope) [[likely]]
      return &front;
    return walk(list, envelope);
  }
  // The first element of the list, if it has exactly this envelope. After null, a later element may still have it.
  [[nodiscard]] T* find_at_once(const Envelope& envelope) {
    List& list = of(envelope);
    return !list.empty() && label(list.front()) == envelope ? &list.front() : nullptr;
  }

  [[nodiscard]] std::size_t size() const { return mask_ + 1; }

 private:
  static constexpr std::size_t kFewest = 256, kMost = Envelope::kHashes;
  static constexpr int kLongWalk = 8;

  [[gnu::noinline]] T* walk(List& list, const Envelope& envelope) {
    int steps = 0;
    T* found = list.find([&](const T& item) {
      ++steps;
      return label(item) == envelope;
    });
    if (steps > kLongWalk && size() < kMost) grow();
    return found;
  }

  // All elements of a new list come from one old list, so their order stays.
  void grow() {
    const std::size_t old_size = size();
    const std::unique_ptr<List[]> old = std::move(lists_);
    lists_ = std::make_unique<List[]>(2 * old_size);
    mask_ = 2 * old_size - 1;
    for (std::size_t i = 0; i < old_size; ++i)
      while (!old[i].empty()) {
        T& item = old[i].front();
        old[i].pop_front();
        of(label(item)).push_back(item);
      }
  }

  std::unique_ptr<List[]> lists_ = std::make_unique<List[]>(kFewest);
  std::size_t mask_ = kFewest - 1;
};

}  // namespace antiphon::pt2pt
