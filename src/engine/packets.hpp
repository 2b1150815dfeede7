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

// For sentences.
[[nodiscard]] constexpr const char* name_of(std::uint8_t kind) {
  constexpr const char* kNames[] = {"none",          "eager",     "more",          "request to send",
                                    "clear to send", "data",      "acknowledge",   "offer work",
                                    "copied",        "part left", "clear to pipe", "cancel",
                                    "given up",      "put",       "get",           "got",
                                    "confirm",       "confirmed", "accumulate",    "compare and swap",
                                    "fetched",       "lock",      "locked",        "unlock",
                                    "long put",      "long get",  "long put done", "posted",
                                    "completed"};
  static_assert(sizeof kNames / sizeof *kNames == kKinds);
  return kind < kKinds ? kNames[kind] : "unknown";
}

}  // namespace antiphon::packets
