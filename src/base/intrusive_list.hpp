// A doubly linked list whose links live in its elements: no allocation, removal of any element in O(1). An element
// is in at most one list through one ListHook; the list owns nothing, its user keeps elements alive while linked.
#pragma once

#include <cassert>
#include <cstddef>

namespace antiphon::base {

struct ListHook {
  ListHook* previous = nullptr;
  ListHook* next = nullptr;

  [[nodiscard]] bool linked() const { return next != nullptr; }
  void unlink() {
    previous->next = next;
    next->previous = previous;
    previous = next = nullptr;
  }
};

// T derives from ListHook, or from a class that does.
template <class T, class Hook = ListHook>
class IntrusiveList {
 public:
  IntrusiveList() { head_.previous = head_.next = &head_; }
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;

  [[nodiscard]] bool empty() const { return head_.next == &head_; }
  [[nodiscard]] T& front() { return element(head_.next); }

  void push_back(T& item) {
    Hook& hook = item;
    assert(!hook.linked());
    hook.previous = head_.previous;
    hook.next = &head_;
    head_.previous->next = &hook;
    head_.previous = &hook;
  }
  // Before the first element that `is_behind`, or at the end.
  template <class Predicate>
  void insert_before(T& item, Predicate&& is_behind) {
    ListHook* next = head_.next;
    while (next != &head_ && !is_behind(element(next))) next = next->next;
    Hook& hook = item;
    hook.previous = next->previous;
    hook.next = next;
    next->previous->next = &hook;
    next->previous = &hook;
  }
  static void remove(T& item) { static_cast<Hook&>(item).unlink(); }
  void pop_front() { head_.next->unlink(); }

  // The first element that `matches`, or null.
  template <class Predicate>
  [[nodiscard]] T* find(Predicate&& matches) {
    for (ListHook* hook = head_.next; hook != &head_; hook = hook->next)
      if (T& item = element(hook); matches(item)) return &item;
    return nullptr;
  }

 private:
  static T& element(ListHook* hook) { return static_cast<T&>(static_cast<Hook&>(*hook)); }
  Hook head_{};
};

}  // namespace antiphon::base
