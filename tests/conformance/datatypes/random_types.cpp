// Random datatypes through the C interface, each made by procedures of both widths, against the naive list of their
// elements: bounds, packing, unpacking, a message, and what made them. tests/unit/datatypes does more to the engine
// alone. ANTIPHON_TYPE_SEEDS sets how many (default 300); ANTIPHON_TYPE_SEED runs one.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "datatypes/random_type.hpp"
#include "support/ranks.hpp"

using namespace conformance;
using antiphon::naive::Both;
using antiphon::objects::Element;
using antiphon::objects::Recipe;

namespace {

using Numbers = std::vector<std::int64_t>;
using Types = std::vector<MPI_Datatype>;

MPI_Datatype predefined(Element element) {
  switch (element) {
    case Element::byte:
      return MPI_BYTE;
    case Element::int16:
      return MPI_INT16_T;
    case Element::int32:
      return MPI_INT32_T;
    case Element::float64:
      return MPI_DOUBLE;
    case Element::complex128:
      return MPI_C_DOUBLE_COMPLEX;
    case Element::float_extended:
      return MPI_LONG_DOUBLE;
    case Element::short_int:
      return MPI_SHORT_INT;
    case Element::double_int:
      return MPI_DOUBLE_INT;
    case Element::float_int:
      return MPI_FLOAT_INT;
    case Element::long_double_int:
      return MPI_LONG_DOUBLE_INT;
    default:
      return MPI_DATATYPE_NULL;
  }
}

// An argument list in the order of the procedure's declaration, which is taken from the front, as the type that the
// procedure has for it.
class Arguments {
 public:
  explicit Arguments(const Numbers& numbers) : next_(numbers.data()) {}
  template <class Integer>
  Integer one() {
    return static_cast<Integer>(*next_++);
  }
  template <class Integer>
  std::vector<Integer> some(std::int64_t count) {
    const std::vector<Integer> taken(next_, next_ + count);
    next_ += count;
    return taken;
  }

 private:
  const std::int64_t* next_;
};

// The procedures of one width: what counts and what displacements in bytes are.
struct Narrow {
  using Count = int;
  using Bytes = MPI_Aint;
  static constexpr auto contiguous = MPI_Type_contiguous;
  static constexpr auto vector = MPI_Type_vector;
  static constexpr auto hvector = MPI_Type_create_hvector;
  static constexpr auto indexed = MPI_Type_indexed;
  static constexpr auto hindexed = MPI_Type_create_hindexed;
  static constexpr auto indexed_block = MPI_Type_create_indexed_block;
  static constexpr auto hindexed_block = MPI_Type_create_hindexed_block;
  static constexpr auto structure = MPI_Type_create_struct;
  static constexpr auto subarray = MPI_Type_create_subarray;
  static constexpr auto darray = MPI_Type_create_darray;
  static constexpr auto resized = MPI_Type_create_resized;
};
struct Wide {
  using Count = MPI_Count;
  using Bytes = MPI_Count;
  static constexpr auto contiguous = MPI_Type_contiguous_c;
  static constexpr auto vector = MPI_Type_vector_c;
  static constexpr auto hvector = MPI_Type_create_hvector_c;
  static constexpr auto indexed = MPI_Type_indexed_c;
  static constexpr auto hindexed = MPI_Type_create_hindexed_c;
  static constexpr auto indexed_block = MPI_Type_create_indexed_block_c;
  static constexpr auto hindexed_block = MPI_Type_create_hindexed_block_c;
  static constexpr auto structure = MPI_Type_create_struct_c;
  static constexpr auto subarray = MPI_Type_create_subarray_c;
  static constexpr auto darray = MPI_Type_create_darray_c;
  static constexpr auto resized = MPI_Type_create_resized_c;
};

template <class Width>
MPI_Datatype made(int combiner, const Numbers& numbers, const Types& old) {
  using Count = typename Width::Count;
  using Bytes = typename Width::Bytes;
  Arguments next(numbers);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (combiner == MPI_COMBINER_DUP) {
    MPI_Type_dup(old[0], &type);
  } else if (combiner == MPI_COMBINER_CONTIGUOUS) {
    Width::contiguous(next.one<Count>(), old[0], &type);
  } else if (combiner == MPI_COMBINER_RESIZED) {
    const auto lb = next.one<Bytes>(), extent = next.one<Bytes>();
    Width::resized(old[0], lb, extent, &type);
  } else if (combiner == MPI_COMBINER_VECTOR) {
    const auto count = next.one<Count>(), length = next.one<Count>(), stride = next.one<Count>();
    Width::vector(count, length, stride, old[0], &type);
  } else if (combiner == MPI_COMBINER_HVECTOR) {
    const auto count = next.one<Count>(), length = next.one<Count>();
    Width::hvector(count, length, next.one<Bytes>(), old[0], &type);
  } else if (combiner == MPI_COMBINER_SUBARRAY) {
    const int dimensions = next.one<int>();
    const auto sizes = next.some<Count>(dimensions), parts = next.some<Count>(dimensions),
               starts = next.some<Count>(dimensions);
    Width::subarray(dimensions, sizes.data(), parts.data(), starts.data(), next.one<int>(), old[0], &type);
  } else if (combiner == MPI_COMBINER_DARRAY) {
    const int processes = next.one<int>(), rank = next.one<int>(), dimensions = next.one<int>();
    const auto sizes = next.some<Count>(dimensions);
    const auto distributions = next.some<int>(dimensions), arguments = next.some<int>(dimensions),
               grid = next.some<int>(dimensions);
    Width::darray(processes, rank, dimensions, sizes.data(), distributions.data(), arguments.data(), grid.data(),
                  next.one<int>(), old[0], &type);
  } else if (combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK) {
    const auto count = next.one<Count>(), length = next.one<Count>();
    if (combiner == MPI_COMBINER_INDEXED_BLOCK)
      Width::indexed_block(count, length, next.some<Count>(count).data(), old[0], &type);
    else
      Width::hindexed_block(count, length, next.some<Bytes>(count).data(), old[0], &type);
  } else {
    const auto count = next.one<Count>();
    const auto lengths = next.some<Count>(count);
    if (combiner == MPI_COMBINER_INDEXED)
      Width::indexed(count, lengths.data(), next.some<Count>(count).data(), old[0], &type);
    else if (combiner == MPI_COMBINER_HINDEXED)
      Width::hindexed(count, lengths.data(), next.some<Bytes>(count).data(), old[0], &type);
    else
      Width::structure(count, lengths.data(), next.some<Bytes>(count).data(), old.data(), &type);
  }
  return type;
}

void release(MPI_Datatype type) {
  MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
  int combiner = 0;
  MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&type);
}

MPI_Datatype made_from(const antiphon::objects::Datatype& model) {
  const Recipe& recipe = model.recipe();
  if (recipe.combiner == MPI_COMBINER_NAMED) return predefined(model.element());
  Types old;
  for (const auto& type : recipe.types) old.push_back(made_from(*type));
  const MPI_Datatype type = recipe.large ? made<Wide>(recipe.combiner, recipe.numbers, old)
                                         : made<Narrow>(recipe.combiner, recipe.numbers, old);
  for (const MPI_Datatype one : old) release(one);
  return type;
}

// What MPI_Type_get_contents returns is what the type, and whatever is inside it, was made from.
bool tells_how_it_was_made(MPI_Datatype type, const antiphon::objects::Datatype& model) {
  const Recipe& recipe = model.recipe();
  MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
  int combiner = 0;
  MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
  if (combiner != recipe.combiner) return false;
  if (combiner == MPI_COMBINER_NAMED) return type == predefined(model.element());
  if (recipe.large && combiner != MPI_COMBINER_DUP && counts == 0) return false;
  std::vector<int> ints(static_cast<std::size_t>(integers));
  std::vector<MPI_Aint> aints(static_cast<std::size_t>(addresses));
  std::vector<MPI_Count> larges(static_cast<std::size_t>(counts));
  Types inner(static_cast<std::size_t>(types));
  if (counts == 0)
    MPI_Type_get_contents(type, static_cast<int>(integers), static_cast<int>(addresses), static_cast<int>(types),
                          ints.data(), aints.data(), inner.data());
  else
    MPI_Type_get_contents_c(type, integers, addresses, counts, types, ints.data(), aints.data(), larges.data(),
                            inner.data());
  // Large counts stand where the declaration has them: behind ndims, or behind size, rank and ndims.
  Numbers numbers(ints.begin(), ints.end());
  const std::ptrdiff_t before = combiner == MPI_COMBINER_SUBARRAY ? 1 : combiner == MPI_COMBINER_DARRAY ? 3 : 0;
  numbers.insert(numbers.begin() + (counts == 0 ? 0 : before), larges.begin(), larges.end());
  numbers.insert(numbers.end(), aints.begin(), aints.end());
  bool same = numbers == recipe.numbers && inner.size() == recipe.types.size();
  for (std::size_t i = 0; i < inner.size(); ++i) {
    same = same && tells_how_it_was_made(inner[i], *recipe.types[i]);
    release(inner[i]);
  }
  return same;
}

// Memory for `count` of a type, with not a byte more, at both ends, than the type reaches.
struct Memory {
  std::int64_t low = 0;
  std::vector<std::byte> bytes;

  Memory(const antiphon::naive::Type& type, std::int64_t count) {
    if (type.entries.empty() || count == 0) return;
    const std::int64_t last = (count - 1) * type.extent();
    low = type.true_lb() + std::min<std::int64_t>(last, 0);
    bytes.resize(static_cast<std::size_t>(type.true_ub() + std::max<std::int64_t>(last, 0) - low));
  }
  std::byte* buffer() { return bytes.data() - low; }
};

void check(std::uint64_t seed) {
  const std::string what = ", ANTIPHON_TYPE_SEED=" + std::to_string(seed);
  antiphon::base::Rng rng(seed);
  const Both both = antiphon::naive::RandomType(rng).make(1 + static_cast<int>(seed % 6));
  MPI_Datatype type = made_from(*both.type);

  MPI_Count size = 0, lb = 0, extent = 0, true_lb = 0, true_extent = 0;
  MPI_Type_size_c(type, &size);
  MPI_Type_get_extent_c(type, &lb, &extent);
  MPI_Type_get_true_extent_c(type, &true_lb, &true_extent);
  expect_equal(size, both.naive.size(), "the size" + what);
  expect_equal(lb, both.naive.lb(), "the lower bound" + what);
  expect_equal(extent, both.naive.extent(), "the extent" + what);
  expect_equal(true_lb, both.naive.true_lb(), "the true lower bound" + what);
  expect_equal(true_extent, both.naive.true_ub() - both.naive.true_lb(), "the true extent" + what);
  expect(tells_how_it_was_made(type, *both.type), "MPI_Type_get_contents tells something else" + what);

  MPI_Type_commit(&type);
  const int count = static_cast<int>(1 + rng.below(3));
  Memory memory(both.naive, count);
  for (std::byte& byte : memory.bytes) byte = static_cast<std::byte>(rng.next());
  const std::vector<std::byte> wanted = both.naive.pack(memory.buffer(), count);
  const int total = static_cast<int>(wanted.size());
  std::vector<std::byte> packed(wanted.size()), sent(wanted.size());
  int position = 0;
  MPI_Count position_c = 0;
  if (seed % 2 == 0)
    MPI_Pack(memory.buffer(), count, type, packed.data(), total, &position, MPI_COMM_SELF);
  else
    MPI_Pack_c(memory.buffer(), count, type, packed.data(), total, &position_c, MPI_COMM_SELF);
  expect_equal(position + position_c, MPI_Count{total}, "the position" + what);
  expect(packed == wanted, "what is packed differs" + what);
  MPI_Sendrecv(memory.buffer(), count, type, 0, 0, sent.data(), total, MPI_BYTE, 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  expect(sent == wanted, "what is sent differs" + what);

  if (!both.naive.overlaps(count)) {
    Memory expected(both.naive, count), unpacked(both.naive, count), received(both.naive, count);
    both.naive.unpack(wanted.data(), total, expected.buffer(), count);
    position = 0;
    position_c = 0;
    if (seed % 2 == 0)
      MPI_Unpack_c(wanted.data(), total, &position_c, unpacked.buffer(), count, type, MPI_COMM_SELF);
    else
      MPI_Unpack(wanted.data(), total, &position, unpacked.buffer(), count, type, MPI_COMM_SELF);
    expect(unpacked.bytes == expected.bytes, "what is unpacked differs" + what);
    MPI_Sendrecv(wanted.data(), total, MPI_BYTE, 0, 0, received.buffer(), count, type, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    expect(received.bytes == expected.bytes, "what is received differs" + what);
  }
  release(type);
}

void both_widths_make_what_the_list_of_elements_says() {
  if (const char* one = std::getenv("ANTIPHON_TYPE_SEED")) return check(std::strtoull(one, nullptr, 10));
  const char* wanted = std::getenv("ANTIPHON_TYPE_SEEDS");
  const std::uint64_t usual = std::getenv("ANTIPHON_TEST_LONG") ? 3000 : 300;
  const std::uint64_t seeds = wanted ? std::strtoull(wanted, nullptr, 10) : usual;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) check(seed);
}

}  // namespace

int main() {
  return run({{"both widths make what the list of elements says", both_widths_make_what_the_list_of_elements_says}});
}
