#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace {

using Colour = std::array<double, 3>;

// Rank 0 holds several copies of the whole picture; for this many cells they need a few gigabytes.
constexpr long long kMaxCells = 50'000'000;

// Evenly spaced from cold to hot.
constexpr std::array<Colour, 7> kGlow{
    {{4, 4, 18}, {46, 12, 88}, {128, 24, 108}, {206, 56, 74}, {246, 120, 30}, {252, 200, 60}, {255, 252, 220}}};

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

// libpng's image, which must be freed also if reading or writing fails.
struct Image : png_image {
  Image() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(this); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

File open(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (!file) throw std::runtime_error("cannot open '" + path + "': " + std::strerror(errno));
  return file;
}

Colour glow(double temperature) {
  const double position = std::clamp(temperature, 0.0, 1.0) * (kGlow.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), kGlow.size() - 2);
  const double share = position - static_cast<double>(below);
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    colour[i] = kGlow[below][i] + share * (kGlow[below + 1][i] - kGlow[below][i]);
  }
  return colour;
}

}  // namespace

Temperatures read_png(const std::string& path, int scale) {
  const File file = open(path, "rb");
  Image image;
  if (png_image_begin_read_from_stdio(&image, file.get()) == 0) {
    throw std::runtime_error("cannot read '" + path + "' as a PNG picture: " + image.message);
  }
  const long long width = 1LL * image.width * scale, height = 1LL * image.height * scale;
  if (width * height > kMaxCells) {
    throw std::runtime_error("'" + path + "' at scale " + std::to_string(scale) + " has more than " +
                             std::to_string(kMaxCells) + " cells");
  }

  image.format = PNG_FORMAT_GRAY;
  std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
  const png_color behind_transparent_pixels{0, 0, 0};
  if (png_image_finish_read(&image, &behind_transparent_pixels, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error("cannot read '" + path + "' as a PNG picture: " + image.message);
  }

  Temperatures result(static_cast<int>(width), static_cast<int>(height));
  const int pixels_a_row = static_cast<int>(width) / scale;
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const int pixel = (y / scale) * pixels_a_row + x / scale;
      result.at(x, y) = pixels[static_cast<std::size_t>(pixel)] / 255.0;
    }
  }
  return result;
}

void write_png(const std::string& path, const Temperatures& temperatures) {
  std::vector<png_byte> pixels;
  pixels.reserve(3 * temperatures.values.size());
  for (double value : temperatures.values) {
    for (double channel : glow(value)) pixels.push_back(static_cast<png_byte>(std::lround(channel)));
  }

  const File file = open(path, "wb");
  Image image;
  image.width = static_cast<png_uint_32>(temperatures.width);
  image.height = static_cast<png_uint_32>(temperatures.height);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (png_image_write_to_stdio(&image, file.get(), 0, pixels.data(), 0, nullptr) == 0 ||
      std::fflush(file.get()) != 0) {
    throw std::runtime_error("cannot write '" + path + "': " + image.message);
  }
}
