// The part of the PMIx standard's binary interface that a job needs (PMIx 2 and newer), declared here so that
// building Antiphon does not need the headers of an implementation. A test compares it with them where they are
// installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace antiphon::bootstrap::pmix {

inline constexpr std::size_t kNamespaceBytes = 256, kKeyBytes = 512;
inline constexpr std::uint32_t kWholeJob = UINT32_MAX - 1;  // PMIX_RANK_WILDCARD
inline constexpr int kSuccess = 0;
inline constexpr std::uint8_t kForAll = 3;                      // PMIX_GLOBAL
inline constexpr const char* kJobSizeKey = "pmix.job.size";     // PMIX_JOB_SIZE
inline constexpr const char* kAppnumKey = "pmix.appnum";        // PMIX_APPNUM
inline constexpr const char* kCollectDataKey = "pmix.collect";  // PMIX_COLLECT_DATA

enum class Type : std::uint16_t { boolean = 1, string = 3, integer = 6, uint32 = 14 };

struct Process {
  char name_space[kNamespaceBytes];
  std::uint32_t rank;
};

struct Value {
  Type type;
  union {
    bool boolean;
    char* string;
    std::uint32_t uint32;
    void* largest[3];
  };
};

struct Info {
  char key[kKeyBytes];
  std::uint32_t flags;
  Value value;
};

using Init = int (*)(Process* self, Info* infos, std::size_t count);
using Get = int (*)(const Process* of, const char* key, const Info* infos, std::size_t count, Value** value);
using Put = int (*)(std::uint8_t scope, const char* key, Value* value);
using Commit = int (*)();
using Fence = int (*)(const Process* processes, std::size_t count, const Info* infos, std::size_t infos_count);
using Abort = int (*)(int status, const char* text, Process* processes, std::size_t count);
using Finalize = int (*)(const Info* infos, std::size_t count);
using ErrorString = const char* (*)(int status);

}  // namespace antiphon::bootstrap::pmix
