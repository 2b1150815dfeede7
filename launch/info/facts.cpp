#include "info/facts.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

#include "abi/constants.hpp"
#include "engine/coll/candidates.hpp"
#include "info/build_facts.hpp"
#include "node/cpus.hpp"
#include "settings/given.hpp"
#include "settings/text.hpp"

namespace antiphon::info {

namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(';'));
    found.emplace_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return found;
}

// The library that the dynamic linker finds for a program of this installation, and what it says about itself.
void add_library(Json& facts) {
  void* library = dlopen(build::kSoname, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    facts["library"] = fmt::format("cannot be loaded: {}", dlerror());
    return;
  }
  using GetLibraryVersion = int (*)(char*, int*);
  void* symbol = dlsym(library, "MPI_Get_library_version");
  Dl_info place{};
  if (symbol == nullptr || dladdr(symbol, &place) == 0) {
    facts["library"] = fmt::format("{} is no MPI library: it has no MPI_Get_library_version", build::kSoname);
    return;
  }
  facts["library"] = std::filesystem::weakly_canonical(place.dli_fname).string();
  char text[abi::MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (reinterpret_cast<GetLibraryVersion>(symbol)(text, &length) == abi::SUCCESS) facts["library_version"] = text;
}

void add_build(Json& facts) {
  facts["version"] = build::kVersion;
  facts["mpi_version"] = fmt::format("{}.{}", abi::VERSION, abi::SUBVERSION);
  facts["abi_version"] = fmt::format("{}.{}", abi::ABI_VERSION, abi::ABI_SUBVERSION);
  facts["soname"] = build::kSoname;
  facts["transports"] = words(build::kTransports);
  facts["compiler"] = build::kCompiler;
  facts["build_type"] = build::kType;
  facts["build_flags"] = build::kFlags;
  facts["sanitizers"] = build::kSanitizers;
}

void add_machine(Json& facts) {
  utsname system{};
  uname(&system);
  facts["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  facts["usable_cpus"] = launch::read_cpu_limits().usable();
}

}  // namespace

Json installation() {
  Json facts;
  add_build(facts);
  add_library(facts);
  add_machine(facts);
  facts["procedures"] = api::procedures.size() - missing_procedures().size();
  facts["procedures_in_mpi"] = api::procedures.size();
  return facts;
}

std::vector<api::ProcedureEntry> missing_procedures() {
  std::vector<api::ProcedureEntry> missing;
  std::copy_if(api::procedures.begin(), api::procedures.end(), std::back_inserter(missing),
               [](const api::ProcedureEntry& procedure) { return !procedure.has_body; });
  return missing;
}

Json settings() {
  settings::Values values;
  settings::apply(settings::given_by(environ), values);
  constexpr const char* kTypes[] = {"count", "bytes", "time", "choice"};
  constexpr const char* kScopes[] = {"job", "process", "launcher"};
  constexpr const char* kLevels[] = {"user", "tuner", "developer"};
  Json list = Json::array();
  for (const settings::Setting& setting : settings::all())
    list.push_back({{"name", std::string(setting.name)},
                    {"value", settings::text_of(setting, setting.get(values))},
                    {"default", settings::text_of(setting, setting.usual)},
                    {"valid", settings::valid_for(setting)},
                    {"auto", std::string(setting.automatic)},
                    {"type", kTypes[static_cast<int>(setting.type)]},
                    {"scope", kScopes[static_cast<int>(setting.scope)]},
                    {"level", kLevels[static_cast<int>(setting.level)]},
                    {"variable", settings::variable_of(setting.name)},
                    {"where", std::string(setting.where)},
                    {"what", std::string(setting.what)}});
  return list;
}

Json collectives() {
  settings::Values values;
  settings::apply(settings::given_by(environ), values);
  const bool anywhere = values.reproducible == settings::Reproducible::ranks;
  const coll::Machine a_core_each(values), this_one(values, anywhere ? 0 : launch::read_cpu_limits().usable());
  Json list = Json::array();
  for (int number = 0; number < coll::kOperations; ++number) {
    const auto operation = static_cast<coll::Operation>(number);
    const std::string setting_name = std::string(coll::name_of(operation)) + "_algorithm";
    const auto names = settings::named(setting_name, setting_name).choices;
    for (const int ranks : {2, 4, 8, 16, 64, 1024, 131'072}) {
      constexpr int kNode = 64;  // ranks on one node
      const int nodes = (ranks + kNode - 1) / kNode;
      const coll::Machine& machine = nodes == 1 ? this_one : a_core_each;
      for (const std::size_t bytes : {std::size_t{8}, std::size_t{1} << 10, std::size_t{16} << 10,
                                      std::size_t{256} << 10, std::size_t{8} << 20}) {
        const coll::Case what{.operation = operation, .ranks = ranks, .bytes = bytes, .nodes = nodes};
        Json predicted = Json::object();
        for (const coll::Candidate& each : coll::candidates(operation))
          if (each.can(what) && each.is_chosen_by_cost())
            predicted[std::string(names[static_cast<std::size_t>(each.number)])] =
                each.estimate(what, machine).nanoseconds(what, machine) / 1000;
        const coll::Candidate* asked_for = coll::candidate(operation, coll::wanted(operation, values));
        const bool is_asked_for = asked_for && asked_for->can(what);
        const int chosen = is_asked_for ? asked_for->number : coll::cheapest(what, machine).number;
        list.push_back({{"operation", std::string(coll::name_of(operation))},
                        {"ranks", ranks},
                        {"nodes", nodes},
                        {"bytes", operation == coll::Operation::barrier ? 0 : bytes},
                        {"chosen", std::string(names[static_cast<std::size_t>(chosen)])},
                        {"asked_for", is_asked_for},
                        {"predicted_us", std::move(predicted)}});
        if (operation == coll::Operation::barrier) break;
      }
    }
  }
  return list;
}

}  // namespace antiphon::info
