// A datatype: what the user described (the recipe, which MPI_Type_get_contents returns), what it spans (the
// geometry), and, from MPI_Type_commit on, how its bytes are moved (the layout). The first two never change, so types
// share their constituents; a type lives until its last handle, type or operation under way lets go of it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/layout.hpp"
#include "objects/attributes.hpp"
#include "objects/element.hpp"
#include "objects/type_geometry.hpp"

namespace antiphon::objects {

class Datatype;

// The call that made a type. `numbers` are its arguments other than datatypes, in the order of the C interface.
struct Recipe {
  int combiner = abi::COMBINER_NAMED;
  bool large = false;  // made by the large-count procedure
  std::vector<std::int64_t> numbers = {};
  std::vector<Ref<Datatype>> types = {};
};

// `blocks` blocks, `stride` bytes apart, of `length` consecutive ones of a type.
struct Part {
  std::int64_t displacement;  // bytes
  std::int64_t blocks;
  std::int64_t stride;
  std::int64_t length;
  const Datatype* type;
};

class Datatype : public WithHandle {
 public:
  // A predefined type. `alignment` is that of its most aligned member.
  Datatype(Element element, const Basics& basics, std::int64_t alignment, std::string name);
  // A derived type. Throws if it spans more than 64 bits can count; anything else was checked by the caller.
  explicit Datatype(Recipe recipe);
  // A type that is predefined but has no name: a value like that of `like`, found by this recipe.
  Datatype(Recipe recipe, const Datatype& like);

  // After the last reference is gone.
  void retire() noexcept;

  // Another type like this derived one: the same type map, in the same state, without a name.
  [[nodiscard]] Ref<Datatype> clone() const;

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t extent() const { return extent_; }
  [[nodiscard]] std::int64_t lb() const { return geometry_.lb(); }
  [[nodiscard]] std::int64_t true_lb() const { return geometry_.true_lb(); }
  [[nodiscard]] std::int64_t true_extent() const { return geometry_.true_ub() - geometry_.true_lb(); }
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }
  [[nodiscard]] const Signature& signature() const { return geometry_.signature(); }

  [[nodiscard]] Element element() const { return element_; }  // none, if derived
  // The one predefined type that all of its data is of, which may be itself; null if there are several, or no data.
  [[nodiscard]] const Datatype* only_type() const { return predefined_ ? this : only_type_; }
  [[nodiscard]] const Basics& basics() const { return basics_; }
  [[nodiscard]] const Recipe& recipe() const { return recipe_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  // For messages: the name, or how it was made.
  [[nodiscard]] std::string description() const;
  [[nodiscard]] bool predefined() const { return predefined_; }
  [[nodiscard]] Attributes& attributes() { return attributes_; }
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

  [[nodiscard]] bool committed() const { return committed_; }
  // Committed, and any number of them is one run of bytes that begins where the buffer does.
  [[nodiscard]] bool in_one_piece() const { return in_one_piece_; }
  // The size if it is in one piece and so small that an int of them is no more than 63 bits can count, else
  // kNotPlain.
  static constexpr std::uint32_t kNotPlain = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t plain_size() const { return plain_size_; }
  void commit();
  // How its bytes are moved. Made at first use, so before a commit under the lane's lock only.
  [[nodiscard]] const layout::Layout& layout() const {
    if (!layout_) [[unlikely]]
      compile_with_parts();
    return *layout_;
  }

  // Calls use(part) for the parts of a derived type, in the order of its type map. A predefined type has basics().
  template <class Use>
  void each_part(Use&& use) const;

 private:
  // One after the other, not one within the other, and so the end: types may be nested deeper than the stack is.
  void compile_with_parts() const;
  void compile() const;
  // The types that its layout is made of.
  [[nodiscard]] std::span<const Ref<Datatype>> parts() const {
    return expansion_ ? std::span(&expansion_, 1) : std::span(recipe_.types);
  }

  Recipe recipe_;
  Datatype* next_ending_ = nullptr;  // while it ends
  Ref<Datatype> expansion_;          // subarray and darray, said with the simpler constructors
  Geometry geometry_;
  std::int64_t size_ = 0;
  std::int64_t extent_ = 0;
  bool predefined_ = false;
  bool committed_ = false;
  bool in_one_piece_ = false;
  std::uint32_t plain_size_ = kNotPlain;
  mutable std::optional<layout::Layout> layout_;
  Element element_ = Element::none;
  const Datatype* only_type_ = nullptr;  // of a derived type, which keeps its parts alive
  Basics basics_{};
  std::string name_;
  Attributes attributes_;
};

// The number of basic elements that the first `bytes` packed bytes of `count` types hold, or -1 if they end inside
// one.
[[nodiscard]] std::int64_t elements_in(const Datatype& type, std::int64_t bytes);
// The packed bytes of the first `elements` basic elements of as many types as it takes.
[[nodiscard]] std::int64_t bytes_of(const Datatype& type, std::int64_t elements);

template <class Use>
void Datatype::each_part(Use&& use) const {
  const std::vector<std::int64_t>& n = recipe_.numbers;
  const auto type = [&](std::size_t i) -> const Datatype* { return recipe_.types[i].get(); };
  const auto in_extents = [&](std::int64_t displacement) {
    return checked_multiply(displacement, type(0)->extent());
  };
  const auto count = n.empty() ? 0 : static_cast<std::size_t>(n[0]);
  switch (recipe_.combiner) {
    case abi::COMBINER_DUP:
    case abi::COMBINER_RESIZED:
      use(Part{0, 1, 0, 1, type(0)});
      break;
    case abi::COMBINER_CONTIGUOUS:
      use(Part{0, 1, 0, n[0], type(0)});
      break;
    case abi::COMBINER_VECTOR:
      use(Part{0, n[0], in_extents(n[2]), n[1], type(0)});
      break;
    case abi::COMBINER_HVECTOR:
      use(Part{0, n[0], n[2], n[1], type(0)});
      break;
    case abi::COMBINER_INDEXED:
      for (std::size_t i = 0; i < count; ++i) use(Part{in_extents(n[1 + count + i]), 1, 0, n[1 + i], type(0)});
      break;
    case abi::COMBINER_HINDEXED:
      for (std::size_t i = 0; i < count; ++i) use(Part{n[1 + count + i], 1, 0, n[1 + i], type(0)});
      break;
    case abi::COMBINER_INDEXED_BLOCK:
      for (std::size_t i = 0; i < count; ++i) use(Part{in_extents(n[2 + i]), 1, 0, n[1], type(0)});
      break;
    case abi::COMBINER_HINDEXED_BLOCK:
      for (std::size_t i = 0; i < count; ++i) use(Part{n[2 + i], 1, 0, n[1], type(0)});
      break;
    case abi::COMBINER_STRUCT:
      for (std::size_t i = 0; i < count; ++i) use(Part{n[1 + count + i], 1, 0, n[1 + i], type(i)});
      break;
    case abi::COMBINER_SUBARRAY:
    case abi::COMBINER_DARRAY:
      use(Part{0, 1, 0, 1, expansion_.get()});
      break;
    default:
      break;
  }
}

}  // namespace antiphon::objects
