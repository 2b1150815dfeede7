#include "objects/datatype.hpp"

#include "layout/build.hpp"
#include "objects/arrays_as_types.hpp"

namespace antiphon::objects {

namespace {

Geometry geometry_of(const Basics& basics, std::int64_t alignment) {
  Geometry all;
  for (int i = 0; i < basics.count; ++i) all.append(Geometry::of_data(basics.element[i], alignment));
  return all;
}

Geometry geometry_of(const Part& part) {
  if (part.blocks == 0 || part.length == 0) return {};
  return part.type->geometry()
      .as_part()
      .repeated(part.length, part.type->extent())
      .repeated(part.blocks, part.stride)
      .displaced(part.displacement);
}

layout::Placed displaced(layout::Placed placed, std::int64_t by) {
  placed.displacement += by;
  return placed;
}

// Two names of one kind of value, as MPI_INT and MPI_INT32_T may be.
bool is_same_value(const Datatype& one, const Datatype& other) {
  return one.element() == other.element() && one.size() == other.size();
}

const char* constructor(int combiner) {
  switch (combiner) {
    case abi::COMBINER_DUP:
      return "MPI_Type_dup";
    case abi::COMBINER_CONTIGUOUS:
      return "MPI_Type_contiguous";
    case abi::COMBINER_VECTOR:
      return "MPI_Type_vector";
    case abi::COMBINER_HVECTOR:
      return "MPI_Type_create_hvector";
    case abi::COMBINER_INDEXED:
      return "MPI_Type_indexed";
    case abi::COMBINER_HINDEXED:
      return "MPI_Type_create_hindexed";
    case abi::COMBINER_INDEXED_BLOCK:
      return "MPI_Type_create_indexed_block";
    case abi::COMBINER_HINDEXED_BLOCK:
      return "MPI_Type_create_hindexed_block";
    case abi::COMBINER_STRUCT:
      return "MPI_Type_create_struct";
    case abi::COMBINER_SUBARRAY:
      return "MPI_Type_create_subarray";
    case abi::COMBINER_DARRAY:
      return "MPI_Type_create_darray";
    case abi::COMBINER_RESIZED:
      return "MPI_Type_create_resized";
    case abi::COMBINER_F90_REAL:
      return "MPI_Type_create_f90_real";
    case abi::COMBINER_F90_COMPLEX:
      return "MPI_Type_create_f90_complex";
    case abi::COMBINER_F90_INTEGER:
      return "MPI_Type_create_f90_integer";
    default:
      return "MPI_Type_get_value_index";
  }
}

}  // namespace

Datatype::Datatype(Element element, const Basics& basics, std::int64_t alignment, std::string name)
    : geometry_(geometry_of(basics, alignment)),
      size_(geometry_.size()),
      extent_(geometry_.ub() - geometry_.lb()),
      predefined_(true),
      element_(element),
      basics_(basics),
      name_(std::move(name)) {
  commit();
}

Ref<Datatype> Datatype::clone() const {
  auto copy = Ref<Datatype>::adopt(new Datatype(recipe_));
  if (committed_) copy->commit();
  return copy;
}

Datatype::Datatype(Recipe recipe, const Datatype& like)
    : recipe_(std::move(recipe)),
      geometry_(like.geometry_),
      size_(like.size_),
      extent_(like.extent_),
      predefined_(true),
      element_(like.element_),
      basics_(like.basics_) {
  commit();
}

Datatype::Datatype(Recipe recipe) : recipe_(std::move(recipe)) {
  if (recipe_.combiner == abi::COMBINER_SUBARRAY) expansion_ = expand_subarray(recipe_);
  if (recipe_.combiner == abi::COMBINER_DARRAY) expansion_ = expand_darray(recipe_);
  bool is_mixed = false;
  each_part([&](const Part& part) {
    geometry_.append(geometry_of(part));
    if (part.blocks == 0 || part.length == 0 || part.type->size() == 0) return;
    const Datatype* const found = part.type->only_type();
    is_mixed |= !found || (only_type_ && !is_same_value(*only_type_, *found));
    only_type_ = is_mixed ? nullptr : found;
  });
  if (recipe_.combiner == abi::COMBINER_RESIZED)
    geometry_.mark(recipe_.numbers[0], checked_add(recipe_.numbers[0], recipe_.numbers[1]));
  size_ = geometry_.size();
  extent_ = checked_subtract(geometry_.ub(), geometry_.lb());
  (void)checked_subtract(geometry_.true_ub(), geometry_.true_lb());
}

void Datatype::retire() noexcept {
  Datatype* ending = this;  // the first of a list
  while (ending) {
    Datatype* const first = std::exchange(ending, ending->next_ending_);
    const auto take = [&](Ref<Datatype>& part) {
      if (!part || part->predefined_ || part->references() != 1) return;
      part->next_ending_ = ending;
      ending = part.let_go();
    };
    take(first->expansion_);
    for (Ref<Datatype>& part : first->recipe_.types) take(part);
    delete first;
  }
}

std::string Datatype::description() const {
  return name_.empty() ? std::string("the datatype from ") + constructor(recipe_.combiner) : name_;
}

void Datatype::commit() {
  in_one_piece_ = layout().contiguous() && layout().displacement() == 0;
  if (in_one_piece_ && size_ < kNotPlain) plain_size_ = static_cast<std::uint32_t>(size_);
  committed_ = true;
}

void Datatype::compile_with_parts() const {
  std::vector<const Datatype*> waiting{this};
  while (!waiting.empty()) {
    const Datatype* next = waiting.back();
    const std::size_t before = waiting.size();
    for (const Ref<Datatype>& part : next->parts())
      if (!part->layout_ && part.get() != waiting.back()) waiting.push_back(part.get());
    if (waiting.size() != before) continue;
    if (!next->layout_) next->compile();
    waiting.pop_back();
  }
}

void Datatype::compile() const {
  std::vector<layout::Placed> parts;
  for (int i = 0; i < basics_.count; ++i)
    parts.push_back(displaced(layout::run(basics_.element[i].bytes()), basics_.element[i].displacement));
  // Lists mostly repeat one block: it is made once, so that neighbours are seen to be alike.
  const Datatype* block_type = nullptr;
  std::int64_t block_length = -1;
  layout::Placed block;
  each_part([&](const Part& part) {
    if (part.type != block_type || part.length != block_length) {
      block_type = part.type;
      block_length = part.length;
      block = layout::repeat(part.type->layout_->one(), part.length, part.type->extent());
    }
    parts.push_back(displaced(layout::repeat(block, part.blocks, part.stride), part.displacement));
  });
  layout_.emplace(parts.size() == 1 ? parts.front() : layout::join(parts), extent_);
}

// Both go down into one part at each level, the one in which the end is.
std::int64_t elements_in(const Datatype& type, std::int64_t bytes) {
  std::int64_t elements = 0;
  for (const Datatype* within = &type; within && within->size() != 0;) {
    elements += bytes / within->size() * within->signature().elements;
    bytes %= within->size();
    for (int i = 0; i < within->basics().count && bytes != 0; ++i) {
      bytes -= within->basics().element[i].bytes();
      if (bytes < 0) return -1;
      ++elements;
    }
    const Datatype* last = nullptr;
    within->each_part([&](const Part& part) {
      if (bytes == 0 || last || part.type->size() == 0) return;
      if (bytes < part.blocks * part.length * part.type->size()) {
        last = part.type;
        return;
      }
      bytes -= part.blocks * part.length * part.type->size();
      elements += part.blocks * part.length * part.type->signature().elements;
    });
    within = last;
  }
  return elements;
}

std::int64_t bytes_of(const Datatype& type, std::int64_t elements) {
  std::int64_t bytes = 0;
  for (const Datatype* within = &type; within && within->signature().elements != 0;) {
    const std::int64_t each = within->signature().elements;
    bytes = checked_add(bytes, checked_multiply(elements / each, within->size()));
    elements %= each;
    for (int i = 0; i < within->basics().count && elements != 0; ++i, --elements)
      bytes = checked_add(bytes, within->basics().element[i].bytes());
    const Datatype* last = nullptr;
    within->each_part([&](const Part& part) {
      const std::int64_t in_part = part.blocks * part.length * part.type->signature().elements;
      if (elements == 0 || last || in_part == 0) return;
      if (elements < in_part) {
        last = part.type;
        return;
      }
      elements -= in_part;
      bytes = checked_add(bytes, part.blocks * part.length * part.type->size());
    });
    within = last;
  }
  return bytes;
}

}  // namespace antiphon::objects
