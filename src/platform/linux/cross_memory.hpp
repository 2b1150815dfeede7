// Copies between this process's memory and another's, one system call a copy: process_vm_readv(2) and its twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/piece.hpp"

namespace antiphon::platform {

// Lets the other processes of this user copy from and to this one, where a security module asks for that (Yama). They
// share a job with it, and could attach to it anyway where no such module runs.
void permit_cross_memory() noexcept;

// Whether what other processes write into this one's memory counts for it. Not under valgrind, which follows a
// program's own writes and takes the bytes of others for never written.
[[nodiscard]] bool sees_writes_of_others() noexcept;

using Pieces = std::span<const base::Piece>;  // in their order; at most kMostPieces
inline constexpr std::size_t kMostPieces = 64;

// True if `bytes` were copied, which is what the shorter list has, at most 1 GiB; false where the kernel refuses, or
// an address is not mapped.
[[nodiscard]] bool read_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept;
[[nodiscard]] bool write_memory_of(int process, Pieces here, Pieces there, std::size_t bytes) noexcept;

}  // namespace antiphon::platform
