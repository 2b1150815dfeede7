#include "objects/keyval.hpp"

#include <limits>

#include "abi/constants.hpp"
#include "base/error.hpp"

namespace antiphon::objects {

Keyval& Keyvals::create(Keyval::Kind kind, Keyval::Callbacks callbacks) {
  if (next_ == std::numeric_limits<int>::max())
    base::fail(abi::ERR_NO_MEM, "this process has made 2^31 attribute keys, the most there can be");
  if (freed_in_use_.size() >= sweep_at_) sweep();
  const int number = next_++;
  return *(by_number_[number] = Ref<Keyval>::adopt(new Keyval(number, kind, std::move(callbacks))));
}

Keyval* Keyvals::find(int number) const {
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return nullptr;
  Keyval& keyval = *found->second;
  return keyval.freed_ && keyval.attributes_ == 0 ? nullptr : &keyval;
}

void Keyvals::free(Keyval& keyval) {
  if (keyval.freed_) return;
  keyval.freed_ = true;
  if (keyval.attributes_ == 0)
    by_number_.erase(keyval.number_);
  else
    freed_in_use_.push_back(keyval.number_);
}

// Nobody tells when the last attribute of a freed key goes, so the dead are looked for, each time that there may be
// twice as many as after the last look.
void Keyvals::sweep() {
  std::erase_if(freed_in_use_, [this](int number) {
    if (find(number)) return false;
    by_number_.erase(number);
    return true;
  });
  sweep_at_ = 2 * freed_in_use_.size() + 16;
}

}  // namespace antiphon::objects
