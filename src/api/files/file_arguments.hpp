// The arguments that procedures of files share, checked (MPI 5.0, 14.2 and 14.4).
#pragma once

#include "api/call.hpp"
#include "api/check.hpp"
#include "engine/data/buffer.hpp"
#include "service/files.hpp"

namespace antiphon::api {

using objects::File;

inline constexpr auto kReads = io::Direction::read;
inline constexpr auto kWrites = io::Direction::write;

// Memory that a call reads into or writes from.
struct FileMemory {
  const void* buf;
  MPI_Count count;
  const objects::Datatype& type;
};

// What an access is about. Which pointer says where it is, if no offset does.
enum class Pointer : std::uint8_t { none, own, shared };

// Fails if the file was not opened for this.
void need_mode(const File& file, io::Direction direction);
// Fails if the file has no pointers but the shared one.
void need_not_sequential(const File& file);
void need_writable(const File& file);

// The buffer of a call that moves whole etypes of the file's view.
[[nodiscard]] data::Buffer checked_memory(const File& file, io::Direction direction, const FileMemory& memory);
// Bytes of the view before this offset, which counts etypes; the `bytes` that follow can be reached.
[[nodiscard]] std::int64_t checked_position(const File& file, const char* argument, std::int64_t offset,
                                            std::int64_t bytes);

// Where seek leads, in etypes; `now` is where the pointer is.
[[nodiscard]] std::int64_t sought(File& file, std::int64_t offset, int whence, std::int64_t now);

void set_file_status(MPI_Status* status, std::int64_t bytes);

// What check() gives. Where it fails, its error goes to *failure: other processes are in the call, too, and must
// hear.
template <class Check>
auto or_failure(service::Failure* failure, Check&& check) -> decltype(check()) {
  try {
    return check();
  } catch (base::Error& error) {
    if (!*failure) *failure = std::move(error);
    return {};
  }
}

}  // namespace antiphon::api
