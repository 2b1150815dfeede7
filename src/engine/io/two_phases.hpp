// Collective access in two phases. Some of the ranks, the aggregators, each have a part of the file, its domain, and
// go through it in windows. One phase moves data between memories: for each window, a rank tells the aggregator which
// runs of the file it wants to write or read there, and sends or receives their bytes. In the other the aggregator
// writes or reads the window, in few and long runs. So short pieces of many ranks that lie between each other become
// long ones.
//
// Only what some rank writes is written: gaps are never read and written back, so nobody has to be kept out of them.
// A state machine that never waits; lives in the CollectiveAccess, whose messages only it sends. Guarded by the
// lane's lock.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "engine/io/agreement.hpp"
#include "engine/io/background.hpp"
#include "engine/io/scratch.hpp"
#include "engine/io/strided_runs.hpp"
#include "engine/io/transfer.hpp"
#include "engine/pt2pt/messages.hpp"

namespace antiphon::io {

// The bytes of the file from the first that a rank accesses to the last; empty if it accesses none.
struct Span {
  std::int64_t first = 0;
  std::int64_t end = 0;
  [[nodiscard]] bool empty() const { return first == end; }
  [[nodiscard]] bool meets(const Span& other) const { return first < other.end && other.first < end; }
};

// Who is aggregator of what; all ranks compute the same.
struct Domains {
  Span all;           // the bytes of the file from the first that any rank accesses to the last
  std::int64_t each;  // bytes of a domain
  int aggregators;
  std::int64_t window;  // bytes that an aggregator handles at a time
  int ranks;

  // `most` aggregators at most, and no more than there are windows to handle.
  Domains(const Span& accessed, int most, std::int64_t window_bytes, int ranks);
  [[nodiscard]] int rank_of(int aggregator) const {
    return static_cast<int>(std::int64_t{aggregator} * ranks / aggregators);
  }
  // -1 if the rank is none.
  [[nodiscard]] int aggregator_at(int rank) const;
  [[nodiscard]] std::int64_t rounds() const { return (each + window - 1) / window; }
  [[nodiscard]] Span window_of(int aggregator, std::int64_t round) const;
};

class TwoPhases {
 public:
  struct Tools {
    pt2pt::Messages& messages;
    Background& background;
    TwoPhaseBuffers& buffers;
  };
  // `spans` are those of all ranks. `access` stays where it is.
  TwoPhases(const Tools& tools, Direction direction, const Access& access, objects::File& file, When when,
            std::vector<Span> spans, const Domains& domains);

  // True when it is over.
  [[nodiscard]] bool advance();
  // What it waits for; null if it can go on.
  [[nodiscard]] const objects::Request* awaited() const;

  // Bytes of this rank that have been moved, and the first error that it met as an aggregator.
  [[nodiscard]] std::int64_t moved() const { return std::min(access_.memory.bytes, ends_at_ - access_.position); }
  [[nodiscard]] const std::optional<base::Error>& failure() const { return failure_; }

 private:
  using RequestRef = objects::Ref<objects::Request>;

  // What a rank first tells an aggregator. Lists that are longer than this follow.
  struct Head {
    static constexpr std::size_t kRuns = 6;
    std::int64_t bytes;
    std::int64_t entries;
    StridedRuns runs[kRuns];
  };
  // What this rank has in the window of one aggregator.
  struct Part {
    int aggregator;
    std::int64_t position;  // in the view
    std::int64_t bytes;
    RunList runs = {};
    Head head = {};
    std::byte* packed = nullptr;  // if its memory is scattered
    objects::Ref<pt2pt::ReceiveRequest> arriving = {};
  };
  // A rank that has something in the window of this aggregator.
  struct Source {
    int rank;
    Head head = {};
    RunList runs = {};
    std::byte* bytes = nullptr;  // packed, or this rank's own memory
  };
  // In each round, in this order; each begins when what was awaited before is complete.
  enum class Stage : std::uint8_t { ask, learn, collect, access_file, answer, finish, over };

  void begin(Stage stage);
  void ask();
  void learn();
  void collect();
  void access_file();
  void answer();
  void finish();

  [[nodiscard]] bool writes() const { return direction_ == Direction::write; }
  [[nodiscard]] std::byte* bytes_of(const Part& part) const;
  void need(const Source& source, bool holds) const;
  void need_within_window(const Source& source) const;
  void list_parts();
  void pack_parts();
  void ask_about(Part& part);
  void send(const void* data, std::size_t bytes, int rank, std::int32_t tag);
  [[nodiscard]] objects::Ref<pt2pt::ReceiveRequest> receive(void* data, std::size_t bytes, int rank,
                                                            std::int32_t tag);
  void await(RequestRef request) {
    if (request) awaited_.push_back(std::move(request));
  }
  // Called by a worker, or here.
  void write_window();
  void read_window();
  void hand_out();

  Tools tools_;
  Direction direction_;
  const Access& access_;
  objects::File& file_;
  objects::Comm& comm_;
  When when_;
  std::vector<Span> spans_;
  Domains domains_;
  int me_;  // as an aggregator; -1: not one

  std::int64_t round_ = 0;
  Stage stage_ = Stage::ask;
  std::vector<std::int64_t> next_position_;  // in the view, by aggregator
  std::vector<Part> parts_;
  std::vector<Source> sources_;
  std::byte* image_ = nullptr;          // of the window
  std::int64_t origin_ = 0;             // the offset of its first byte
  std::int64_t file_ends_ = INT64_MAX;  // where this aggregator has found the end of the file
  std::int64_t ends_at_ = INT64_MAX;    // the position where this rank's data ends, since the file does
  std::vector<RequestRef> awaited_;     // before the next stage
  std::vector<RequestRef> begun_;       // before the next round
  FileRequestRef working_;
  std::optional<base::Error> failure_;
};

}  // namespace antiphon::io
