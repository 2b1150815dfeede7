// Info objects: MPI 5.0, chapter 10. Valid at any time and from any thread, so every body here takes the lock of
// process::Anytime for itself.
#include <span>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/copy_out.hpp"
#include "process/startup_info.hpp"

namespace antiphon::api {

using objects::Info;
using objects::Ref;

namespace {

using Lock = std::lock_guard<std::mutex>;

void check_key(const char* key) {
  if (!is_address(key))
    base::fail(abi::ERR_INFO_KEY, fmt::format("key is {}: pass the name of a key", check::shown(key)));
  const std::size_t length = strnlen(key, abi::MAX_INFO_KEY);
  if (length == 0) base::fail(abi::ERR_INFO_KEY, "key is empty: pass the name of a key");
  if (length >= abi::MAX_INFO_KEY)
    base::fail(abi::ERR_INFO_KEY, fmt::format("key has more characters than the {} that MPI_MAX_INFO_KEY allows",
                                              abi::MAX_INFO_KEY - 1));
}

void check_value(const char* value) {
  if (!is_address(value))
    base::fail(abi::ERR_INFO_VALUE, fmt::format("value is {}: pass the text to store", check::shown(value)));
  if (strnlen(value, abi::MAX_INFO_VAL) >= abi::MAX_INFO_VAL)
    base::fail(abi::ERR_INFO_VALUE, fmt::format("value has more characters than the {} that MPI_MAX_INFO_VAL allows",
                                                abi::MAX_INFO_VAL - 1));
}

// MPI_INFO_ENV tells how the program was started, which nobody can change.
void check_writable(const Info& info) {
  if (&info == anytime().infos.find(abi::INFO_ENV))
    base::fail(abi::ERR_INFO, "info is MPI_INFO_ENV, which can only be read: MPI_Info_dup gives a copy to change");
}

MPI_Info new_handle(Ref<Info> info) { return reinterpret_cast<MPI_Info>(anytime().infos.insert(std::move(info))); }

}  // namespace

void info_create(Call&, MPI_Info* info) {
  check::not_null(info, "info");
  const Lock lock(anytime().mutex);
  *info = new_handle(Ref<Info>::adopt(new Info));
}

void info_create_env(Call&, int argc, char* argv[], MPI_Info* info) {
  check::not_null(info, "info");
  if (argc < 0) base::fail(abi::ERR_ARG, fmt::format("argc={} is negative: pass what main() got, or 0", argc));
  if (argc > 0) check::not_null(argv, "argv");
  const auto made = argc == 0 ? process::startup_info()
                              : process::startup_info(std::span<char* const>(argv, static_cast<std::size_t>(argc)));
  const Lock lock(anytime().mutex);
  *info = new_handle(made);
}

void info_dup(Call&, const Info& info, MPI_Info* newinfo) {
  check::not_null(newinfo, "newinfo");
  const Lock lock(anytime().mutex);
  *newinfo = new_handle(Info::copy_of(info));
}

void info_free(Call&, MPI_Info* info) {
  check::not_null(info, "info");
  const auto value = reinterpret_cast<std::uintptr_t>(*info);
  const Lock lock(anytime().mutex);
  const Info* found = anytime().infos.find(value);
  if (!found) Call::fail_handle(abi::ERR_INFO, "info object", "MPI_INFO_NULL", abi::INFO_NULL, *info, "info");
  if (value < objects::kPredefinedHandles) base::fail(abi::ERR_INFO, "info is MPI_INFO_ENV, which cannot be freed");
  (void)anytime().infos.erase(value);
  *info = MPI_INFO_NULL;
}

void info_set(Call&, Info& info, const char* key, const char* value) {
  check_key(key);
  check_value(value);
  const Lock lock(anytime().mutex);
  check_writable(info);
  info.set(key, value);
}

void info_delete(Call&, Info& info, const char* key) {
  check_key(key);
  const Lock lock(anytime().mutex);
  check_writable(info);
  if (!info.erase(key))
    base::fail(abi::ERR_INFO_NOKEY, fmt::format("key=\"{}\" is not set in this info object", key));
}

void info_get(Call&, const Info& info, const char* key, int valuelen, char* value, int* flag) {
  check_key(key);
  check::not_null(flag, "flag");
  if (valuelen < 0)
    base::fail(
        abi::ERR_ARG,
        fmt::format("valuelen={} is negative (valid: the number of characters that fit, 0 or more)", valuelen));
  const Lock lock(anytime().mutex);
  const std::string* found = info.find(key);
  *flag = found != nullptr;
  if (!found) return;
  check::not_null(value, "value");
  int length = 0;
  copy_text(value, &length, *found, static_cast<std::size_t>(valuelen) + 1);
}

void info_get_string(Call&, const Info& info, const char* key, int* buflen, char* value, int* flag) {
  check_key(key);
  check::not_null(buflen, "buflen");
  check::not_null(flag, "flag");
  const Lock lock(anytime().mutex);
  const std::string* found = info.find(key);
  *flag = found != nullptr;
  if (found) copy_text_of_size(value, "value", buflen, "buflen", *found);
}

void info_get_valuelen(Call&, const Info& info, const char* key, int* valuelen, int* flag) {
  check_key(key);
  check::not_null(valuelen, "valuelen");
  check::not_null(flag, "flag");
  const Lock lock(anytime().mutex);
  const std::string* found = info.find(key);
  *flag = found != nullptr;
  if (found) *valuelen = static_cast<int>(found->size());
}

void info_get_nkeys(Call&, const Info& info, int* nkeys) {
  check::not_null(nkeys, "nkeys");
  const Lock lock(anytime().mutex);
  *nkeys = static_cast<int>(info.entries().size());
}

void info_get_nthkey(Call&, const Info& info, int n, char* key) {
  check::not_null(key, "key");
  const Lock lock(anytime().mutex);
  const std::size_t keys = info.entries().size();
  if (n < 0 || static_cast<std::size_t>(n) >= keys)
    base::fail(abi::ERR_ARG,
               keys == 0 ? fmt::format("n={} is not the number of a key: this info object has no keys", n)
                         : fmt::format("n={} is not the number of a key of this info object, which has {} (0 to {})",
                                       n, keys, keys - 1));
  int length = 0;
  copy_text(key, &length, info.entries()[static_cast<std::size_t>(n)].key, abi::MAX_INFO_KEY);
}

}  // namespace antiphon::api
