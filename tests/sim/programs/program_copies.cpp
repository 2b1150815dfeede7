#include "programs/program_copies.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace antiphon::sim {

namespace {

[[noreturn]] void fail(const std::string& path, const char* why) {
  throw std::runtime_error(fmt::format("{}: {}", path, why));
}

int copy_in_memory(int original, const std::string& path) {
  const int copy = memfd_create(path.c_str(), MFD_CLOEXEC);
  struct stat found {};
  if (copy < 0 || fstat(original, &found) != 0) fail(path, std::strerror(errno));
  for (off_t done = 0; done < found.st_size;)
    if (sendfile(copy, original, &done, static_cast<std::size_t>(found.st_size - done)) <= 0)
      fail(path, std::strerror(errno));
  return copy;
}

}  // namespace

std::vector<Main> load_copies(const std::string& path, int copies) {
  const int original = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (original < 0) fail(path, std::strerror(errno));
  std::vector<Main> mains;
  while (static_cast<int>(mains.size()) < copies) {
    const int copy = copy_in_memory(original, path);
    void* const loaded = dlopen(fmt::format("/proc/self/fd/{}", copy).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) fail(path, dlerror());
    void* const main = dlsym(loaded, "main");
    if (!main) fail(path, "has no main(): it must be compiled with -fPIC and linked with -shared");
    mains.push_back(reinterpret_cast<Main>(main));
  }
  close(original);
  return mains;
}

}  // namespace antiphon::sim
