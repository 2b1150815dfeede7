// Getting at the job segment by the number of its descriptor.
#pragma once

namespace antiphon::bootstrap {

// The descriptor itself where this process inherited it. Where something in between closed it (Python's subprocess
// closes what it was not told to keep), a new one of the same file, from the nearest ancestor that still has it open
// under this number; mpiexec always has. -1 where there is none. Whether the file is a job segment is for the caller
// to check.
int find_job_descriptor(int inherited);

}  // namespace antiphon::bootstrap
