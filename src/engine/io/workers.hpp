// Who carries out what must not keep the program waiting: threads of the process, or, in a simulation, whoever polls.
// Owned by the host of the process. add() and help() are called with the lane held.
#pragma once

namespace antiphon::io {

class Task {
 public:
  // Holds no lane. What it ends with belongs to others afterwards, so it is the last access to the task.
  virtual void run() noexcept = 0;

 protected:
  ~Task() = default;
};

class Workers {
 public:
  virtual ~Workers() = default;
  // The task stays where it is until it has run.
  virtual void add(Task& task) = 0;
  // Runs a task in this thread, if that is this worker's way; false if there is none to run.
  virtual bool help() { return false; }
  // No more tasks will come for a while.
  virtual void rest() {}
};

}  // namespace antiphon::io
