// What a process sees of a file, and where its pointer is.
#include <numeric>

#include "some_file.hpp"

using namespace conformance;

namespace {

class Committed {
 public:
  explicit Committed(MPI_Datatype made) : type(made) { MPI_Type_commit(&type); }
  ~Committed() { MPI_Type_free(&type); }
  Committed(const Committed&) = delete;
  Committed& operator=(const Committed&) = delete;
  MPI_Datatype type;
};

// `ints` of every `period` ints.
MPI_Datatype some_of(int ints, int period) {
  MPI_Datatype block, made;
  MPI_Type_contiguous(ints, MPI_INT, &block);
  MPI_Type_create_resized(block, 0, period * MPI_Aint{4}, &made);
  MPI_Type_free(&block);
  return made;
}

void default_view() {
  SomeFile some;
  MPI_Offset disp = -1;
  MPI_Datatype etype, filetype;
  char datarep[MPI_MAX_DATAREP_STRING];
  expect_error(MPI_File_get_view(some.file, &disp, &etype, &filetype, datarep), MPI_SUCCESS, "MPI_File_get_view");
  expect_equal(disp, MPI_Offset{0}, "the displacement");
  expect(etype == MPI_BYTE && filetype == MPI_BYTE, "the types of a new file's view");
  expect_equal(std::string(datarep), std::string("native"), "the representation");
}

void what_was_set() {
  SomeFile some;
  const Committed filetype(some_of(2, 5));
  expect_error(MPI_File_set_view(some.file, 12, MPI_INT, filetype.type, "internal", MPI_INFO_NULL), MPI_SUCCESS,
               "MPI_File_set_view");
  MPI_Offset disp = -1, at = -1;
  MPI_Datatype etype, got;
  char datarep[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(some.file, &disp, &etype, &got, datarep);
  expect_equal(disp, MPI_Offset{12}, "the displacement");
  expect(etype == MPI_INT, "the etype");
  expect_equal(std::string(datarep), std::string("internal"), "the representation");
  MPI_Aint lb = -1, extent = -1;
  MPI_Type_get_extent(got, &lb, &extent);
  expect_equal(extent, MPI_Aint{20}, "the filetype's extent");
  expect_error(MPI_Type_free(&got), MPI_SUCCESS, "freeing the filetype that was returned");
  for (const auto& [offset, bytes] : {std::pair{0, 12}, {1, 16}, {2, 32}, {3, 36}, {20, 212}}) {
    MPI_File_get_byte_offset(some.file, offset, &at);
    expect_equal(at, MPI_Offset{bytes}, "the byte of etype " + std::to_string(offset));
  }
  MPI_File_get_type_extent(some.file, filetype.type, &extent);
  expect_equal(extent, MPI_Aint{20}, "the extent in the file");
}

void the_type_may_be_freed() {
  SomeFile some;
  MPI_Datatype filetype = some_of(1, size());
  MPI_Type_commit(&filetype);
  MPI_File_set_view(some.file, rank() * 4, MPI_INT, filetype, "native", MPI_INFO_NULL);
  MPI_Type_free(&filetype);
  const int numbers[] = {rank(), rank() + 100};
  expect_error(MPI_File_write(some.file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS, "writing");
  const auto bytes = some.contents();
  expect_equal(bytes.size(), std::size_t{8} * static_cast<std::size_t>(size()), "the size of the file");
  const int* const all = reinterpret_cast<const int*>(bytes.data());
  for (int i = 0; i < 2 * size(); ++i)
    expect_equal(all[i], i % size() + (i < size() ? 0 : 100), "number " + std::to_string(i));
}

void seeking() {
  SomeFile some;
  MPI_File_set_size(some.file, 100);
  const Committed filetype(some_of(2, 5));
  MPI_File_set_view(some.file, 0, MPI_INT, filetype.type, "native", MPI_INFO_NULL);
  MPI_Offset at = -1;
  const auto expect_at = [&](MPI_Offset wanted, const char* what) {
    MPI_File_get_position(some.file, &at);
    expect_equal(at, wanted, what);
  };
  expect_at(0, "the position of a new view");
  MPI_File_seek(some.file, 3, MPI_SEEK_SET);
  MPI_File_seek(some.file, 4, MPI_SEEK_CUR);
  expect_at(7, "the position after seeking twice");
  MPI_File_seek(some.file, -2, MPI_SEEK_CUR);
  expect_at(5, "the position after seeking back");
  MPI_File_seek(some.file, 0, MPI_SEEK_END);
  expect_at(10, "the end: five filetypes of two ints");
  expect_error(MPI_File_seek(some.file, -11, MPI_SEEK_END), MPI_ERR_ARG, "seeking to before the beginning");
  expect_error(MPI_File_seek(some.file, 0, 77), MPI_ERR_ARG, "seeking from nowhere");
  expect_at(10, "the position after refusals");
  int numbers[2] = {};
  MPI_File_seek(some.file, 1, MPI_SEEK_SET);
  MPI_File_read(some.file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE);
  expect_at(3, "the position after a read");
  MPI_File_set_view(some.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  expect_at(0, "the position after another view");
}

void refused_views() {
  SomeFile some;
  const int lengths[] = {1, 1}, back[] = {3, 0}, negative[] = {-1, 0}, twice[] = {0, 0};
  const auto refuse = [&](const int* displacements, const char* what) {
    MPI_Datatype type;
    MPI_Type_indexed(2, lengths, displacements, MPI_INT, &type);
    const Committed filetype(type);
    expect_error(MPI_File_set_view(some.file, 0, MPI_INT, filetype.type, "native", MPI_INFO_NULL), MPI_ERR_IO, what);
  };
  refuse(back, "a filetype with displacements that decrease");
  refuse(negative, "a filetype with a negative displacement");
  refuse(twice, "a filetype that overlaps itself");
  const auto view = [&](MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep) {
    return MPI_File_set_view(some.file, disp, etype, filetype, datarep, MPI_INFO_NULL);
  };
  expect_error(view(0, MPI_DOUBLE, MPI_INT, "native"), MPI_ERR_TYPE, "a filetype that is no multiple of the etype");
  expect_error(view(-2, MPI_INT, MPI_INT, "native"), MPI_ERR_ARG, "a negative displacement");
  expect_error(view(0, MPI_INT, MPI_INT, "roman"), MPI_ERR_UNSUPPORTED_DATAREP, "an unknown representation");
  MPI_Datatype uncommitted;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  expect_error(view(0, MPI_INT, uncommitted, "native"), MPI_ERR_TYPE, "a filetype that is not committed");
  MPI_Type_free(&uncommitted);
  if (size() > 1) {
    expect_error(view(0, MPI_INT, MPI_INT, rank() == 0 ? "native" : "internal"), MPI_ERR_NOT_SAME,
                 "different representations");
    expect_error(view(rank() == 1 ? -2 : 0, MPI_INT, MPI_INT, "native"), MPI_ERR_ARG,
                 "a negative displacement on one rank");
  }
  some.reopen(MPI_MODE_RDONLY);
  MPI_Datatype overlapping;
  MPI_Type_indexed(2, lengths, twice, MPI_INT, &overlapping);
  const Committed filetype(overlapping);
  expect_error(view(0, MPI_INT, filetype.type, "native"), MPI_SUCCESS,
               "a filetype that overlaps itself, of a file that is only read");
}

void counts_of_etypes() {
  SomeFile some;
  MPI_File_set_view(some.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  const char bytes[8] = {};
  expect_error(MPI_File_write_at(some.file, 0, bytes, 6, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_TYPE,
               "one etype and a half");
  expect_error(MPI_File_write_at(some.file, INT64_MAX / 2, bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_ARG,
               "an offset that 64 bits cannot count in bytes");
  expect_error(MPI_File_write_at(some.file, 0, bytes, -1, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_COUNT,
               "a negative count");
  expect_error(MPI_File_write_at(some.file, 0, nullptr, 8, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_BUFFER, "no buffer");
}

}  // namespace

int main() {
  return run({
      {"A new file is seen as bytes", default_view},
      {"A view is what was set", what_was_set},
      {"A view keeps its types", the_type_may_be_freed},
      {"A pointer counts etypes", seeking},
      {"Wrong views are refused on all ranks", refused_views},
      {"Accesses are of whole etypes within reach", counts_of_etypes},
  });
}
