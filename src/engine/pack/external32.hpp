// The portable representation "external32" (MPI 5.0, 14.5.2): big-endian, IEEE floating point, no padding, and
// lengths that the standard fixes, some of which are not this machine's. Works on committed types; stateless.
#pragma once

#include "objects/datatype.hpp"

namespace antiphon::external32 {

// `count * type.geometry().external_size()` bytes are written, or read.
void pack(const void* buffer, std::int64_t count, const objects::Datatype& type, std::byte* packed);
void unpack(const std::byte* packed, void* buffer, std::int64_t count, const objects::Datatype& type);

}  // namespace antiphon::external32
