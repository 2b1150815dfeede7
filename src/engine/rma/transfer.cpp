#include "engine/rma/transfer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace antiphon::rma {

namespace {

struct Ends {
  const std::byte* from;
  const pt2pt::Scattered& from_body;
  std::byte* to;
  const pt2pt::Scattered& to_body;
};

// Through a buffer that stays in the cache.
void copy_scattered_to_scattered(const Ends& ends, std::size_t bytes) {
  std::array<std::byte, 16384> packed;
  for (std::size_t done = 0; done < bytes; done += packed.size()) {
    const layout::Slice slice = pt2pt::Scattered::slice(done, std::min(packed.size(), bytes - done));
    ends.from_body.type->layout().pack(ends.from, ends.from_body.count, slice, packed.data());
    ends.to_body.type->layout().unpack(ends.to, ends.to_body.count, slice, packed.data());
  }
}

void copy(const Ends& ends, std::size_t bytes) {
  const layout::Slice all = pt2pt::Scattered::slice(0, bytes);
  if (!ends.from_body && !ends.to_body) [[likely]]
    std::memmove(ends.to, ends.from, bytes);  // a process may well reach into its own memory
  else if (!ends.to_body)
    ends.from_body.type->layout().pack(ends.from, ends.from_body.count, all, ends.to);
  else if (!ends.from_body)
    ends.to_body.type->layout().unpack(ends.to, ends.to_body.count, all, ends.from);
  else
    copy_scattered_to_scattered(ends, bytes);
}

}  // namespace

void copy_directly(const Transfer& transfer, std::byte* remote) {
  const LocalSide& local = transfer.local;
  if (transfer.kind == Transfer::Kind::put)
    copy({local.buffer, local.scattered, remote, transfer.remote.scattered}, transfer.bytes);
  else
    copy({remote, transfer.remote.scattered, local.buffer, local.scattered}, transfer.bytes);
}

}  // namespace antiphon::rma
