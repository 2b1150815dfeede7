// Checks the arguments of procedures that create communicators from groups alone: MPI 5.0, 7.4.2 and 7.6.2.
#pragma once

#include <cstring>

#include "api/check.hpp"

namespace antiphon::api::check {

inline void stringtag(const char* text) {
  check::not_null(text, "stringtag");
  if (strnlen(text, abi::MAX_STRINGTAG_LEN) >= abi::MAX_STRINGTAG_LEN)
    base::fail(abi::ERR_ARG,
               fmt::format("stringtag is longer than the {} characters that MPI_MAX_STRINGTAG_LEN allows",
                           abi::MAX_STRINGTAG_LEN - 1));
}
inline void in_group(const char* argument, const objects::Group& group, int world_rank) {
  if (group.rank_of(world_rank) < 0)
    base::fail(abi::ERR_GROUP,
               fmt::format("this process is not in {}: only members of the group may call this", argument));
}

inline void group_rank(const char* argument, int rank, const char* group_argument, const objects::Group& group) {
  if (rank < 0 || rank >= group.size())
    base::fail(abi::ERR_RANK, fmt::format("{}={} is not a rank of {}, which has {} (0 to {})", argument, rank,
                                          group_argument, group.size(), group.size() - 1));
}

}  // namespace antiphon::api::check
