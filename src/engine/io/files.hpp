// The engine of files (MPI 5.0, 14): reads and writes, by one process or by all that opened a file, at once or while
// the program computes. Owns the state of every open file. Belongs to the Engines; guarded by the lane's lock, which
// it gives up while it reads and writes for one process.
#pragma once

#include <map>
#include <memory>

#include "engine/io/collective_access.hpp"
#include "engine/io/file_state.hpp"

namespace antiphon::io {

class Files final : public progress::Pusher {
 public:
  using Place = CollectiveAccess::Place;

  // `most_aggregators` is the same on all ranks; 0: as many as there are ranks.
  Files(coll::Collectives& coll, coll::Replays& replays, pt2pt::Messages& messages, progress::Progress& progress,
        const SharedPointer::Tools& pointers, storage::Storage& storage, Workers& workers, int most_aggregators);
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() override;

  [[nodiscard]] storage::Storage& storage() { return storage_; }
  [[nodiscard]] const SharedPointer::Tools& pointers() const { return pointers_; }

  // From admit() to dismiss() the file has a state.
  FileState& admit(const objects::Ref<objects::File>& file, StoredFileRef stored, SharedPointer pointer,
                   const Manner& manner);
  void dismiss(objects::File& file);
  // Waits until no operation of this process is under way.
  void finish(objects::File& file);

  // One process alone. Positions count bytes of the view. Returns the bytes moved: fewer than the memory has only
  // where a read finds the end of the file.
  [[nodiscard]] std::int64_t access(objects::File& file, Direction direction, std::int64_t position,
                                    const data::Buffer& memory);
  [[nodiscard]] FileRequestRef start_access(objects::File& file, Direction direction, std::int64_t position,
                                            const data::Buffer& memory);

  // All processes. With `failure`, this one takes part without data, and fails with that error.
  struct Part {
    Direction direction;
    Place place = Place::own;
    std::int64_t position = 0;
    data::Buffer memory = {};
    std::optional<base::Error> failure = {};
  };
  [[nodiscard]] std::int64_t access_together(objects::File& file, const Part& part);
  [[nodiscard]] FileRequestRef start_access_together(objects::File& file, const Part& part);

  // Returns when all processes have come here. Fails if any of them has failed. The other form also tells, in *all,
  // what each of them gives.
  void agree(objects::File& file, const std::optional<base::Error>& failure);
  template <class Told>
  void agree(objects::Comm& comm, const std::optional<base::Error>& failure, const Told& told,
             std::vector<Told>* all) {
    Agreement agreement(meetings_, comm, When::now);
    agreement.begin(failure, told);
    wait_for(agreement);
    if (agreement.failure()) throw *agreement.failure();
    all->clear();
    for (int rank = 0; rank < comm.size(); ++rank) all->push_back(agreement.told_by<Told>(rank));
  }
  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return together_ != 0; }

 private:
  [[nodiscard]] CollectiveAccess::Tools tools();
  [[nodiscard]] Access access_of(objects::File& file, std::int64_t position, const data::Buffer& memory) const;
  [[nodiscard]] static CollectiveAccess::Arguments arguments(const Part& part);
  // Waits until the file's collective operations that have begun are over.
  void finish_together(objects::File& file);
  // Waits until it has gone on to its end.
  template <class Stepwise>
  void wait_for(Stepwise& stepwise) {
    while (!stepwise.advance())
      progress_.wait([&] { return !stepwise.awaited(); }, [&] { return stepwise.awaited()->reason(); });
  }
  bool advance(FileState& state);

  Meetings meetings_;
  pt2pt::Messages& messages_;
  progress::Progress& progress_;
  SharedPointer::Tools pointers_;
  storage::Storage& storage_;
  Background background_;
  int most_aggregators_;
  std::map<const objects::File*, std::unique_ptr<FileState>> states_;
  int together_ = 0;  // collective operations under way
};

}  // namespace antiphon::io
