#include "engine/coll/boards/on_board.hpp"
#include "engine/coll/candidates.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/coll/hollow.hpp"
#include "engine/coll/plans/any.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll {

Plan Collectives::take_part_without_data(const Attempt& attempt, const base::Error& failure, objects::Comm& comm,
                                         Deferred* later) {
  if (comm.is_inter() || !survives_errors(comm)) return {};
  tell_cause(comm, said_of_itself(comm, failure), progress_);
  const Case& what = attempt.what;
  if (wanted(what.operation, settings_of(comm)) == 0 &&
      on_board::take_part_without_data(boards_, attempt, comm, later))
    return {};
  Recorder recorder(everybody(comm).view);
  Hollow hollow(recorder);
  plan_any(hollow, what, like_boards(choice(comm), what.operation, what.bytes, attempt.runs_user_code, comm, later),
           attempt.root);
  return recorder.take();
}

}  // namespace antiphon::coll
