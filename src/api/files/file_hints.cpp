#include "api/files/file_hints.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "api/comms/comm_hints.hpp"
#include "api/files/file_arguments.hpp"
#include "process/memory_kinds.hpp"

namespace antiphon::api {

using io::Manner;
using objects::Info;

namespace {

constexpr std::string_view kAggregators = "cb_nodes", kBuffer = "cb_buffer_size", kRead = "romio_cb_read",
                           kWrite = "romio_cb_write", kCollective = "collective_buffering", kSieve = "romio_ds_read",
                           kSieveBuffer = "ind_rd_buffer_size", kPermissions = "file_perm";

std::optional<std::int64_t> number_in(const std::string* text, int base = 10) {
  std::int64_t number = 0;
  if (!text) return {};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number, base);
  const bool is_number = error == std::errc() && end == text->data() + text->size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

void take_phases(const std::string* text, Manner::Phases* phases) {
  if (!text) return;
  if (*text == "enable" || *text == "true") *phases = Manner::Phases::always_two;
  if (*text == "disable" || *text == "false") *phases = Manner::Phases::one;
  if (*text == "automatic") *phases = Manner::Phases::as_it_pays;
}

const char* name_of(Manner::Phases phases) {
  if (phases == Manner::Phases::as_it_pays) return "automatic";
  return phases == Manner::Phases::one ? "disable" : "enable";
}

}  // namespace

void FileHints::take(const Info* info) {
  if (!info) return;
  constexpr std::int64_t kMostAggregators = INT32_MAX, kMostBytes = std::int64_t{1} << 30;
  const auto find = [&](std::string_view key) { return info->find(key); };
  if (const auto number = number_in(find(kAggregators)); number && *number <= kMostAggregators)
    manner_.aggregators = static_cast<std::int32_t>(*number);
  if (const auto bytes = number_in(find(kBuffer)); bytes && *bytes > 0 && *bytes <= kMostBytes)
    manner_.buffer_bytes = *bytes;
  take_phases(find(kCollective), &manner_.read);
  take_phases(find(kCollective), &manner_.write);
  take_phases(find(kRead), &manner_.read);
  take_phases(find(kWrite), &manner_.write);
  if (const auto bytes = number_in(find(kSieveBuffer)); bytes && *bytes <= kMostBytes) tuning_.sieve_bytes = *bytes;
  if (const std::string* sieve = find(kSieve)) {
    if (*sieve == "disable") tuning_.sieve_bytes = 0;
    if (*sieve == "enable" && tuning_.sieve_bytes == 0) tuning_ = {};
  }
  if (const auto bits = number_in(find(kPermissions), 8); bits && *bits <= 07777)
    permissions_ = static_cast<unsigned>(*bits);
}

void FileHints::store(objects::File& file) const {
  file.hints().set(kPermissions, fmt::format("{:04o}", permissions_));
}

objects::Ref<Info> hints_in_force(objects::File& file) {
  auto made = Info::copy_of(file.hints());
  const Manner& manner = file.state().manner();
  if (manner.aggregators != 0) made->set(kAggregators, std::to_string(manner.aggregators));
  made->set(kBuffer, std::to_string(manner.buffer_bytes));
  made->set(kRead, name_of(manner.read));
  made->set(kWrite, name_of(manner.write));
  made->set(kSieve, file.state().tuning().sieve_bytes == 0 ? "disable" : "automatic");
  made->set(kSieveBuffer, std::to_string(file.state().tuning().sieve_bytes));
  made->set("filename", file.path());
  made->set("nb_proc", std::to_string(file.comm().size()));
  return made;
}

void file_set_info(Process& process, File& fh, const Info* info) {
  const FileHints hints(fh, info);
  service::file_set_manner(process.file_tools(), fh, hints.manner(), {});
  fh.state().set_tuning(hints.tuning());
}

void file_get_info(Process& process, File& fh, MPI_Info* info_used) {
  check::not_null(info_used, "info_used");
  auto made = hints_in_force(fh);
  made->set(process::kMemoryKindsKey, memory_kinds_of(process, fh.comm().group()));
  *info_used = reinterpret_cast<MPI_Info>(anytime().add_info(std::move(made)));
}

}  // namespace antiphon::api
