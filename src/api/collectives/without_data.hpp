// What a collective does if this rank finds its own arguments wrong. If the rank knows what the others do, it
// takes part without data before it fails, so that the others get an error instead of waiting for ever. Buffers
// that overlap are checked afterwards: all ranks run the same program and usually make that mistake together; a
// rank that makes it alone takes no part.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "api/call.hpp"
#include "engine/coll/persistent.hpp"

namespace antiphon::api {

[[gnu::cold]] inline void take_part_without_data(Process& process, const coll::Attempt& attempt,
                                                 const base::Error& failure, objects::Comm& comm,
                                                 coll::Deferred* later) {
  auto plan =
      std::make_shared<const coll::Plan>(process.coll().take_part_without_data(attempt, failure, comm, later));
  if (later && later->begun) return;
  const std::int32_t tag = later ? comm.next_nonblocking_tag() : coll::kBlockingTag;
  if (plan->steps().empty() || (later && later->times != coll::Deferred::Times::once)) return;
  const auto begun = process.replays().start(std::move(plan), comm, tag);
  if (!later) process.progress().wait(*begun);
}

// What attempt() gives; nothing if that fails, too.
template <class Attempt>
[[gnu::cold]] std::optional<coll::Attempt> if_known(Attempt attempt) {
  try {
    return attempt();
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

// What check() gives. If that fails, attempt() says what the others do.
template <class Attempt, class Check>
auto checked(Process& process, objects::Comm& comm, coll::Deferred* later, Attempt attempt, Check check) {
  try {
    return check();
  } catch (const base::Error& failure) {
    if (const auto known = if_known(attempt)) take_part_without_data(process, *known, failure, comm, later);
    throw;
  }
}

}  // namespace antiphon::api
