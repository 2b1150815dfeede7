#include "engine/rma/transfer.hpp"

#include "engine/data/place.hpp"

namespace antiphon::rma {

void copy_directly(const Transfer& transfer, std::byte* remote) {
  const data::Place here(transfer.local.buffer, transfer.local.scattered);
  const data::Place there(remote, transfer.remote.scattered);
  if (transfer.kind == Transfer::Kind::put)
    copy(here, there, 0, transfer.bytes);
  else
    copy(there, here, 0, transfer.bytes);
}

}  // namespace antiphon::rma
