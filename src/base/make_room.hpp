// Room in a vector for one more element, made before something happens that must not be forgotten, so that noting it
// cannot fail any more.
#pragma once

#include <cstddef>
#include <vector>

namespace antiphon::base {

template <class T>
void make_room(std::vector<T>& in) {
  constexpr std::size_t kFewest = 4;
  if (in.size() == in.capacity()) in.reserve(2 * in.size() + kFewest);
}

}  // namespace antiphon::base
