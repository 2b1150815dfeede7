#include "options.hpp"

#include <charconv>
#include <string_view>

const char* const kUsage =
    "usage: heat IMAGE.png [options]\n"
    "  --steps N      time steps to take (2000)\n"
    "  --pictures N   pictures to write on the way, at equal intervals (5)\n"
    "  --out FOLDER   where they go; created if missing (heat-output)\n"
    "  --scale N      cells a pixel in each direction: a larger problem (1)\n"
    "  --check        compute it again on one rank and compare\n"
    "  --help         this text\n";

namespace {

int parse_number(std::string_view option, std::string_view text, int low, int high) {
  int value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last || value < low || value > high) {
    throw UsageError(std::string(option) + " '" + std::string(text) + "': expected a number from " +
                     std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&]() -> std::string_view {
      if (i + 1 == argc) throw UsageError(std::string(argument) + " needs a value");
      return argv[++i];
    };
    if (argument == "--steps") {
      options.steps = parse_number(argument, value(), 0, 100'000'000);
    } else if (argument == "--pictures") {
      options.pictures = parse_number(argument, value(), 0, 9999);
    } else if (argument == "--scale") {
      options.scale = parse_number(argument, value(), 1, 16);
    } else if (argument == "--out") {
      options.out = value();
    } else if (argument == "--check") {
      options.check = true;
    } else if (argument == "--help") {
      options.help = true;
    } else if (argument.starts_with("-")) {
      throw UsageError("unknown option " + std::string(argument));
    } else if (options.image.empty()) {
      options.image = argument;
    } else {
      throw UsageError("one image only, not also '" + std::string(argument) + "'");
    }
  }
  if (options.image.empty() && !options.help) throw UsageError("which image?");
  return options;
}
