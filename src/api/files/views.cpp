// What a process sees of a file, and where its pointers are: MPI 5.0, 14.3 and 14.4.
#include "api/copy_out.hpp"
#include "api/files/file_arguments.hpp"
#include "api/files/file_hints.hpp"

namespace antiphon::api {

using objects::Datatype;
using objects::FileView;
using objects::Info;
using objects::Ref;

namespace {

Ref<Datatype> kept(const Datatype& type) { return Ref<Datatype>::share(const_cast<Datatype&>(type)); }

void check_datarep(const char* datarep) {
  if (!is_address(datarep))
    base::fail(abi::ERR_ARG, fmt::format("datarep is {}: pass the address of a name", check::shown(datarep)));
  const std::string_view name = datarep;
  if (name != "native" && name != "internal")
    base::fail(abi::ERR_UNSUPPORTED_DATAREP,
               fmt::format("datarep=\"{}\" is not supported (valid: \"native\", \"internal\")", name));
}

void check_committed(const Datatype& type) {
  if (!type.committed()) check::cold::uncommitted(type);
}

// In bytes of the file. A sequential file has no displacement but where it is.
std::int64_t checked_displacement(File& file, std::int64_t disp) {
  if (disp == abi::DISPLACEMENT_CURRENT && file.is_sequential())
    return file.view().offset_of(file.state().shared_pointer().get() * file.view().etype_bytes());
  if (file.is_sequential())
    base::fail(
        abi::ERR_UNSUPPORTED_OPERATION,
        fmt::format("disp={}: {} was opened with MPI_MODE_SEQUENTIAL, so only MPI_DISPLACEMENT_CURRENT is valid",
                    disp, file.title()));
  if (disp < 0)
    base::fail(abi::ERR_ARG,
               fmt::format("disp={} is negative (valid: 0 or more bytes{})", disp,
                           disp == abi::DISPLACEMENT_CURRENT ? "; MPI_DISPLACEMENT_CURRENT is for files opened with "
                                                               "MPI_MODE_SEQUENTIAL"
                                                             : ""));
  return disp;
}

objects::FileViewRef checked_view(File& file, std::int64_t disp, const Datatype& etype, const Datatype& filetype,
                                  const char* datarep) {
  check_datarep(datarep);
  check_committed(etype);
  check_committed(filetype);
  objects::check_filetype(etype, filetype, !file.may_write());
  return std::make_shared<const FileView>(checked_displacement(file, disp), kept(etype), kept(filetype), datarep);
}

// A handle of its own for a derived type; a predefined one has its own (MPI 5.0, 14.3).
MPI_Datatype datatype_handle(Process& process, const Ref<Datatype>& type) {
  if (type->predefined()) return reinterpret_cast<MPI_Datatype>(type->handle());
  Ref<Datatype> copy = type->clone();
  return reinterpret_cast<MPI_Datatype>(process.datatypes.insert(std::move(copy)));
}

}  // namespace

void file_set_view(Process& process, File& fh, MPI_Offset disp, const Datatype& etype, const Datatype& filetype,
                   const char* datarep, const Info* info) {
  service::Failure failure;
  auto view = or_failure(&failure, [&] { return checked_view(fh, disp, etype, filetype, datarep); });
  const FileHints hints(fh, info);
  service::file_set_view(process.file_tools(), fh, std::move(view), hints.manner(), failure);
  fh.state().set_tuning(hints.tuning());
}

void file_get_view(Process& process, File& fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                   char* datarep) {
  check::not_null(disp, "disp");
  check::not_null(etype, "etype");
  check::not_null(filetype, "filetype");
  check::not_null(datarep, "datarep");
  const FileView& view = fh.view();
  *disp = view.displacement();
  *etype = datatype_handle(process, view.etype());
  *filetype = datatype_handle(process, view.filetype());
  int length = 0;
  copy_text(datarep, &length, view.datarep(), MPI_MAX_DATAREP_STRING);
}

void file_get_byte_offset(Process&, File& fh, MPI_Offset offset, MPI_Offset* disp) {
  check::not_null(disp, "disp");
  need_not_sequential(fh);
  *disp = fh.view().offset_of(checked_position(fh, "offset", offset, 0));
}

void file_get_type_extent(Process&, File&, const Datatype& datatype, MPI_Count* extent) {
  check::not_null(extent, "extent");
  *extent = datatype.extent();
}

void file_seek(Process&, File& fh, MPI_Offset offset, int whence) {
  need_not_sequential(fh);
  fh.set_position(sought(fh, offset, whence, fh.position()));
}

void file_get_position(Process&, File& fh, MPI_Offset* offset) {
  check::not_null(offset, "offset");
  need_not_sequential(fh);
  *offset = fh.position();
}

void file_seek_shared(Process& process, File& fh, MPI_Offset offset, int whence) {
  service::Failure failure;
  const std::int64_t to = or_failure(&failure, [&] {
    need_not_sequential(fh);
    return sought(fh, offset, whence, whence == abi::FILE_SEEK_CUR ? fh.state().shared_pointer().get() : 0);
  });
  service::file_seek_shared(process.file_tools(), fh, to, failure);
}

void file_get_position_shared(Process&, File& fh, MPI_Offset* offset) {
  check::not_null(offset, "offset");
  need_not_sequential(fh);
  *offset = fh.state().shared_pointer().get();
}

}  // namespace antiphon::api
