// Packing and unpacking: MPI 5.0, 5.2 and 5.3.
#include <cstring>

#include "api/call.hpp"
#include "api/check.hpp"
#include "engine/pack/external32.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;

namespace {

std::int64_t total(const char* argument, MPI_Count count, const Datatype& type, std::int64_t size_of_one) {
  if (count < 0) [[unlikely]]
    check::cold::bad_count(argument, count);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, size_of_one, &bytes)) [[unlikely]]
    check::cold::too_large(argument, count, type);
  return bytes;
}

void need_committed(const Datatype& type) {
  if (!type.committed()) [[unlikely]]
    check::cold::uncommitted(type);
}

void need_buffer(const char* argument, const void* buffer, MPI_Count count, std::int64_t bytes) {
  if (!is_address(buffer) && bytes != 0) check::cold::bad_buffer(argument, buffer, count);
}

// Moves all bytes that are packed from `packed` on: calls move(slice, where it is packed).
template <class Byte, class Move>
void pass(Process& process, Byte* packed, std::int64_t bytes, Move&& move) {
  process.last_packing().next(packed, static_cast<std::size_t>(bytes), [&](std::size_t first, std::size_t some) {
    move(layout::Slice{static_cast<std::int64_t>(first), static_cast<std::int64_t>(some)}, packed + first);
  });
}

// Where `bytes` begin in a buffer of `size` bytes, whose position moves behind them.
std::int64_t advance(MPI_Count size, const char* size_name, MPI_Count* position, std::int64_t bytes) {
  check::not_null(position, "position");
  if (size < 0) [[unlikely]]
    check::cold::bad_count(size_name, size);
  const MPI_Count at = *position;
  if (at < 0 || at > size) [[unlikely]]
    base::fail(abi::ERR_ARG,
               fmt::format("position={} is outside of the buffer (valid: 0 to {}={})", at, size_name, size));
  if (bytes > size - at) [[unlikely]]
    base::fail(abi::ERR_TRUNCATE,
               fmt::format("{}={} is too small: {} bytes are left behind position={}, {} are needed", size_name, size,
                           size - at, at, bytes));
  *position = at + bytes;
  return at;
}

void need_external32(const char* datarep) {
  check::not_null(datarep, "datarep");
  if (std::strcmp(datarep, "external32") != 0)
    base::fail(abi::ERR_UNSUPPORTED_DATAREP,
               fmt::format("datarep=\"{}\" is not a portable representation (valid: \"external32\")", datarep));
}

}  // namespace

void pack(Process& process, const void* inbuf, MPI_Count incount, const Datatype& datatype, void* outbuf,
          MPI_Count outsize, MPI_Count* position, Comm&) {
  const std::int64_t bytes = total("incount", incount, datatype, datatype.size());
  need_committed(datatype);
  check::data("inbuf", inbuf, incount, datatype);
  need_buffer("outbuf", outbuf, incount, bytes);
  const std::int64_t at = advance(outsize, "outsize", position, bytes);
  pass(process, static_cast<std::byte*>(outbuf) + at, bytes,
       [&](layout::Slice slice, std::byte* packed) { datatype.layout().pack(inbuf, incount, slice, packed); });
}

void unpack(Process& process, const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
            MPI_Count outcount, const Datatype& datatype, Comm&) {
  const std::int64_t bytes = total("outcount", outcount, datatype, datatype.size());
  need_committed(datatype);
  check::data("outbuf", outbuf, outcount, datatype);
  need_buffer("inbuf", inbuf, outcount, bytes);
  const std::int64_t at = advance(insize, "insize", position, bytes);
  pass(process, static_cast<const std::byte*>(inbuf) + at, bytes, [&](layout::Slice slice, const std::byte* packed) {
    datatype.layout().unpack(outbuf, outcount, slice, packed);
  });
}

void pack_size(Process&, MPI_Count incount, const Datatype& datatype, Comm&, MPI_Count* size) {
  check::not_null(size, "size");
  *size = total("incount", incount, datatype, datatype.size());
}

void pack_external(Process&, const char* datarep, const void* inbuf, MPI_Count incount, const Datatype& datatype,
                   void* outbuf, MPI_Count outsize, MPI_Count* position) {
  need_external32(datarep);
  const std::int64_t bytes = total("incount", incount, datatype, datatype.geometry().external_size());
  need_committed(datatype);
  check::data("inbuf", inbuf, incount, datatype);
  need_buffer("outbuf", outbuf, incount, bytes);
  const std::int64_t at = advance(outsize, "outsize", position, bytes);
  external32::pack(inbuf, incount, datatype, static_cast<std::byte*>(outbuf) + at);
}

void unpack_external(Process&, const char* datarep, const void* inbuf, MPI_Count insize, MPI_Count* position,
                     void* outbuf, MPI_Count outcount, const Datatype& datatype) {
  need_external32(datarep);
  const std::int64_t bytes = total("outcount", outcount, datatype, datatype.geometry().external_size());
  need_committed(datatype);
  check::data("outbuf", outbuf, outcount, datatype);
  need_buffer("inbuf", inbuf, outcount, bytes);
  const std::int64_t at = advance(insize, "insize", position, bytes);
  external32::unpack(static_cast<const std::byte*>(inbuf) + at, outbuf, outcount, datatype);
}

void pack_external_size(Process&, const char* datarep, MPI_Count incount, const Datatype& datatype, MPI_Count* size) {
  need_external32(datarep);
  check::not_null(size, "size");
  *size = total("incount", incount, datatype, datatype.geometry().external_size());
}

}  // namespace antiphon::api
