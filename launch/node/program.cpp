#include "node/program.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

bool is_directory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0 && !is_directory(path); }

std::string joined(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

// A relative path is relative to the rank's working directory.
std::string seen_from(const App& app, const std::string& path) {
  return path.starts_with('/') ? path : joined(app.working_directory, path);
}

std::string search_path(const App& app) {
  for (auto variable = app.environment.rbegin(); variable != app.environment.rend(); ++variable) {
    if (variable->name == "PATH") return variable->value;
  }
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::string all_search_paths(const App& app) {
  return app.search_path.empty() ? search_path(app) : app.search_path + ":" + search_path(app);
}

std::string search(const App& app, const std::string& name) {
  const std::string path = all_search_paths(app);
  for (std::string_view rest = path;;) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    std::string candidate = joined(std::string{directory.empty() ? "." : directory}, name);
    if (is_program(seen_from(app, candidate))) return candidate;
    if (directory.size() == rest.size()) break;
    rest.remove_prefix(directory.size() + 1);
  }
  std::string here = "./" + name;
  if (is_program(seen_from(app, here))) return here;
  if (access(seen_from(app, here).c_str(), F_OK) == 0 && !is_directory(seen_from(app, here))) {
    throw Failure{kExitNotExecutable, fmt::format("cannot run '{}': it is not executable (chmod +x?)", name)};
  }
  throw Failure{kExitNotFound, fmt::format("cannot run '{}': neither PATH nor {} has such a program", name,
                                           app.working_directory.empty() ? "the current directory"
                                                                         : "'" + app.working_directory + "'")};
}

}  // namespace

std::string find_program(const App& app) {
  if (!app.working_directory.empty() && !is_directory(app.working_directory)) {
    usage_error(fmt::format("--wdir: '{}' is not a directory", app.working_directory));
  }
  const std::string& name = app.command.front();
  if (name.empty()) usage_error("no program to run: its name is empty");
  if (name.find('/') == std::string::npos) return search(app, name);

  const std::string path = seen_from(app, name);
  if (is_program(path)) return name;
  if (is_directory(path)) throw Failure{kExitNotExecutable, fmt::format("cannot run '{}': it is a directory", name)};
  const int why = access(path.c_str(), F_OK) == 0 ? EACCES : errno;
  if (why == EACCES) {
    throw Failure{kExitNotExecutable, fmt::format("cannot run '{}': it is not executable (chmod +x?)", name)};
  }
  const bool moved = !name.starts_with('/') && !app.working_directory.empty();
  throw Failure{kExitNotFound, fmt::format("cannot run '{}'{}: {}", name,
                                           moved ? fmt::format(" from '{}' (-wdir)", app.working_directory) : "",
                                           std::strerror(why))};
}

}  // namespace antiphon::launch
