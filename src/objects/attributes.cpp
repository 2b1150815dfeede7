#include "objects/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/make_room.hpp"

namespace antiphon::objects {

namespace {

void check_code(int code, const char* which, int keyval) {
  if (code != 0)
    base::pass_on(code, fmt::format("the {} function of attribute key {} returned {}", which, keyval, code));
}

}  // namespace

Attributes::~Attributes() {
  for (const Entry& entry : entries_) --entry.keyval->attributes_;
}

Attributes::Entry* Attributes::entry(int keyval) {
  const auto found = std::ranges::find(entries_, keyval, &Entry::number);
  return found == entries_.end() ? nullptr : &*found;
}

void Attributes::add(Keyval& keyval, void* value) {
  entries_.push_back({keyval.number(), false, value, Ref<Keyval>::share(keyval)});
  ++keyval.attributes_;
}

void Attributes::set(Keyval& keyval, void* value, std::uintptr_t object) {
  const auto alive = Ref<Keyval>::share(keyval);  // its only attribute may be the one that is replaced
  base::make_room(entries_);                      // before the old value has been deleted
  if (entry(keyval.number())) remove(keyval.number(), object);
  add(keyval, value);
}

void Attributes::remove(int keyval, std::uintptr_t object) {
  Entry* going = entry(keyval);
  if (going->leaving)
    base::fail(abi::ERR_KEYVAL, fmt::format("the attribute of key {} is being deleted: its delete function has not "
                                            "returned yet",
                                            keyval));
  const Ref<Keyval> key = going->keyval;
  if (key->callbacks.remove) {
    going->leaving = true;
    const int code = key->callbacks.remove(object, keyval, going->value);
    going = entry(keyval);
    going->leaving = false;
    check_code(code, "delete", keyval);
  }
  entries_.erase(entries_.begin() + (going - entries_.data()));
  --key->attributes_;
}

void Attributes::clear(std::uintptr_t object) {
  while (!entries_.empty()) remove(entries_.back().number, object);
}

void Attributes::copy_to(Attributes& target, std::uintptr_t object) const {
  std::vector<int> numbers;
  for (const Entry& entry : entries_) numbers.push_back(entry.number);
  for (const int number : numbers) {
    const auto found = std::ranges::find(entries_, number, &Entry::number);
    if (found == entries_.end()) continue;  // deleted by the copy function of another
    const Ref<Keyval> key = found->keyval;
    if (!key->callbacks.copy) continue;
    void* copied = nullptr;
    bool keep = false;
    base::make_room(target.entries_);
    check_code(key->callbacks.copy(object, number, found->value, &copied, &keep), "copy", number);
    if (keep) target.add(*key, copied);
  }
}

}  // namespace antiphon::objects
