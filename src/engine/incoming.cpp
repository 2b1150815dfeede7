#include "engine/incoming.hpp"

#include <fmt/format.h>

#include "abi/constants.hpp"
#include "engine/packets.hpp"

namespace antiphon::packets {

void Incoming::refuse(std::string_view what) const {
  throw transport::BadPacket{
      {abi::ERR_OTHER, fmt::format("process {} of the job sent a bad packet of kind {} ({}): {}", source,
                                   header.handler, name_of(header.handler), what)},
      source};
}

}  // namespace antiphon::packets
