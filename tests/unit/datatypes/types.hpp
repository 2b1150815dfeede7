// Datatypes for tests, in a line each.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "objects/datatype.hpp"

namespace antiphon {

inline objects::Ref<objects::Datatype> basic(objects::Element element, int bytes) {
  const objects::Basics basics = objects::basics_of(element, static_cast<std::size_t>(bytes), 0);
  return objects::Ref<objects::Datatype>::adopt(new objects::Datatype(element, basics, bytes, "basic"));
}
inline objects::Ref<objects::Datatype> ints() { return basic(objects::Element::int32, 4); }
inline objects::Ref<objects::Datatype> doubles() { return basic(objects::Element::float64, 8); }

// Not committed.
inline objects::Ref<objects::Datatype> derived(int combiner, std::vector<std::int64_t> numbers,
                                               std::vector<objects::Ref<objects::Datatype>> types) {
  return objects::Ref<objects::Datatype>::adopt(new objects::Datatype(objects::Recipe{
      .combiner = combiner, .large = true, .numbers = std::move(numbers), .types = std::move(types)}));
}

}  // namespace antiphon
