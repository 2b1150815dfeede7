// A file of elements of one type, which the ranks of a communicator open together. Offsets count elements of what a
// rank sees:
//
//   auto file = antiphon::open_file<double>(comm, "grid", {.mode = file_mode::read_write, .create = true});
//   file.see({.from = comm.rank(), .block = 1, .every = comm.size()});   // all ranks: each sees its own elements
//   file.write_all(row, {.at = 0});                                      // all ranks
//   const std::size_t got = file.read(std::span(back), {.at = 0});       // this rank alone; fewer where the file
//   ends auto written = file.iwrite(std::move(row), {.at = 100});             // a future, as of messages
//
// The file closes when its owner ends, which is collective. Errors are exceptions.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "buffer.hpp"
#include "error.hpp"
#include "future.hpp"
#include "options.hpp"
#include "owned.hpp"

namespace antiphon {

enum class file_mode { read = MPI_MODE_RDONLY, write = MPI_MODE_WRONLY, read_write = MPI_MODE_RDWR };

// How a file is opened; the same on all ranks.
struct file_options {
  file_mode mode = file_mode::read;
  bool create = false;           // if it is not there
  bool exclusive = false;        // and must not be there
  bool append = false;           // pointers begin at its end
  bool delete_on_close = false;  // for as long as it is open
  MPI_Info hints = MPI_INFO_NULL;
};

// Where an access begins, in elements of what the rank sees.
struct file_place {
  MPI_Offset at = 0;
};

// What a rank sees: `block` elements of every `every`, from element `from` of the file on.
struct file_pattern {
  MPI_Offset from = 0;
  MPI_Count block = 1;
  MPI_Count every = 1;
};

template <class T>
class file {
 public:
  using native_type = MPI_File;
  explicit file(MPI_File native) noexcept : native_(native) {}
  // Not of an owner that is about to go.
  template <class Owner>
  requires detail::is_owned<Owner> file(Owner&&) : file(null()) {
    static_assert(
        detail::never<Owner>,
        "this file is closed at once, and the view of it would stay: keep its owner, auto file = open_file<T>(...);");
  }
  operator MPI_File() const noexcept { return native_; }
  static MPI_File null() noexcept { return MPI_FILE_NULL; }
  static void free(MPI_File& native) { detail::check(MPI_File_close(&native)); }

  // Elements from the beginning of the file to its end, whatever the ranks see.
  [[nodiscard]] MPI_Offset size() const {
    MPI_Offset bytes = 0;
    detail::check(MPI_File_get_size(native_, &bytes));
    return bytes / static_cast<MPI_Offset>(sizeof(T));
  }
  // Collective.
  void resize(MPI_Offset elements) const {
    detail::check(MPI_File_set_size(native_, elements * static_cast<MPI_Offset>(sizeof(T))));
  }
  // Returns when what this rank has written is on the device. Collective.
  void sync() const { detail::check(MPI_File_sync(native_)); }
  // Whether a read finds all of another rank's write or nothing of it. Collective.
  void set_atomic(bool atomic) const { detail::check(MPI_File_set_atomicity(native_, atomic ? 1 : 0)); }

  // What this rank sees from now on; pointers go back to the beginning. Collective. The second form takes any
  // filetype, from a displacement in bytes on.
  void see(file_pattern what) const {
    MPI_Datatype block = MPI_DATATYPE_NULL, pattern = MPI_DATATYPE_NULL;
    const auto bytes = static_cast<MPI_Count>(sizeof(T));
    detail::check(MPI_Type_contiguous_c(what.block, datatype_of<T>(), &block));
    detail::check(MPI_Type_create_resized_c(block, 0, what.every * bytes, &pattern));
    detail::check(MPI_Type_commit(&pattern));
    detail::check(MPI_Type_free(&block));
    const int code =
        MPI_File_set_view(native_, what.from * bytes, datatype_of<T>(), pattern, "native", MPI_INFO_NULL);
    detail::check(MPI_Type_free(&pattern));
    detail::check(code);
  }
  void see(MPI_Offset displacement, MPI_Datatype filetype) const {
    detail::check(MPI_File_set_view(native_, displacement, datatype_of<T>(), filetype, "native", MPI_INFO_NULL));
  }

  // One rank alone. Reads return how many elements they have found before the end of the file.
  template <class B>
  void write(const B& elements, file_place where) const {
    const auto [address, count, type] = source(elements);
    detail::check(MPI_File_write_at_c(native_, where.at, address, count, type, MPI_STATUS_IGNORE));
  }
  template <class B>
  std::size_t read(B&& elements, file_place where) const {
    const auto [address, count, type] = target(elements);
    MPI_Status status;
    detail::check(MPI_File_read_at_c(native_, where.at, address, count, type, &status));
    return found(status);
  }

  // All ranks together.
  template <class B>
  void write_all(const B& elements, file_place where) const {
    const auto [address, count, type] = source(elements);
    detail::check(MPI_File_write_at_all_c(native_, where.at, address, count, type, MPI_STATUS_IGNORE));
  }
  template <class B>
  std::size_t read_all(B&& elements, file_place where) const {
    const auto [address, count, type] = target(elements);
    MPI_Status status;
    detail::check(MPI_File_read_at_all_c(native_, where.at, address, count, type, &status));
    return found(status);
  }

  // Where the pointer is that all ranks share, which moves on; one rank alone, or all in the order of their ranks.
  template <class B>
  void write_shared(const B& elements) const {
    const auto [address, count, type] = source(elements);
    detail::check(MPI_File_write_shared_c(native_, address, count, type, MPI_STATUS_IGNORE));
  }
  template <class B>
  std::size_t read_shared(B&& elements) const {
    const auto [address, count, type] = target(elements);
    MPI_Status status;
    detail::check(MPI_File_read_shared_c(native_, address, count, type, &status));
    return found(status);
  }
  template <class B>
  void write_ordered(const B& elements) const {
    const auto [address, count, type] = source(elements);
    detail::check(MPI_File_write_ordered_c(native_, address, count, type, MPI_STATUS_IGNORE));
  }
  template <class B>
  std::size_t read_ordered(B&& elements) const {
    const auto [address, count, type] = target(elements);
    MPI_Status status;
    detail::check(MPI_File_read_ordered_c(native_, address, count, type, &status));
    return found(status);
  }

  // Futures, which keep the buffer. What a read has found is what its future gives back: a vector or a span becomes
  // as long as that. The forms with _all are collective.
  template <class B>
  auto iwrite(B&& elements, file_place where) const {
    return begin_write(std::forward<B>(elements), where, MPI_File_iwrite_at_c);
  }
  template <class B>
  auto iwrite_all(B&& elements, file_place where) const {
    return begin_write(std::forward<B>(elements), where, MPI_File_iwrite_at_all_c);
  }
  template <class B>
  auto iread(B&& elements, file_place where) const {
    return begin_read(std::forward<B>(elements), where, MPI_File_iread_at_c);
  }
  template <class B>
  auto iread_all(B&& elements, file_place where) const {
    return begin_read(std::forward<B>(elements), where, MPI_File_iread_at_all_c);
  }

 private:
  template <class B>
  static consteval void explain_elements() {
    static_assert(detail::explicit_region<B> || std::is_same_v<detail::element_of<B>, T>,
                  "a file<T> has elements of type T: pass a range of T, or an antiphon::region of any datatype");
  }
  template <class B>
  static const_region source(const B& elements) {
    explain_elements<B>();
    return detail::source_of(elements);
  }
  template <class B>
  static region target(B& elements) {
    explain_elements<std::remove_cv_t<B>>();
    return detail::target_of(elements);
  }
  static std::size_t found(const MPI_Status& status) {
    MPI_Count count = 0;
    detail::check(MPI_Get_count_c(&status, datatype_of<T>(), &count));
    if (count == MPI_UNDEFINED) throw error(MPI_ERR_TYPE, "the file ends in the middle of an element");
    return static_cast<std::size_t>(count);
  }

  template <class B, class Begin>
  auto begin_write(B&& elements, file_place where, Begin begin) const {
    explain_elements<std::remove_cvref_t<B>>();
    if constexpr (detail::explain_keeping<B>())
      return future<detail::kept<B>>(detail::kept<B>(std::forward<B>(elements)), {},
                                     [&](auto& held, auto&, auto request) {
                                       const auto [address, count, type] = detail::source_of(held);
                                       return begin(native_, where.at, address, count, type, request);
                                     });
  }
  template <class B, class Begin>
  auto begin_read(B&& elements, file_place where, Begin begin) const {
    explain_elements<std::remove_cvref_t<B>>();
    if constexpr (detail::explain_keeping<B>())
      return future<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(elements)),
          [&](auto& held, auto request) {
            const region into = detail::target_of(held);
            return begin(native_, where.at, into.address, into.count, into.type, request);
          },
          detail::receive());
  }

  MPI_File native_;
};

// Opens a file; all ranks of the communicator call it. Each sees all of the file, as elements of type T.
template <class T>
[[nodiscard]] owned<file<T>> open_file(MPI_Comm comm, const std::string& path, const file_options& options) {
  int mode = static_cast<int>(options.mode);
  if (options.create) mode |= MPI_MODE_CREATE;
  if (options.exclusive) mode |= MPI_MODE_CREATE | MPI_MODE_EXCL;
  if (options.append) mode |= MPI_MODE_APPEND;
  if (options.delete_on_close) mode |= MPI_MODE_DELETE_ON_CLOSE;
  MPI_File native = MPI_FILE_NULL;
  detail::check(MPI_File_open(comm, path.c_str(), mode, options.hints, &native));
  owned<file<T>> result{file<T>(native)};
  detail::check(MPI_File_set_errhandler(native, MPI_ERRORS_RETURN));
  result.see(0, datatype_of<T>());
  return result;
}

}  // namespace antiphon
