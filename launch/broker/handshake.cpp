#include "broker/handshake.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "settings/digest.hpp"

namespace antiphon::launch {
namespace {

constexpr std::uint64_t kMagic = 0x6e6f687069746e61;  // "antiphon"
// Of this conversation and of the packets that follow it (docs/wire.md).
constexpr std::uint32_t kWireVersion = 1;
// In this machine's byte order, which must be that of the other one, since packets are not translated.
constexpr std::uint32_t kOrderMark = 0x01020304;
constexpr std::uint32_t kWordBytes = sizeof(void*);

static_assert(kProofBytes == crypto_auth_BYTES && sizeof(Secret) == crypto_auth_KEYBYTES);

// Writes or reads one field after the other.
class Writer {
 public:
  explicit Writer(std::span<std::byte> to) : to_(to) {}
  template <class Number>
  void number(Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      put(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> 8 * i));
  }
  void bytes(std::span<const std::byte> from) {
    for (const std::byte byte : from) put(byte);
  }

 private:
  void put(std::byte byte) { to_[at_++] = byte; }
  std::span<std::byte> to_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> from) : from_(from) {}
  template <class Number>
  Number number() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) value |= static_cast<std::uint64_t>(from_[at_++]) << 8 * i;
    return static_cast<Number>(value);
  }
  std::span<const std::byte> bytes(std::size_t count) {
    at_ += count;
    return from_.subspan(at_ - count, count);
  }

 private:
  std::span<const std::byte> from_;
  std::size_t at_ = 0;
};

template <std::size_t N>
std::array<std::byte, N> random_bytes() {
  std::array<std::byte, N> bytes;
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* raw(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

// What a proof is made of.
std::array<std::byte, 1 + kHelloBytes + sizeof(Nonce)> signed_text(Role role, const HelloBytes& hello,
                                                                   const Nonce& callee) {
  std::array<std::byte, 1 + kHelloBytes + sizeof(Nonce)> text;
  Writer writer(text);
  writer.number(static_cast<std::uint8_t>(role));
  writer.bytes(hello);
  writer.bytes(callee);
  return text;
}

std::uint32_t own_order_mark() {
  std::array<std::byte, sizeof kOrderMark> bytes;
  std::memcpy(bytes.data(), &kOrderMark, sizeof kOrderMark);
  return Reader(bytes).number<std::uint32_t>();
}

}  // namespace

Secret new_secret() { return random_bytes<sizeof(Secret)>(); }
Nonce new_nonce() { return random_bytes<sizeof(Nonce)>(); }

HelloBytes encode(const Hello& hello) {
  HelloBytes bytes{};
  Writer writer(bytes);
  writer.number(kMagic);
  writer.number(kWireVersion);
  writer.number(own_order_mark());
  writer.number(kWordBytes);
  writer.number(settings::kTableDigest);
  writer.number(hello.from_node);
  writer.number(hello.to_node);
  writer.number(hello.from_process);
  writer.number(hello.to_process);
  writer.bytes(hello.nonce);
  return bytes;
}

std::optional<Hello> decode_hello(std::span<const std::byte, kHelloBytes> bytes, std::string* complaint) {
  Reader reader(bytes);
  if (reader.number<std::uint64_t>() != kMagic)
    return *complaint = "it does not speak Antiphon's protocol", std::nullopt;
  if (const auto version = reader.number<std::uint32_t>(); version != kWireVersion)
    return *complaint =
               fmt::format("it speaks version {} of the protocol, and this is version {}", version, kWireVersion),
           std::nullopt;
  if (reader.number<std::uint32_t>() != own_order_mark())
    return *complaint = "its processor has another byte order", std::nullopt;
  if (const auto word = reader.number<std::uint32_t>(); word != kWordBytes)
    return *complaint = fmt::format("its pointers have {} bytes, and here they have {}", word, kWordBytes),
           std::nullopt;
  if (reader.number<std::uint32_t>() != settings::kTableDigest)
    return *complaint = "it is another build of Antiphon, with other settings", std::nullopt;
  Hello hello{};
  hello.from_node = reader.number<std::int32_t>();
  hello.to_node = reader.number<std::int32_t>();
  hello.from_process = reader.number<std::int32_t>();
  hello.to_process = reader.number<std::int32_t>();
  std::ranges::copy(reader.bytes(sizeof hello.nonce), hello.nonce.begin());
  return hello;
}

Proof prove(const Secret& secret, Role role, const HelloBytes& hello, const Nonce& callee) {
  const auto text = signed_text(role, hello, callee);
  Proof proof;
  crypto_auth(raw(proof.data()), raw(text.data()), text.size(), raw(secret.data()));
  return proof;
}

bool is_proof(const Proof& proof, const Secret& secret, Role role, const HelloBytes& hello, const Nonce& callee) {
  const auto text = signed_text(role, hello, callee);
  return crypto_auth_verify(raw(proof.data()), raw(text.data()), text.size(), raw(secret.data())) == 0;
}

VerdictBytes encode(const Verdict& verdict) {
  VerdictBytes bytes{};
  Writer writer(bytes);
  writer.number(static_cast<std::uint32_t>(verdict.kind));
  writer.bytes(std::as_bytes(std::span(verdict.reason))
                   .first(std::min(verdict.reason.size(), kVerdictBytes - sizeof(std::uint32_t) - 1)));
  return bytes;
}

std::optional<Verdict> decode_verdict(std::span<const std::byte, kVerdictBytes> bytes) {
  Reader reader(bytes);
  Verdict verdict{static_cast<Verdict::Kind>(reader.number<std::uint32_t>())};
  if (verdict.kind < Verdict::Kind::accepted || verdict.kind > Verdict::Kind::refused) return std::nullopt;
  for (const std::byte byte : reader.bytes(kVerdictBytes - sizeof(std::uint32_t))) {
    if (byte == std::byte{}) break;
    const char letter = static_cast<char>(byte);
    verdict.reason += letter >= ' ' && letter <= '~' ? letter : '?';  // it may be printed
  }
  return verdict;
}

}  // namespace antiphon::launch
