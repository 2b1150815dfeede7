// How the processes of a file agree whether all of them have succeeded, and tell each other a few bytes: whoever has
// failed says so, and all fail with the error of the lowest of these ranks; that rank, and any other that failed,
// with its own. A state machine, since nonblocking operations agree, too: it goes on each time that the request it
// waits for is complete. Guarded by the lane's lock.
#pragma once

#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/coll/replay.hpp"

namespace antiphon::io {

// Whether an operation is carried out by the call that begins it, which waits, or by progress.
enum class When : std::uint8_t { now, later };

// The collectives that the library carries out on the communicator of a file. All members begin them in one order.
// Each returns null if it is complete.
class Meetings {
 public:
  Meetings(coll::Collectives& coll, coll::Replays& replays) : coll_(coll), replays_(replays) {}

  [[nodiscard]] objects::Ref<objects::Request> allgather(const void* mine, void* all, std::size_t bytes,
                                                         objects::Comm& comm, When when);
  [[nodiscard]] objects::Ref<objects::Request> bcast(void* buffer, std::size_t bytes, int root, objects::Comm& comm,
                                                     When when);

 private:
  template <class Begin>
  objects::Ref<objects::Request> begin(objects::Comm& comm, When when, Begin&& collective);

  coll::Collectives& coll_;
  coll::Replays& replays_;
};

class Agreement {
 public:
  Agreement(Meetings& meetings, objects::Comm& comm, When when) : meetings_(meetings), comm_(comm), when_(when) {}
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;

  // `told` is what this process tells, of a type that all members use.
  template <class Told>
  void begin(const std::optional<base::Error>& failure, const Told& told) {
    static_assert(std::is_trivially_copyable_v<Told>);
    begin(failure, &told, sizeof told);
  }
  void begin(const std::optional<base::Error>& failure) { begin(failure, nullptr, 0); }

  // Goes on as far as it can; true when all is known.
  [[nodiscard]] bool advance();
  // What it waits for; null if it can go on.
  [[nodiscard]] const objects::Request* awaited() const {
    return awaited_ && !awaited_->done() ? awaited_.get() : nullptr;
  }

  // The error that this process reports; none if all have succeeded.
  [[nodiscard]] const std::optional<base::Error>& failure() const { return failure_; }
  // What a process has told.
  template <class Told>
  [[nodiscard]] Told told_by(int rank) const {
    Told told;
    std::memcpy(&told, records_.data() + static_cast<std::size_t>(rank) * each_ + sizeof(std::int32_t), sizeof told);
    return told;
  }

 private:
  static constexpr std::size_t kTextBytes = 512;
  enum class Stage : std::uint8_t { telling, explaining, over };

  void begin(const std::optional<base::Error>& failure, const void* told, std::size_t bytes);
  [[nodiscard]] int class_of(int rank) const;

  Meetings& meetings_;
  objects::Comm& comm_;
  When when_;
  Stage stage_ = Stage::telling;
  std::optional<base::Error> failure_;
  std::size_t each_ = 0;  // bytes of what each tells: the class of its error, or 0, and the rest
  std::vector<std::byte> mine_;
  std::vector<std::byte> records_;  // of all ranks
  int failed_rank_ = -1;
  char text_[kTextBytes] = {};
  objects::Ref<objects::Request> awaited_;
};

}  // namespace antiphon::io
