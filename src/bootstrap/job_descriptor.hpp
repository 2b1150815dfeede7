// Opens the job segment by the number of its descriptor.
#pragma once

namespace antiphon::bootstrap {

// The descriptor itself where this process inherited it. Where something in between closed it (Python's subprocess
// closes what it was not told to keep) or has another file under this number, a new descriptor of the segment, from
// the nearest ancestor that still has it open under this number; mpiexec always has. Other descriptors of this
// process are not looked at: those that lead to a segment may be of a job around this one. Where there is no segment,
// what the number leads to here, for the caller to say what that is; -1 if it leads nowhere.
int find_job_descriptor(int inherited);

}  // namespace antiphon::bootstrap
