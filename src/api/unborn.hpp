// Communicators that are made without another one (MPI 5.0, 7.4.2): an error in making them is raised on the error
// handler that they would have had.
#pragma once

#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

namespace check {

inline void stringtag(const char* text) {
  check::not_null(text, "stringtag");
  if (strnlen(text, abi::MAX_STRINGTAG_LEN) >= abi::MAX_STRINGTAG_LEN)
    base::fail(abi::ERR_ARG,
               fmt::format("stringtag is longer than the {} characters that MPI_MAX_STRINGTAG_LEN allows",
                           abi::MAX_STRINGTAG_LEN - 1));
}
inline void in_group(const char* argument, const objects::Group& group, int world_rank) {
  if (group.rank_of(world_rank) < 0)
    base::fail(abi::ERR_GROUP, fmt::format("this process is not in {}: its members call this", argument));
}

inline void group_rank(const char* argument, int rank, const char* group_argument, const objects::Group& group) {
  if (rank < 0 || rank >= group.size())
    base::fail(abi::ERR_RANK, fmt::format("{}={} is no rank of {}, which has {} (0 to {})", argument, rank,
                                          group_argument, group.size(), group.size() - 1));
}

}  // namespace check

template <class Body>
void on_unborn(Process& process, objects::Errhandler& errhandler, Body&& body) {
  if (!errhandler.suits(objects::Errhandler::Kind::comm))
    base::fail(abi::ERR_ERRHANDLER,
               "errhandler is not one for communicators: MPI_Comm_create_errhandler makes those");
  try {
    body();
  } catch (base::Error& error) {
    auto unborn = objects::Ref<objects::Comm>::adopt(new objects::Comm(
        objects::kUndecidedContext, process.self().group_ref(), 0,
        objects::Ref<objects::Errhandler>::share(errhandler), "a communicator that was to be made"));
    throw OperationError{std::move(error), std::move(unborn)};
  }
}

}  // namespace antiphon::api
