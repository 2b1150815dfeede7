// What two brokers say to each other on a new connection, before it belongs to two ranks. The caller asks for a
// connection between two processes; then both prove that they know the secret of the job, without showing it:
//
//   caller                         callee
//     Hello (who to whom, nonce) ->
//                                <- Challenge (nonce, proof of the callee)
//     Proof (of the caller)      ->
//                                <- Verdict
//
// A proof is a keyed hash of the Hello and the callee's nonce, so a recorded conversation is of no use later. All
// messages have a fixed size, and integers are little-endian. These functions only make and check messages; they
// read nothing and keep nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace antiphon::launch {

using Secret = std::array<std::byte, 32>;
using Nonce = std::array<std::byte, 32>;
[[nodiscard]] Secret new_secret();
[[nodiscard]] Nonce new_nonce();

// Who calls whom: processes are ranks of the job.
struct Hello {
  std::int32_t from_node, to_node;
  std::int32_t from_process, to_process;
  Nonce nonce;
};

enum class Role : std::uint8_t { caller = 1, callee = 2 };

struct Verdict {
  enum class Kind : std::uint32_t {
    accepted = 1,  // from here on the connection carries packets of the two processes
    crossed,       // both called at the same time, and the callee's call goes on
    refused,       // `reason` says why
  };
  Kind kind;
  std::string reason = {};
};

inline constexpr std::size_t kProofBytes = 32;
inline constexpr std::size_t kHelloBytes = 72, kChallengeBytes = 64, kVerdictBytes = 128;

using HelloBytes = std::array<std::byte, kHelloBytes>;
using Challenge = std::array<std::byte, kChallengeBytes>;  // the callee's nonce and its proof
using Proof = std::array<std::byte, kProofBytes>;
using VerdictBytes = std::array<std::byte, kVerdictBytes>;

[[nodiscard]] HelloBytes encode(const Hello& hello);
// Sets *complaint, if these bytes are no Hello that this version understands, to what is wrong with them.
[[nodiscard]] std::optional<Hello> decode_hello(std::span<const std::byte, kHelloBytes> bytes,
                                                std::string* complaint);

[[nodiscard]] Proof prove(const Secret& secret, Role role, const HelloBytes& hello, const Nonce& callee);
[[nodiscard]] bool is_proof(const Proof& proof, const Secret& secret, Role role, const HelloBytes& hello,
                            const Nonce& callee);

[[nodiscard]] VerdictBytes encode(const Verdict& verdict);
[[nodiscard]] std::optional<Verdict> decode_verdict(std::span<const std::byte, kVerdictBytes> bytes);

}  // namespace antiphon::launch
