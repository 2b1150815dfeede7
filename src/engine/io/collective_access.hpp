// One collective read or write (MPI 5.0, 14.4). All processes first tell each other what they access, and whether
// their call has failed already. From that all choose the same way: each process accesses the file itself, or the
// data goes through aggregators (two_phases.hpp), where pieces are short and lie between those of others. At the end
// they agree whether all have succeeded. So all report an error that one has met, and none waits for one that has
// failed.
//
// A state machine that never waits. Owned by the state of the file, or by the call that waits for it; must stay in
// its place. Guarded by the lane's lock.
#pragma once

#include <optional>

#include "engine/io/agreement.hpp"
#include "engine/io/file_state.hpp"
#include "engine/io/two_phases.hpp"

namespace antiphon::io {

class CollectiveAccess {
 public:
  // Where the data of this process is in the file: at a position of its own, or, in the order of ranks, where the
  // shared pointer is.
  enum class Place : std::uint8_t { own, ordered };
  struct Arguments {
    Direction direction;
    Place place;
    std::int64_t position;  // in bytes of the view, if it is this process's own
    Memory memory;
    data::KeptType type;                 // of the memory
    std::optional<base::Error> failure;  // this process takes part without data
  };
  struct Tools {
    Meetings& meetings;
    pt2pt::Messages& messages;
    Background& background;
    int most_aggregators;
  };
  CollectiveAccess(const Tools& tools, FileState& state, Arguments arguments, When when);
  CollectiveAccess(const CollectiveAccess&) = delete;
  CollectiveAccess& operator=(const CollectiveAccess&) = delete;

  // True when it is over.
  [[nodiscard]] bool advance();
  // What it waits for; null if it can go on.
  [[nodiscard]] const objects::Request* awaited() const;

  [[nodiscard]] std::int64_t moved() const { return moved_; }
  [[nodiscard]] const std::optional<base::Error>& failure() const { return closing_.failure(); }

 private:
  // What a process tells the others about its part.
  struct Announcement {
    std::int64_t bytes;
    std::int64_t runs;  // about how many, if there are several
    Span span;
    std::int32_t ascends;
    std::int32_t is_atomic;
  };
  enum class Stage : std::uint8_t { announce, choose, place, move, conclude, over };

  [[nodiscard]] Announcement announcement() const;
  void choose();
  void find_place();
  void access_alone();
  void move();
  [[nodiscard]] bool pays_in_two_phases() const;
  [[nodiscard]] objects::Comm& comm() const { return state_.file().comm(); }

  Tools tools_;
  FileState& state_;
  Arguments arguments_;
  When when_;
  // What it uses even if the file gets another view meanwhile.
  objects::FileViewRef view_;
  StoredFileRef stored_;
  Access access_;

  Stage stage_ = Stage::announce;
  Agreement opening_, closing_;
  std::vector<Announcement> all_;
  std::int64_t base_ = 0;  // of ordered access: the shared pointer before it
  std::optional<TwoPhases> two_phases_;
  FileRequestRef alone_;
  objects::Ref<objects::Request> awaited_;
  std::optional<base::Error> failure_;
  std::int64_t moved_ = 0;
};

}  // namespace antiphon::io
