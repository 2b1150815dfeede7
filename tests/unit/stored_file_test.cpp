#include "engine/io/stored_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <vector>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
#include "storage/memory/memory_storage.hpp"

namespace antiphon::io {
namespace {

using storage::MemoryStorage;

template <class Call>
base::Error error_of(Call&& call) {
  try {
    call();
  } catch (const base::Error& error) {
    return error;
  }
  return {0, "no error"};
}

// Pieces of random lengths, some empty, over a buffer.
std::vector<base::Piece> pieces_of(base::Rng& random, std::vector<std::byte>& buffer) {
  std::vector<base::Piece> pieces;
  for (std::size_t at = 0; at < buffer.size();) {
    const std::size_t bytes = std::min(random.below(std::size_t{8}), buffer.size() - at);
    pieces.push_back({buffer.data() + at, bytes});
    at += bytes;
  }
  return pieces;
}

TEST(StoredFile, GoesOnAfterShortAndInterruptedCalls) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    base::Rng random(seed);
    MemoryStorage storage({.seed = seed, .short_percent = 60, .interrupted_percent = 30});
    const StoredFile file(storage, "name", O_CREAT | O_RDWR, 0);
    std::vector<std::byte> bytes(1 + random.below(2000u)), back(bytes.size() + 100, std::byte{0xee});
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
    file.write(pieces_of(random, bytes), 10);
    const std::vector<std::byte>& there = *storage.contents("name");
    ASSERT_EQ(there.size(), bytes.size() + 10);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), there.begin() + 10));
    EXPECT_EQ(file.read(pieces_of(random, back), 10), static_cast<std::int64_t>(bytes.size()));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), back.begin()));
    EXPECT_EQ(back[bytes.size()], std::byte{0xee});
  }
}

TEST(StoredFile, SaysWhatTheSystemHasRefusedAndWhere) {
  MemoryStorage storage({.most_bytes = 1000});
  const StoredFile file(storage, "/a/path", O_CREAT | O_RDWR, 0);
  const std::vector<std::byte> bytes(600);
  EXPECT_NO_THROW(file.write(bytes.data(), 600, 0));
  const base::Error full = error_of([&] { file.write(bytes.data(), 600, 600); });
  EXPECT_EQ(full.error_class, abi::ERR_NO_SPACE);
  EXPECT_EQ(full.message, "cannot write 600 bytes at offset 600 of /a/path: No space left on device (ENOSPC)");
  EXPECT_EQ(file.size(), 600);
  const base::Error missing = error_of([&] { const StoredFile other(storage, "/b", O_RDWR, 0); });
  EXPECT_EQ(missing.error_class, abi::ERR_NO_SUCH_FILE);
  EXPECT_EQ(missing.message, "cannot open /b: No such file or directory (ENOENT)");
  EXPECT_EQ(error_of([&] { remove(storage, "/b"); }).error_class, abi::ERR_NO_SUCH_FILE);
}

TEST(StoredFile, ClosesWithItsOwner) {
  MemoryStorage storage;
  { const StoredFile file(storage, "name", O_CREAT | O_RDWR, 0); }
  EXPECT_EQ(storage.open_files(), 0u);
}

}  // namespace
}  // namespace antiphon::io
