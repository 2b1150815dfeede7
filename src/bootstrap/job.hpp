// The job that this process belongs to, as its launcher describes it: this process's rank, where the others run,
// the keys and values that processes publish, and abort. It does not know how bytes are sent or which memory is
// shared, so each launcher has an implementation, and simulations have another. Made once by discover(), and owned
// by the Process for the rest of its life. Any thread may read; put, fence, enter and leave are for one thread at
// a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bootstrap/place.hpp"

namespace antiphon::bootstrap {

class Job {
 public:
  struct Identity {
    int rank = 0;  // in MPI_COMM_WORLD
    int size = 1;
    int appnum = 0;  // which of the programs on mpiexec's command line this is
    int universe_size = 1;
  };

  virtual ~Job() = default;

  [[nodiscard]] const Identity& identity() const { return identity_; }
  [[nodiscard]] int rank() const { return identity_.rank; }
  [[nodiscard]] int size() const { return identity_.size; }
  [[nodiscard]] virtual Place place_of(int rank) const = 0;

  // Lets the others find `value` by this process's rank and `key`. A later value replaces an earlier one.
  virtual void put(std::string_view key, std::string_view value) = 0;
  // What `rank` has put: for certain what it put before a fence, perhaps what it put since; nothing where there is
  // nothing yet. get() is for what has to be there, and fails with ERR_OTHER and a sentence that names rank and key.
  [[nodiscard]] std::optional<std::string> find(int rank, std::string_view key) const;
  [[nodiscard]] std::string get(int rank, std::string_view key) const;
  // Waits until all ranks of this process's node have come here. No messages are moved meanwhile: for the time before
  // the first and after the last.
  virtual void fence() = 0;

  // Tells the launcher that this process uses MPI from now on, or does so no longer: one that ends in between has
  // deserted the others.
  virtual void enter() = 0;
  virtual void leave() = 0;
  // That it wanted to, and could not.
  virtual void failed_to_leave() {}

  // Ends the whole job; `text` is what the user is told, without a newline. The exit status of the job is `code`
  // where a process can have it (its low eight bits), 1 where those would read as success.
  [[noreturn]] virtual void abort(int code, std::string_view text) = 0;

 protected:
  explicit Job(const Identity& identity) : identity_(identity) {}

 private:
  // `rank` is one of the job.
  [[nodiscard]] virtual std::optional<std::string> look_up(int rank, std::string_view key) const = 0;

  Identity identity_;
};

// The exit status that stands for an MPI_Abort code.
[[nodiscard]] int exit_status_of_abort(int code);

}  // namespace antiphon::bootstrap
