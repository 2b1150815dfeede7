// The memory of one message's body as a user would give it: in one piece, or described by a datatype with gaps in
// random places, pieces out of order, and one or two elements. Bytes are counted as they are packed, whatever lies
// between them in memory.
#pragma once

#include <vector>

#include "base/rng.hpp"
#include "engine/data/move.hpp"

namespace antiphon::sim {

class UserBuffer {
 public:
  enum class Shape { one_piece, scattered };

  // The same seed gives the same gaps.
  UserBuffer(Shape shape, std::size_t bytes, std::uint64_t seed);

  [[nodiscard]] std::byte* address() { return memory_.data(); }
  [[nodiscard]] data::Scattered scattered() const { return {type_.get(), count_}; }
  // As MPI_Type_free does, which may be called while a message is under way.
  void free_type() { type_.reset(); }

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] std::byte& operator[](std::size_t i) { return memory_[places_[i]]; }
  [[nodiscard]] std::byte operator[](std::size_t i) const { return memory_[places_[i]]; }
  // Whether nobody wrote between the pieces.
  [[nodiscard]] bool gaps_untouched() const;
  // What user code does with a buffer that is its own again.
  void spoil();

  static constexpr std::byte kUntouched{0xee};

 private:
  void scatter(std::size_t bytes, std::uint64_t seed);

  std::vector<std::byte> memory_;
  std::vector<std::size_t> places_;  // of each packed byte
  objects::Ref<objects::Datatype> type_;
  std::int64_t count_ = 0;
};

}  // namespace antiphon::sim
