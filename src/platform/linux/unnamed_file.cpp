#include "platform/linux/unnamed_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace antiphon::platform {

std::vector<std::string> places_of_unnamed_files() {
  std::vector<std::string> places{kSystemMemory, "/dev/shm"};
  if (const char* folder = getenv("TMPDIR"); folder != nullptr && *folder != '\0') places.emplace_back(folder);
  if (places.back() != "/tmp") places.emplace_back("/tmp");
  return places;
}

// If the file system does not support O_TMPFILE, the file has a name for a moment.
int open_unnamed_file(const std::string& place, const char* purpose) {
  if (place == kSystemMemory) return memfd_create(purpose, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const int unnamed = open(place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (unnamed >= 0) return unnamed;
  std::string name = place + "/" + purpose + "-XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

}  // namespace antiphon::platform
