// Messages whose content tells who sent them and which one they are, in sizes around every limit of the protocols.
#pragma once

#include <cstddef>
#include <vector>

namespace conformance {

// In one cache line; in one packet; in several; announced first; long enough to be copied in pieces.
inline constexpr int kSizes[] = {0, 1, 24, 25, 64, 1000, 4096, 4097, 16384, 16385, 50'000, 65'537, 300'000};
inline constexpr int kLongest = 300'000;

using Message = std::vector<unsigned char>;

inline Message message(int bytes, int sender, int number) {
  Message content(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<unsigned char>(i * 7 + i / 251 + static_cast<std::size_t>(sender * 31 + number * 3));
  return content;
}

}  // namespace conformance
