#include "bootstrap/managers/pmix.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/foreign.hpp"

namespace antiphon::bootstrap {
namespace {

constexpr const char* kLibrary = "libpmix.so.2";

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using OwnedValue = std::unique_ptr<pmix::Value, Free>;

std::string name_of(const Environment& environment) {
  return fmt::format("the PMIx launcher of this process (PMIX_NAMESPACE={})",
                     environment("PMIX_NAMESPACE").value_or(""));
}

std::string key_of(const std::string& key) { return "antiphon." + key; }

}  // namespace

Pmix::Library::Library(const std::string& launcher) {
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  const auto fail = [&] {
    base::fail(
        kErrOther,
        fmt::format("{} has to be asked through the library {}, which cannot be used: {}. Install it (Debian's "
                    "package libpmix2), or add the folder of that which belongs to the launcher to "
                    "LD_LIBRARY_PATH; or, if the program is meant to run alone, set {}=1",
                    launcher, kLibrary, dlerror(), kSingletonVariable));
  };
  if (library == nullptr) fail();
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (function == nullptr) fail();
  };
  find(init, "PMIx_Init");
  find(get, "PMIx_Get");
  find(put, "PMIx_Put");
  find(commit, "PMIx_Commit");
  find(fence, "PMIx_Fence");
  find(abort, "PMIx_Abort");
  find(finalize, "PMIx_Finalize");
  find(error_string, "PMIx_Error_string");
}

Pmix::Pmix(const Environment& environment) : name_(name_of(environment)), library_(name_) {
  need(library_.init(&self_, nullptr, 0), "PMIx_Init");
  // A library that does not find the server may take the process for one that was started alone.
  if (environment("PMIX_NAMESPACE") != self_.name_space)
    base::fail(kErrOther,
               fmt::format("PMIx_Init did not find {}, but started a job of its own, '{}'", name_, self_.name_space));
  identity_.rank = static_cast<int>(self_.rank);
  identity_.size = static_cast<int>(number(pmix::kWholeJob, pmix::kJobSizeKey));
  identity_.appnum = static_cast<int>(number(self_.rank, pmix::kAppnumKey));
}

void Pmix::put(const std::string& key, const std::string& value) {
  std::string copy = value;
  pmix::Value given{.type = pmix::Type::string, .string = copy.data()};
  need(library_.put(pmix::kForAll, key_of(key).c_str(), &given), fmt::format("PMIx_Put of '{}'", key));
}

void Pmix::exchange() {
  need(library_.commit(), "PMIx_Commit");
  pmix::Info collect{};
  std::strcpy(collect.key, pmix::kCollectDataKey);
  collect.value = {.type = pmix::Type::boolean, .boolean = true};
  need(library_.fence(nullptr, 0, &collect, 1), "PMIx_Fence");
}

std::string Pmix::get(int rank, const std::string& key) {
  const pmix::Process of = process(static_cast<std::uint32_t>(rank));
  pmix::Value* found = nullptr;
  need(library_.get(&of, key_of(key).c_str(), nullptr, 0, &found),
       fmt::format("PMIx_Get of '{}' of rank {}", key, rank));
  const OwnedValue value(found);
  if (value->type != pmix::Type::string)
    base::fail(kErrOther, fmt::format("{} gave a value of PMIx type {} for '{}' of rank {}, where a string was put",
                                      name_, static_cast<int>(value->type), key, rank));
  const std::unique_ptr<char, Free> text(value->string);
  return text.get();
}

void Pmix::finish() noexcept { library_.finalize(nullptr, 0); }

void Pmix::abort(int exit_status, const std::string& text) noexcept {
  library_.abort(exit_status, text.c_str(), nullptr, 0);
}

pmix::Process Pmix::process(std::uint32_t rank) const {
  pmix::Process process = self_;
  process.rank = rank;
  return process;
}

std::uint32_t Pmix::number(std::uint32_t of, const char* key) const {
  const pmix::Process process = this->process(of);
  pmix::Value* found = nullptr;
  need(library_.get(&process, key, nullptr, 0, &found), fmt::format("PMIx_Get of '{}'", key));
  const OwnedValue value(found);
  // The standard has uint32_t for these, and Slurm gives an int.
  if (value->type != pmix::Type::uint32 && value->type != pmix::Type::integer)
    base::fail(kErrOther, fmt::format("{} gave a value of PMIx type {} for '{}', where type {} was expected", name_,
                                      static_cast<int>(value->type), key, static_cast<int>(pmix::Type::uint32)));
  return value->uint32;
}

void Pmix::need(int status, const std::string& what) const {
  if (status == pmix::kSuccess) return;
  base::fail(kErrOther, fmt::format("{} failed: {}, with {}", what, library_.error_string(status), name_));
}

}  // namespace antiphon::bootstrap
