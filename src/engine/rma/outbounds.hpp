// Entries of a link's queue for one-sided communication: a put, the requests of a get, and the answer to one of these
// requests. docs/wire.md describes their packets. Owned by the queue; a get that is not complete is owned by
// OneSided.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/links/outbound.hpp"
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
  std::size_t arrived = 0;
};

// The requests of a get, each for as many runs as fit.
class GetOut final : public links::Outbound {
 public:
  explicit GetOut(const Get& get) : get_(get) {}
  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override;

 private:
  const Get& get_;  // lives until the last request has been answered
  std::size_t asked_ = 0;
};

// The answer to one request: the bytes of its runs.
class GotOut final : public links::Outbound {
 public:
  GotOut(std::uint64_t origins_cookie, const GetArgument& wanted, std::vector<Run> runs)
      : cookie_(origins_cookie), wanted_(wanted), runs_(std::move(runs)) {}
  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override;

 private:
  void pack_next(std::byte* packet, std::size_t bytes);

  std::uint64_t cookie_;
  GetArgument wanted_;
  std::vector<Run> runs_;
  std::size_t gone_ = 0;
  std::size_t run_ = 0, of_run_ = 0;  // the next run, and how many of its bytes have been sent
};

}  // namespace antiphon::rma
