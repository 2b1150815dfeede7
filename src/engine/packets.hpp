// Every kind of packet that engines send each other: the numbers in a header's `handler`. docs/wire.md says what is
// in them. One list for all engines, so that no two can mean different things by one number.
#pragma once

#include <cstdint>

namespace antiphon::packets {

enum Kind : std::uint8_t {
  // Point-to-point: engine/pt2pt. 0 is none, so that a header left empty is found out.
  kEager = 1,
  kMore,
  kRequestToSend,
  kClearToSend,
  kData,
  kAcknowledge,
  kOfferWork,
  kCopied,
  kPartLeft,
  kClearToPipe,
  kCancel,
  kGivenUp,

  // One-sided: engine/rma.
  kPut,
  kGet,
  kGot,
  kConfirm,
  kConfirmed,
  kAccumulate,
  kCompareAndSwap,
  kFetched,
  kLock,
  kLocked,
  kUnlock,
  kLongPut,
  kLongGet,
  kLongPutDone,
  kPosted,
  kCompleted,

  kKinds,  // how many there are, with none
};

}  // namespace antiphon::packets
