// Who am I, who are the others, where is the memory we share: what a process has to know before it can send a byte.
// Made once by discover() in MPI_Init and owned by the Process for the rest of its life; every method but abort() is
// a plain read and may be called by any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "bootstrap/environment.hpp"
#include "bootstrap/segment.hpp"

namespace antiphon::bootstrap {

class Bootstrap {
 public:
  virtual ~Bootstrap() = default;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(segment_.size()); }

  [[nodiscard]] Header& header() const { return segment_.header(); }
  [[nodiscard]] RankSlot& slot(int rank) const { return segment_.slot(static_cast<std::uint32_t>(rank)); }
  [[nodiscard]] RankSlot& my_slot() const { return slot(rank_); }
  // pair_bytes(), zero at first, in which rank `from` writes to rank `to`. Touch them only when they first talk.
  [[nodiscard]] std::byte* pair_area(int from, int to) const {
    return segment_.pair_area(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  }
  [[nodiscard]] std::size_t pair_bytes() const { return segment_.pair_bytes(); }

  // Memory that `rank` allocates for others to see.
  [[nodiscard]] platform::FilePart heap(int rank) const { return segment_.heap(static_cast<std::uint32_t>(rank)); }

  // Ends the whole job; `text` is what the user is told, without a newline. The exit status of the job is `code`
  // where a process can have it (its low eight bits), 1 where those would read as success by accident.
  [[noreturn]] virtual void abort(int code, std::string_view text) = 0;

 protected:
  Bootstrap(Segment segment, int rank) : segment_(std::move(segment)), rank_(rank) {}

 private:
  Segment segment_;
  int rank_;
};

// Native under our mpiexec, a singleton without any launcher. Fails with a sentence that says what to do when
// the process was started by a launcher that speaks another language, or when the rank is taken already.
std::unique_ptr<Bootstrap> discover(const Environment& environment);

// The exit status that stands for an MPI_Abort code.
[[nodiscard]] int exit_status_of_abort(int code);

}  // namespace antiphon::bootstrap
