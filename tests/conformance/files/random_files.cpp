// Random files against a naive model: views, memory, ways of access and hints are drawn from a seed that all ranks
// know. The model is an array of the file's bytes, and lists, byte by byte, of what each rank sees.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "some_file.hpp"

using namespace conformance;

namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  int operator()(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  int from(int least, int most) { return least + (*this)(most - least + 1); }
  bool one_in(int chances) { return (*this)(chances) == 0; }

 private:
  std::minstd_rand engine_;
};

// Pieces of the file that repeat, in etypes of `unit` bytes.
struct Pattern {
  int unit = 1;
  MPI_Offset displacement = 0;
  int period = 1;                                // etypes
  std::vector<std::pair<int, int>> pieces = {};  // where each begins, and its length

  [[nodiscard]] int etypes() const {
    int all = 0;
    for (const auto& [start, length] : pieces) all += length;
    return all;
  }
  // The offset in the file of each byte of the view from etype `offset` on.
  [[nodiscard]] std::vector<std::size_t> bytes(int offset, int count) const {
    std::vector<std::size_t> found;
    for (int i = offset; i < offset + count; ++i) {
      int rest = i % etypes(), at = -1;
      for (const auto& [start, length] : pieces) {
        if (at < 0 && rest < length) at = start + rest;
        rest -= length;
      }
      const MPI_Offset first = displacement + (MPI_Offset{i / etypes()} * period + at) * unit;
      for (int byte = 0; byte < unit; ++byte) found.push_back(static_cast<std::size_t>(first + byte));
    }
    return found;
  }
  [[nodiscard]] MPI_Datatype etype() const { return unit == 1 ? MPI_BYTE : unit == 4 ? MPI_INT : MPI_DOUBLE; }
  [[nodiscard]] MPI_Datatype filetype() const {
    std::vector<int> starts, lengths;
    for (const auto& [start, length] : pieces) {
      starts.push_back(start);
      lengths.push_back(length);
    }
    MPI_Datatype indexed, made;
    MPI_Type_indexed(static_cast<int>(pieces.size()), lengths.data(), starts.data(), etype(), &indexed);
    MPI_Type_create_resized(indexed, 0, MPI_Aint{period} * unit, &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&indexed);
    return made;
  }
};

// What each rank may write: no byte belongs to two.
std::vector<Pattern> disjoint_patterns(Draw& draw, int ranks) {
  constexpr int kUnits[] = {1, 4, 8};
  const int unit = kUnits[draw(3)], pieces = draw.from(1, 6);
  const MPI_Offset displacement = draw.one_in(2) ? 0 : draw(50) * MPI_Offset{4};
  std::vector<Pattern> all(static_cast<std::size_t>(ranks), {.unit = unit, .displacement = displacement});
  int at = 0;
  for (int piece = 0; piece < pieces; ++piece)
    for (int rank = 0; rank < ranks; ++rank) {
      const int length = draw.from(1, 5);
      if (piece == 0 || !draw.one_in(4)) all[static_cast<std::size_t>(rank)].pieces.emplace_back(at, length);
      at += length + (draw.one_in(5) ? draw(4) : 0);
    }
  for (Pattern& pattern : all) pattern.period = at;
  return all;
}

// What each rank reads may be anything.
Pattern any_pattern(Draw& draw) {
  constexpr int kUnits[] = {1, 4, 8};
  Pattern made{.unit = kUnits[draw(3)], .displacement = draw(100)};
  int at = 0;
  for (int piece = draw.from(1, 5); piece > 0; --piece) {
    at += draw(6);
    const int length = draw.from(1, 7);
    made.pieces.emplace_back(at, length);
    at += length;
  }
  made.period = at + draw(3);
  return made;
}

// Memory of `count` etypes: contiguous, or every second etype.
class SomeMemory {
 public:
  SomeMemory(Draw& draw, const Pattern& pattern, int etypes)
      : unit_(static_cast<std::size_t>(pattern.unit)),
        step_(draw.one_in(2) ? 2 : 1),
        count_(static_cast<std::size_t>(etypes)),
        bytes_(unit_ * step_ * count_ + 1, 0xaa) {
    MPI_Type_create_resized(pattern.etype(), 0, static_cast<MPI_Aint>(unit_ * step_), &type);
    MPI_Type_commit(&type);
  }
  ~SomeMemory() { MPI_Type_free(&type); }
  SomeMemory(const SomeMemory&) = delete;
  SomeMemory& operator=(const SomeMemory&) = delete;

  [[nodiscard]] void* data() { return bytes_.data(); }
  [[nodiscard]] std::size_t bytes() const { return unit_ * count_; }
  unsigned char& byte(std::size_t i) { return bytes_[i / unit_ * unit_ * step_ + i % unit_]; }

  MPI_Datatype type = MPI_DATATYPE_NULL;

 private:
  std::size_t unit_, step_, count_;
  std::vector<unsigned char> bytes_;
};

enum class Way { at, own, all_at, all_own, later_at, later_all, split, kWays };

int access(MPI_File file, bool writes, Way way, int offset, SomeMemory& memory, int count, MPI_Status* status) {
  MPI_Request request;
  void* const data = memory.data();
  const MPI_Datatype type = memory.type;
  if (way == Way::own || way == Way::all_own) MPI_File_seek(file, offset, MPI_SEEK_SET);
  switch (way) {
    case Way::at:
      return writes ? MPI_File_write_at(file, offset, data, count, type, status)
                    : MPI_File_read_at(file, offset, data, count, type, status);
    case Way::own:
      return writes ? MPI_File_write(file, data, count, type, status)
                    : MPI_File_read(file, data, count, type, status);
    case Way::all_at:
      return writes ? MPI_File_write_at_all_c(file, offset, data, count, type, status)
                    : MPI_File_read_at_all_c(file, offset, data, count, type, status);
    case Way::all_own:
      return writes ? MPI_File_write_all(file, data, count, type, status)
                    : MPI_File_read_all(file, data, count, type, status);
    case Way::later_at:
      if (writes)
        MPI_File_iwrite_at(file, offset, data, count, type, &request);
      else
        MPI_File_iread_at(file, offset, data, count, type, &request);
      return MPI_Wait(&request, status);
    case Way::later_all:
      if (writes)
        MPI_File_iwrite_at_all(file, offset, data, count, type, &request);
      else
        MPI_File_iread_at_all(file, offset, data, count, type, &request);
      return MPI_Wait(&request, status);
    default:
      if (writes) {
        MPI_File_write_at_all_begin(file, offset, data, count, type);
        return MPI_File_write_at_all_end(file, data, status);
      }
      MPI_File_read_at_all_begin(file, offset, data, count, type);
      return MPI_File_read_at_all_end(file, data, status);
  }
}

void set_view(MPI_File file, const Pattern& pattern) {
  MPI_Datatype filetype = pattern.filetype();
  expect_error(MPI_File_set_view(file, pattern.displacement, pattern.etype(), filetype, "native", MPI_INFO_NULL),
               MPI_SUCCESS, "setting a view");
  MPI_Type_free(&filetype);
}

using Model = std::vector<unsigned char>;

// One write of all ranks; the model of each rank learns what all have written.
void write_once(MPI_File file, Draw& draw, Model& model) {
  const auto patterns = disjoint_patterns(draw, size());
  set_view(file, patterns[static_cast<std::size_t>(rank())]);
  const Way way = static_cast<Way>(draw(static_cast<int>(Way::kWays)));
  const int offset = draw(10), most = draw.from(1, 60), mark = draw(200);
  for (int each = 0; each < size(); ++each) {
    const Pattern& pattern = patterns[static_cast<std::size_t>(each)];
    const int count = draw.one_in(6) ? 0 : draw.from(1, most);
    Draw own(static_cast<unsigned>(mark * 31 + each));
    const auto value = [&](std::size_t i) {
      return static_cast<unsigned char>(mark + 3 * each + static_cast<int>(i));
    };
    const auto places = pattern.bytes(offset, count);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] >= model.size()) model.resize(places[i] + 1, 0);
      model[places[i]] = value(i);
    }
    if (each != rank()) continue;
    SomeMemory memory(own, pattern, count);
    for (std::size_t i = 0; i < memory.bytes(); ++i) memory.byte(i) = value(i);
    MPI_Status status;
    expect_error(access(file, true, way, offset, memory, count, &status), MPI_SUCCESS, "writing");
    expect_equal(count_in(status, MPI_BYTE), static_cast<int>(places.size()), "bytes written");
  }
}

// One read of all ranks, each through a view of its own but for the size of its etypes.
void read_once(MPI_File file, Draw& draw, const Model& model) {
  std::vector<Pattern> patterns;
  for (int each = 0; each < size(); ++each) {
    patterns.push_back(any_pattern(draw));
    patterns.back().unit = patterns.front().unit;
  }
  const Pattern& pattern = patterns[static_cast<std::size_t>(rank())];
  set_view(file, pattern);
  const Way way = static_cast<Way>(draw(static_cast<int>(Way::kWays)));
  const int offset = draw(10), count = draw(100);
  Draw own(static_cast<unsigned>(offset * 7 + rank()));
  SomeMemory memory(own, pattern, count);
  MPI_Status status;
  expect_error(access(file, false, way, offset, memory, count, &status), MPI_SUCCESS, "reading");
  const auto places = pattern.bytes(offset, count);
  std::size_t there = 0;
  while (there < places.size() && places[there] < model.size()) ++there;
  expect_equal(count_in(status, MPI_BYTE), static_cast<int>(there), "bytes read");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const unsigned char wanted = i < there ? model[places[i]] : 0xaa;
    if (memory.byte(i) != wanted)
      return fail("byte " + std::to_string(i) + " of " + std::to_string(there) + " read is " +
                      std::to_string(memory.byte(i)) + " instead of " + std::to_string(wanted) + ", way " +
                      std::to_string(static_cast<int>(way)),
                  Where::current());
  }
}

void one_file(unsigned seed) {
  Draw draw(seed);
  const char* const phases[] = {"enable", "disable", "automatic"};
  const std::string aggregators = std::to_string(draw(size() + 1)), buffer = std::to_string(1 << draw.from(9, 16));
  const Hints hints{{"romio_cb_write", phases[draw(3)]},
                    {"romio_cb_read", phases[draw(3)]},
                    {"cb_nodes", aggregators.c_str()},
                    {"cb_buffer_size", buffer.c_str()},
                    {"romio_ds_read", draw.one_in(3) ? "disable" : "automatic"},
                    {"ind_rd_buffer_size", draw.one_in(2) ? "64" : "4096"}};
  SomeFile some(MPI_MODE_CREATE | MPI_MODE_RDWR, hints.info);
  if (draw.one_in(5)) MPI_File_set_atomicity(some.file, 1);
  Model model;
  for (int step = draw.from(2, 5); step > 0; --step) {
    write_once(some.file, draw, model);
    MPI_File_sync(some.file);
    MPI_Barrier(MPI_COMM_WORLD);
    read_once(some.file, draw, model);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  expect(some.contents() == model, "the file is not what the model is");
}

void random_files() {
  const char* const given = std::getenv("FILE_SEED");
  const bool is_long = std::getenv("ANTIPHON_TEST_LONG") != nullptr;
  const unsigned seeds = is_simulated() ? 15 : is_long ? 2000 : 150;
  if (given) return one_file(static_cast<unsigned>(std::atoi(given)));
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    one_file(seed);
    int failed = failures() != 0 ? 1 : 0, any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any != 0) return expect(failed == 0, "FILE_SEED=" + std::to_string(seed) + " repeats it");
  }
}

}  // namespace

int main() { return run({{"Random files are what a naive model says", random_files}}); }
