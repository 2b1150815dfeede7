// Opening, closing and deleting files, their size, their modes: MPI 5.0, 14.2 and 14.6.
#include <bit>

#include "api/files/file_arguments.hpp"
#include "api/files/file_hints.hpp"
#include "api/handles.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Errhandler;
using objects::Info;
using objects::Ref;

namespace {

[[noreturn]] void bad_amode(int amode, const char* why) {
  base::fail(abi::ERR_AMODE, fmt::format("amode={} {}", amode, why));
}

void check_amode(int amode) {
  constexpr int kWays = abi::MODE_RDONLY | abi::MODE_WRONLY | abi::MODE_RDWR;
  constexpr int kAll = kWays | abi::MODE_APPEND | abi::MODE_CREATE | abi::MODE_DELETE_ON_CLOSE | abi::MODE_EXCL |
                       abi::MODE_SEQUENTIAL | abi::MODE_UNIQUE_OPEN;
  if ((amode & ~kAll) != 0) bad_amode(amode, "has bits that are no MPI_MODE_ constant of files");
  if (std::popcount(static_cast<unsigned>(amode & kWays)) != 1)
    bad_amode(amode, "needs exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
  if ((amode & abi::MODE_RDONLY) != 0 && (amode & (abi::MODE_CREATE | abi::MODE_EXCL)) != 0)
    bad_amode(amode, "has MPI_MODE_CREATE or MPI_MODE_EXCL together with MPI_MODE_RDONLY, which creates no file");
  if ((amode & abi::MODE_RDWR) != 0 && (amode & abi::MODE_SEQUENTIAL) != 0)
    bad_amode(amode, "has MPI_MODE_SEQUENTIAL together with MPI_MODE_RDWR: a file is read or written in sequence");
}

std::string checked_filename(const char* filename) {
  if (!is_address(filename))
    base::fail(abi::ERR_ARG, fmt::format("filename is {}: pass the address of a name", check::shown(filename)));
  if (*filename == '\0') base::fail(abi::ERR_BAD_FILE, "filename is empty: a file needs a name");
  return filename;
}

void check_size(const char* argument, std::int64_t bytes) {
  if (bytes < 0) base::fail(abi::ERR_ARG, fmt::format("{}={} is negative (valid: 0 or more bytes)", argument, bytes));
}

// Of the calls that change a file's size.
service::Failure failure_of_resizing(const File& file, std::int64_t size) {
  service::Failure failure;
  or_failure(&failure, [&] {
    check_size("size", size);
    need_writable(file);
    need_not_sequential(file);
    return 0;
  });
  return failure;
}

}  // namespace

void file_open(Process& process, Comm& comm, const char* filename, int amode, const Info* info, MPI_File* fh) {
  check::not_null(fh, "fh");
  *fh = MPI_FILE_NULL;
  check::intracommunicator("comm", comm);
  service::Failure failure;
  service::FileOptions options;
  options.amode = amode;
  options.errhandler = process.no_file().errhandler_ref();
  or_failure(&failure, [&] {
    options.path = checked_filename(filename);
    check_amode(amode);
    return 0;
  });
  FileHints hints(info);
  options.permissions = hints.permissions();
  options.manner = hints.manner();
  options.tuning = hints.tuning();
  Ref<File> opened = service::file_open(process.file_tools(), comm, options, failure);
  hints.store(*opened);
  *fh = reinterpret_cast<MPI_File>(process.files.insert(std::move(opened)));
}

void file_close(Process& process, MPI_File* fh) {
  check::not_null(fh, "fh");
  const auto value = reinterpret_cast<std::uintptr_t>(*fh);
  File* found = process.files.find(value);
  try {
    if (!found) Call::fail_handle(abi::ERR_FILE, "file", "MPI_FILE_NULL", abi::FILE_NULL, *fh, "fh");
    if (const auto& split = found->state().split())
      base::fail(abi::ERR_OTHER, fmt::format("a split collective of {} has begun: {} must end it first",
                                             found->title(), split->call));
  } catch (base::Error& error) {
    throw OperationError{std::move(error), Ref<objects::ErrorScope>::share(found ? *found : process.no_file())};
  }
  const auto alive = Ref<File>::share(*found);
  (void)process.files.erase(value);
  *fh = MPI_FILE_NULL;
  try {
    service::file_close(process.file_tools(), *alive);
  } catch (base::Error& error) {
    throw OperationError{std::move(error), alive};
  }
}

void file_delete(Process& process, const char* filename, const Info*) {
  io::remove(process.open_files().storage(), checked_filename(filename));
}

void file_set_size(Process& process, File& fh, MPI_Offset size) {
  service::file_set_size(process.file_tools(), fh, size, failure_of_resizing(fh, size));
}

void file_preallocate(Process& process, File& fh, MPI_Offset size) {
  service::file_preallocate(process.file_tools(), fh, size, failure_of_resizing(fh, size));
}

void file_get_size(Process&, File& fh, MPI_Offset* size) {
  check::not_null(size, "size");
  *size = fh.state().stored()->size();
}

void file_get_group(Process& process, File& fh, MPI_Group* group) {
  check::not_null(group, "group");
  *group = group_handle(process, fh.comm().group_ref());
}

void file_get_amode(Process&, File& fh, int* amode) {
  check::not_null(amode, "amode");
  *amode = fh.amode();
}

void file_sync(Process& process, File& fh) {
  service::Failure failure;
  or_failure(&failure, [&] {
    need_writable(fh);
    return 0;
  });
  service::file_sync(process.file_tools(), fh, failure);
}

void file_set_atomicity(Process& process, File& fh, int flag) {
  service::file_set_atomicity(process.file_tools(), fh, flag != 0, {});
}

void file_get_atomicity(Process&, File& fh, int* flag) {
  check::not_null(flag, "flag");
  *flag = fh.is_atomic() ? 1 : 0;
}

}  // namespace antiphon::api
