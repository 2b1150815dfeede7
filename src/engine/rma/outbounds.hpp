// Entries of a link's queue for one-sided communication: a put, the requests of a get, and the answer to one of these
// requests. docs/wire.md describes their packets. Owned by the queue; a get that is not complete is owned by
// OneSided.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/links/outbound.hpp"
#include "engine/links/pending.hpp"
#include "engine/rma/operation.hpp"
#include "engine/rma/transfer.hpp"

namespace antiphon::rma {

inline constexpr std::uint8_t kRefused = 1;  // a flag of answers

// Contiguous bytes at the target.
struct Run {
  std::uint64_t address;
  std::size_t bytes;
};

// In each request of a get. The runs follow, if there are several.
struct GetArgument {
  std::uint64_t bytes;   // of all runs together
  std::uint64_t offset;  // packed bytes of the get before them
};

// Keeps the datatypes of a put or get, which the user may free before it is complete.
struct HeldTypes {
  explicit HeldTypes(const Transfer& transfer) : local(transfer.local.scattered), remote(transfer.remote.scattered) {}
  data::KeptType local, remote;
};

// A put. It is complete at the origin when its last packet has been sent; until then the user does not change the
// data.
class PutOut final : public links::Outbound {
 public:
  PutOut(const Operation& operation, const Transfer& transfer)
      : operation_(operation), transfer_(transfer), types_(transfer) {}
  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override;
  void has_gone() override { operation_.over(); }

 private:
  // True if a packet has been sent.
  [[nodiscard]] bool send_run(transport::Channel& channel, const Run& run);
  [[nodiscard]] bool send_runs(transport::Channel& channel, std::size_t max_payload);

  Operation operation_;
  Transfer transfer_;
  HeldTypes types_;
  std::size_t gone_ = 0;
};

// A get, until all its bytes have arrived.
struct Get {
  Get(const Operation& of, const Transfer& begun) : operation(of), transfer(begun), types(begun) {}

  Operation operation;
  Transfer transfer;
  HeldTypes types;
  std::size_t asked = 0;    // bytes that the target has been asked for
  std::size_t arrived = 0;  // bytes that it has answered for
};

// The requests of a get, each for as many runs as fit.
class GetOut final : public links::Outbound {
 public:
  GetOut(Get& get, links::Cookie cookie) : get_(get), cookie_(cookie) {}
  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override;

 private:
  Get& get_;  // lives until the last request has been answered
  links::Cookie cookie_;
};

class OneSided;

// The answer to one request: the bytes of its runs. An origin waits for it before it takes part in the window's end.
// For one that does not, nothing is sent once the window has ended, because its memory may be gone.
class GotOut final : public links::Outbound {
 public:
  GotOut(const OneSided& one_sided, const WindowState& state, links::Cookie origins_cookie, const GetArgument& wanted,
         std::vector<Run> runs)
      : one_sided_(one_sided),
        state_(&state),
        context_(state.comm().context()),
        cookie_(origins_cookie),
        wanted_(wanted),
        runs_(std::move(runs)) {}
  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override;

 private:
  void pack_next(std::byte* packet, std::size_t bytes);

  const OneSided& one_sided_;
  const WindowState* state_;
  std::uint32_t context_;
  links::Cookie cookie_;
  GetArgument wanted_;
  std::vector<Run> runs_;
  std::size_t gone_ = 0;
  std::size_t run_ = 0, of_run_ = 0;  // the next run, and how many of its bytes have been sent
};

}  // namespace antiphon::rma
