// Random datatypes, each twice: as the library makes it and as the naive list that it must equal.
#pragma once

#include "base/rng.hpp"
#include "datatypes/naive_type.hpp"

namespace antiphon::naive {

using objects::Datatype;
using objects::Ref;

struct Both {
  Ref<Datatype> type;
  Type naive;
};

class RandomType {
 public:
  explicit RandomType(base::Rng& rng) : rng_(rng) {}

  // Nested up to `depth` deep; small enough to be packed byte by byte.
  Both make(int depth) { return derived(depth); }

 private:
  static constexpr std::size_t kMaxEntries = 600;
  static constexpr std::int64_t kMaxSpan = 1 << 15;
  using Numbers = std::vector<std::int64_t>;

  Both predefined() {
    using objects::Element;
    struct Kind {
      Element element;
      std::int64_t bytes, alignment;
    };
    static constexpr Kind kKinds[] = {
        {Element::byte, 1, 1},        {Element::int16, 2, 2},
        {Element::int32, 4, 4},       {Element::float64, 8, 8},
        {Element::complex128, 16, 8}, {Element::float_extended, 16, 16},
        {Element::short_int, 6, 4},   {Element::double_int, 12, 8},
        {Element::float_int, 8, 4},   {Element::long_double_int, 20, 16},
    };
    const Kind& kind = rng_.pick(kKinds);
    const objects::Basics basics = objects::basics_of(kind.element, static_cast<std::size_t>(kind.bytes), 0);
    Both both{Ref<Datatype>::adopt(new Datatype(kind.element, basics, kind.alignment, "predefined")), {}};
    both.naive.alignment = kind.alignment;
    switch (kind.element) {
      case Element::short_int:
        both.naive.entries = {{0, 2, Element::int16}, {4, 4, Element::int32}};
        break;
      case Element::double_int:
        both.naive.entries = {{0, 8, Element::float64}, {8, 4, Element::int32}};
        break;
      case Element::float_int:
        both.naive.entries = {{0, 4, Element::float32}, {4, 4, Element::int32}};
        break;
      case Element::long_double_int:
        both.naive.entries = {{0, 16, Element::float_extended}, {16, 4, Element::int32}};
        break;
      default:
        both.naive.entries = {{0, kind.bytes, kind.element}};
    }
    return both;
  }

  Both derived(int depth) {
    if (depth == 0 || rng_.percent(5)) return predefined();
    const int combiner = abi::COMBINER_DUP + rng_.below(abi::COMBINER_RESIZED - abi::COMBINER_DUP + 1);
    switch (combiner) {
      case abi::COMBINER_DUP: {
        const Both old = derived(depth - 1);
        return made(combiner, {}, {old}, old.naive);
      }
      case abi::COMBINER_CONTIGUOUS: {
        const Both old = derived(depth - 1);
        const std::int64_t count = several(old);
        Type naive;
        naive.add_block(old.naive, 0, count);
        return made(combiner, {count}, {old}, naive);
      }
      case abi::COMBINER_VECTOR:
      case abi::COMBINER_HVECTOR:
        return vector(combiner, depth);
      case abi::COMBINER_INDEXED:
      case abi::COMBINER_HINDEXED:
      case abi::COMBINER_INDEXED_BLOCK:
      case abi::COMBINER_HINDEXED_BLOCK:
        return indexed(combiner, depth);
      case abi::COMBINER_STRUCT:
        return structure(depth);
      case abi::COMBINER_SUBARRAY:
        return subarray(depth);
      case abi::COMBINER_DARRAY:
        return darray(depth);
      default: {
        const Both old = derived(depth - 1);
        const std::int64_t lb = displacement(),
                           extent = rng_.percent(80) ? old.naive.extent() + small() : displacement();
        Type naive = old.naive;
        naive.lower_marks = {lb};
        naive.upper_marks = {lb + extent};
        return made(abi::COMBINER_RESIZED, {lb, extent}, {old}, naive);
      }
    }
  }

  Both vector(int combiner, int depth) {
    const Both old = derived(depth - 1);
    const std::int64_t count = several(old), length = several(old);
    const std::int64_t unit = combiner == abi::COMBINER_VECTOR ? old.naive.extent() : 1;
    std::int64_t stride = rng_.percent(70) ? length + rng_.below(4) : displacement();
    if (unit == 1 && rng_.percent(70)) stride *= old.naive.extent();
    Type naive;
    for (std::int64_t i = 0; i < count; ++i) naive.add_block(old.naive, i * stride * unit, length);
    return made(combiner, {count, length, stride}, {old}, naive);
  }

  Both indexed(int combiner, int depth) {
    const Both old = derived(depth - 1);
    const bool by_block = combiner == abi::COMBINER_INDEXED_BLOCK || combiner == abi::COMBINER_HINDEXED_BLOCK;
    const bool in_bytes = combiner == abi::COMBINER_HINDEXED || combiner == abi::COMBINER_HINDEXED_BLOCK;
    const std::int64_t unit = in_bytes ? 1 : old.naive.extent();
    const std::int64_t count = several(old) * (rng_.percent(20) && old.naive.entries.size() < 5 ? 8 : 1);
    const std::int64_t length = several(old);
    const bool ordered = rng_.percent(80), regular = rng_.percent(30);
    Numbers lengths, displacements;
    std::int64_t next = displacement();
    for (std::int64_t i = 0; i < count; ++i) {
      lengths.push_back(by_block || regular ? length : several(old));
      displacements.push_back(ordered ? next : displacement());
      const std::int64_t gap = regular ? 2 : rng_.below(3);
      next += (lengths.back() + gap) * (in_bytes ? std::max<std::int64_t>(old.naive.extent(), 0) : 1);
    }
    Type naive;
    for (std::size_t i = 0; i < displacements.size(); ++i)
      naive.add_block(old.naive, displacements[i] * unit, lengths[i]);
    Numbers numbers{count};
    if (by_block)
      numbers.push_back(length);
    else
      numbers.insert(numbers.end(), lengths.begin(), lengths.end());
    numbers.insert(numbers.end(), displacements.begin(), displacements.end());
    return made(combiner, numbers, {old}, naive);
  }

  Both structure(int depth) {
    const std::int64_t count = small();
    Numbers lengths, displacements;
    std::vector<Both> olds;
    Type naive;
    std::int64_t next = displacement();
    for (std::int64_t i = 0; i < count; ++i) {
      olds.push_back(i > 0 && rng_.percent(30) ? olds.back() : derived(depth - 1));
      lengths.push_back(several(olds.back()));
      displacements.push_back(rng_.percent(80) ? next : displacement());
      naive.add_block(olds.back().naive, displacements.back(), lengths.back());
      next = naive.true_ub() + rng_.below(3) * 4;
    }
    Numbers numbers{count};
    numbers.insert(numbers.end(), lengths.begin(), lengths.end());
    numbers.insert(numbers.end(), displacements.begin(), displacements.end());
    return made(abi::COMBINER_STRUCT, numbers, olds, naive);
  }

  // Of an array whose first dimension changes slowest: where the element with these indices begins.
  static std::int64_t offset(const Numbers& sizes, const Numbers& index, bool order_c) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t d = order_c ? i : sizes.size() - 1 - i;
      at = at * sizes[d] + index[d];
    }
    return at;
  }
  // Calls use(index) for every index below `sizes`, in the order in which such an array lies in memory.
  template <class Use>
  static void each_index(const Numbers& sizes, bool order_c, Use&& use) {
    std::int64_t all = 1;
    for (const std::int64_t size : sizes) all *= size;
    for (std::int64_t n = 0; n < all; ++n) {
      Numbers index(sizes.size());
      std::int64_t left = n;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t d = order_c ? sizes.size() - 1 - i : i;
        index[d] = left % sizes[d];
        left /= sizes[d];
      }
      use(index);
    }
  }
  static void bound(Type& naive, std::int64_t extent) {
    naive.lower_marks = {0};
    naive.upper_marks = {extent};
  }

  Both subarray(int depth) {
    const Both old = derived(depth - 1);
    const std::size_t dimensions = 1 + rng_.below(std::size_t{3});
    const bool order_c = rng_.percent(50);
    Numbers sizes, subsizes, starts;
    std::int64_t whole = old.naive.extent();
    for (std::size_t d = 0; d < dimensions; ++d) {
      sizes.push_back(1 + rng_.below(5));
      subsizes.push_back(1 + rng_.below(sizes.back()));
      starts.push_back(rng_.below(sizes.back() - subsizes.back() + 1));
      whole *= sizes.back();
    }
    Type naive;
    each_index(subsizes, order_c, [&](Numbers index) {
      for (std::size_t d = 0; d < dimensions; ++d) index[d] += starts[d];
      naive.add(old.naive, offset(sizes, index, order_c) * old.naive.extent());
    });
    bound(naive, whole);
    Numbers numbers{static_cast<std::int64_t>(dimensions)};
    for (const Numbers* more : {&sizes, &subsizes, &starts})
      numbers.insert(numbers.end(), more->begin(), more->end());
    numbers.push_back(order_c ? abi::ORDER_C : abi::ORDER_FORTRAN);
    return made(abi::COMBINER_SUBARRAY, numbers, {old}, naive);
  }

  Both darray(int depth) {
    const Both old = derived(depth - 1);
    const std::size_t dimensions = 1 + rng_.below(std::size_t{3});
    const bool order_c = rng_.percent(50);
    Numbers sizes, distributions, arguments, grid;
    std::int64_t processes = 1, whole = old.naive.extent();
    for (std::size_t d = 0; d < dimensions; ++d) {
      sizes.push_back(1 + rng_.below(7));
      distributions.push_back(abi::DISTRIBUTE_NONE + rng_.below(3));
      grid.push_back(distributions.back() == abi::DISTRIBUTE_NONE ? 1 : 1 + rng_.below(3));
      const std::int64_t least = distributions.back() == abi::DISTRIBUTE_BLOCK ? (sizes[d] - 1) / grid[d] + 1 : 1;
      arguments.push_back(rng_.percent(40) ? std::int64_t{abi::DISTRIBUTE_DFLT_DARG} : least + rng_.below(3));
      processes *= grid.back();
      whole *= sizes.back();
    }
    const std::int64_t rank = rng_.below(processes);
    // The standard deals out block after block: index i belongs to process (i / block) mod processes.
    const auto mine = [&](const Numbers& index) {
      std::int64_t owner = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const std::int64_t even = (sizes[d] + grid[d] - 1) / grid[d];
        const std::int64_t block = distributions[d] == abi::DISTRIBUTE_NONE    ? sizes[d]
                                   : arguments[d] != abi::DISTRIBUTE_DFLT_DARG ? arguments[d]
                                   : distributions[d] == abi::DISTRIBUTE_BLOCK ? even
                                                                               : 1;
        owner = owner * grid[d] + index[d] / block % grid[d];
      }
      return owner == rank;
    };
    Type naive;
    each_index(sizes, order_c, [&](const Numbers& index) {
      if (mine(index)) naive.add(old.naive, offset(sizes, index, order_c) * old.naive.extent());
    });
    bound(naive, whole);
    Numbers numbers{processes, rank, static_cast<std::int64_t>(dimensions)};
    for (const Numbers* more : {&sizes, &distributions, &arguments, &grid})
      numbers.insert(numbers.end(), more->begin(), more->end());
    numbers.push_back(order_c ? abi::ORDER_C : abi::ORDER_FORTRAN);
    return made(abi::COMBINER_DARRAY, numbers, {old}, naive);
  }

  Both made(int combiner, Numbers numbers, const std::vector<Both>& olds, Type naive) {
    objects::Recipe recipe{.combiner = combiner, .large = rng_.percent(50), .numbers = std::move(numbers)};
    for (const Both& old : olds) recipe.types.push_back(old.type);
    Both both{Ref<Datatype>::adopt(new Datatype(std::move(recipe))), std::move(naive)};
    return is_small(both.naive) ? both : predefined();
  }

  static bool is_small(const Type& type) {
    return type.entries.size() <= kMaxEntries && type.true_ub() - type.true_lb() <= kMaxSpan &&
           std::abs(type.extent()) <= kMaxSpan;
  }

  // Mostly 1 to 4, sometimes 0 or more.
  std::int64_t small() { return rng_.percent(6) ? 0 : rng_.percent(8) ? 5 + rng_.below(20) : 1 + rng_.below(4); }
  // The same for how many of a type there are, which for long ones is at most two.
  std::int64_t several(const Both& of) {
    const std::int64_t count = small();
    return of.naive.entries.size() > 50 ? std::min<std::int64_t>(count, 2) : count;
  }
  std::int64_t displacement() { return rng_.percent(50) ? 0 : rng_.below(81) - 40; }

  base::Rng& rng_;
};

}  // namespace antiphon::naive
