#include "section.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace antiphon::fortran {

namespace {

// A datatype as far as sections care, and whether it was made here.
class Element {
 public:
  explicit Element(MPI_Datatype type) : type_(type) {}
  ~Element() { drop(); }
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] MPI_Count extent() const { return extent_; }

  // Whether so many bytes hold a number of these exactly, side by side.
  bool fills(MPI_Count bytes) {
    MPI_Count lower = 0, true_lower = 0, true_extent = 0;
    if (PMPI_Type_get_extent_c(type_, &lower, &extent_) != MPI_SUCCESS) return false;
    if (PMPI_Type_get_true_extent_c(type_, &true_lower, &true_extent) != MPI_SUCCESS) return false;
    return extent_ > 0 && bytes % extent_ == 0 && true_lower >= 0 && true_lower + true_extent <= extent_;
  }

  // Becomes what it is a row of, `*count` times as many: three reals are a real, three times. False if it is no row.
  bool take_apart(MPI_Count* count) {
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope_c(type_, &integers, &addresses, &counts, &types, &combiner);
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
    int integer = 1;
    MPI_Count length = 1;
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    PMPI_Type_get_contents_c(type_, integers, addresses, counts, types, &integer, nullptr, &length, &inner);
    if (combiner == MPI_COMBINER_CONTIGUOUS) *count *= counts > 0 ? length : integer;
    drop();
    type_ = inner;
    MPI_Count ignored = 0;
    PMPI_Type_get_envelope_c(type_, &ignored, &ignored, &ignored, &ignored, &combiner);
    is_ours_ = combiner != MPI_COMBINER_NAMED;
    return true;
  }

 private:
  void drop() {
    if (is_ours_) PMPI_Type_free(&type_);
    is_ours_ = false;
  }

  MPI_Datatype type_;
  MPI_Count extent_ = 0;
  bool is_ours_ = false;
};

// How far each partition of `count` elements is from the one before it, if that is the same for all of them: if they
// divide the steps of one dimension, whose hyperplanes they hold as a whole. The first dimension is the elements of a
// run; the section's own follow from `first` on.
struct Dimension {
  MPI_Count steps;
  MPI_Count stride;
};
std::optional<MPI_Count> distance_of_partitions(Dimension run, const CFI_cdesc_t* array, int first, MPI_Count count,
                                                int partitions) {
  std::vector<Dimension> dimensions{run};
  for (int i = first; i < array->rank; ++i) {
    const CFI_dim_t& dim = array->dim[i];
    if (Dimension& last = dimensions.back(); dim.sm == last.steps * last.stride)
      last.steps *= dim.extent;  // goes on where the last one ends
    else
      dimensions.push_back({dim.extent, dim.sm});
  }
  MPI_Count below = 1;  // elements in a step
  for (const auto& [steps, stride] : dimensions) {
    if (count % below == 0 && count / below * partitions <= steps) return count / below * stride;
    below *= steps;
  }
  return std::nullopt;
}

// Datatypes on the way to another, which end with it.
class Workshop {
 public:
  Workshop() = default;
  ~Workshop() {
    for (MPI_Datatype& type : made_) PMPI_Type_free(&type);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  MPI_Datatype row(MPI_Count count, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_contiguous_c(count, type, &made);
    return keep(made);
  }
  MPI_Datatype strided(MPI_Count count, MPI_Count stride, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_hvector_c(count, 1, stride, type, &made);
    return keep(made);
  }

 private:
  MPI_Datatype keep(MPI_Datatype made) {
    made_.push_back(made);
    return made;
  }
  std::vector<MPI_Datatype> made_;
};

}  // namespace

int section_type(const CFI_cdesc_t* array, MPI_Count count, MPI_Datatype type, int partitions, MPI_Datatype* made) {
  // Leading dimensions without gaps are runs of bytes; the others repeat them.
  auto run = static_cast<MPI_Count>(array->elem_len);
  int first = 0;
  while (first < array->rank && (array->dim[first].extent == 1 || array->dim[first].sm == run))
    run *= array->dim[first++].extent;

  Element element(type);
  while (!element.fills(run))
    if (!element.take_apart(&count))
      return error_code(
          MPI_ERR_TYPE,
          "the choice buffer is an array section that is not contiguous, and an element of the datatype does "
          "not fit between its gaps: pass a contiguous array");
  const MPI_Count per_run = run / element.extent();

  // How many runs, and which datatype, one step of each dimension is.
  Workshop workshop;
  std::vector<MPI_Count> runs_below{1};
  std::vector<MPI_Datatype> types_below{per_run == 1 ? element.type() : workshop.row(per_run, element.type())};
  for (int i = first; i < array->rank; ++i) {
    runs_below.push_back(runs_below.back() * array->dim[i].extent);
    types_below.push_back(workshop.strided(array->dim[i].extent, array->dim[i].sm, types_below.back()));
  }
  MPI_Count runs = count / per_run;
  const MPI_Count rest = count % per_run;
  if (count * partitions > runs_below.back() * per_run)
    return error_code(MPI_ERR_COUNT, "the choice buffer is an array section that has fewer elements than count says");

  const auto distance = distance_of_partitions({per_run, element.extent()}, array, first, count, partitions);
  if (partitions > 1 && !distance)
    return error_code(MPI_ERR_BUFFER,
                      "the choice buffer is an array section that is not contiguous, and its partitions do not lie "
                      "at equal distances: let them divide one dimension of the section");

  // Whole hyperplanes first, then what is left of the next one, down to a part of a run.
  std::vector<MPI_Count> ones, offsets;
  std::vector<MPI_Datatype> parts;
  MPI_Count offset = 0;
  const auto add = [&](MPI_Datatype part) {
    ones.push_back(1);
    offsets.push_back(offset);
    parts.push_back(part);
  };
  for (int i = array->rank - 1; i >= first; --i) {
    const auto below = static_cast<std::size_t>(i - first);
    const MPI_Count steps = runs / runs_below[below];
    if (steps == 0) continue;
    add(workshop.strided(steps, array->dim[i].sm, types_below[below]));
    offset += steps * array->dim[i].sm;
    runs %= runs_below[below];
  }
  if (rest > 0) add(workshop.row(rest, element.type()));
  int code = PMPI_Type_create_struct_c(static_cast<MPI_Count>(parts.size()), ones.data(), offsets.data(),
                                       parts.data(), made);
  if (code == MPI_SUCCESS && partitions > 1) {
    MPI_Datatype one = *made;
    code = PMPI_Type_create_resized_c(one, 0, *distance, made);
    PMPI_Type_free(&one);
  }
  return code == MPI_SUCCESS ? PMPI_Type_commit(made) : code;
}

int error_code(int error_class, const char* sentence) {
  static std::mutex mutex;
  static std::map<const char*, int> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace(sentence, error_class);
  if (is_new) {
    PMPI_Add_error_code(error_class, &place->second);
    PMPI_Add_error_string(place->second, sentence);
  }
  return place->second;
}

}  // namespace antiphon::fortran
