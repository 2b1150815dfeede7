// A datatype: the predefined ones, and contiguous runs of one element type. All of these lie in memory without gaps
// between their bytes' first and last; `extent` may exceed `size` only for pair types with trailing or inner padding,
// which are moved whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "objects/attributes.hpp"

namespace antiphon::objects {

// What an element is, for reductions.
enum class Element : std::uint8_t {
  none,  // no arithmetic: MPI_BYTE's bit operations are `byte`
  byte,
  character,
  wide_character,
  packed,
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  float_extended,
  complex64,
  complex128,
  complex_extended,
  float_int,
  double_int,
  long_int,
  int_int,
  short_int,
  long_double_int,
};

class Datatype : public WithHandle {
 public:
  struct Shape {
    std::size_t size;    // bytes of data
    std::size_t extent;  // bytes from one to the next
    Element element;
    std::int64_t elements;  // how many of `element` in one datatype
  };

  Datatype(Shape shape, std::string name, bool predefined)
      : shape_(shape), name_(std::move(name)), predefined_(predefined), committed_(predefined) {}

  [[nodiscard]] std::size_t size() const { return shape_.size; }
  [[nodiscard]] std::size_t extent() const { return shape_.extent; }
  [[nodiscard]] Element element() const { return shape_.element; }
  [[nodiscard]] std::int64_t elements() const { return shape_.elements; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool predefined() const { return predefined_; }
  [[nodiscard]] bool committed() const { return committed_; }
  // Any number of them is one run of bytes.
  [[nodiscard]] bool in_one_piece() const { return committed_ && shape_.size == shape_.extent; }
  void commit() { committed_ = true; }
  void set_name(std::string name) { name_ = std::move(name); }
  [[nodiscard]] Attributes& attributes() { return attributes_; }
  [[nodiscard]] const Attributes& attributes() const { return attributes_; }

 private:
  Shape shape_;
  std::string name_;
  bool predefined_;
  bool committed_;
  Attributes attributes_;
};

}  // namespace antiphon::objects
