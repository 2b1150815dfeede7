// What Antiphon declares of PMIx's binary interface, compared with the headers of an installed implementation.
#include <pmix.h>

#include <string_view>

#include "bootstrap/managers/pmix_abi.hpp"

namespace antiphon::bootstrap::pmix {
namespace {

static_assert(sizeof(Process) == sizeof(pmix_proc_t) && offsetof(Process, rank) == offsetof(pmix_proc_t, rank));
static_assert(sizeof(Value) == sizeof(pmix_value_t) && offsetof(Value, string) == offsetof(pmix_value_t, data));
static_assert(sizeof(Info) == sizeof(pmix_info_t) && offsetof(Info, flags) == offsetof(pmix_info_t, flags) &&
              offsetof(Info, value) == offsetof(pmix_info_t, value));
static_assert(sizeof(Type) == sizeof(pmix_data_type_t) && sizeof(pmix_scope_t) == 1 &&
              sizeof(pmix_status_t) == sizeof(int));
static_assert(static_cast<int>(Type::boolean) == PMIX_BOOL && static_cast<int>(Type::string) == PMIX_STRING &&
              static_cast<int>(Type::integer) == PMIX_INT && static_cast<int>(Type::uint32) == PMIX_UINT32);
static_assert(kWholeJob == PMIX_RANK_WILDCARD && kSuccess == PMIX_SUCCESS && kForAll == PMIX_GLOBAL);
static_assert(std::string_view(kJobSizeKey) == PMIX_JOB_SIZE && std::string_view(kAppnumKey) == PMIX_APPNUM &&
              std::string_view(kCollectDataKey) == PMIX_COLLECT_DATA);

}  // namespace
}  // namespace antiphon::bootstrap::pmix
