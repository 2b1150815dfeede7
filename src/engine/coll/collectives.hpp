// Collectives: MPI 5.0, chapters 6 and 8.6. Each is carried out before its function returns. With `later` it is not:
// then a nonblocking exchange has begun on a board, or the plan has been recorded, to be carried out once or many
// times. The plans (plans/) say what the arguments mean. Belongs to the Engines.
#pragma once

#include <functional>
#include <optional>

#include "engine/coll/attempt.hpp"
#include "engine/coll/boards/boards.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/deferred.hpp"
#include "engine/coll/shares.hpp"
#include "engine/pt2pt/messages.hpp"
#include "objects/topology.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

class Collectives {
 public:
  // Where the processes run, as far as the choice of algorithms may depend on it.
  struct Placement {
    std::function<int(int process)> node_of = {};  // empty: all on one node
    int cores = 0;                                 // for all processes of a node; 0: one for each
  };
  Collectives(pt2pt::Messages& pt2pt, progress::Progress& progress, Boards& boards, const settings::Values& settings,
              Placement placement)
      : pt2pt_(pt2pt),
        progress_(progress),
        boards_(boards),
        settings_(settings),
        placement_(settings.reproducible == settings::Reproducible::ranks ? Placement{} : std::move(placement)),
        chooser_(Machine(settings, placement_.cores)) {}

  // The choice for this communicator's plans.
  [[nodiscard]] Choice choice(objects::Comm& comm) {
    return {settings_of(comm), chooser_, placement_.node_of && !comm.is_inter() ? nodes(comm) : nullptr};
  }

  void barrier(objects::Comm& comm, Deferred* later = nullptr);
  void bcast(const Region& buffer, int root, objects::Comm& comm, Deferred* later = nullptr);
  void reduce(const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm,
              Deferred* later = nullptr);
  void allreduce(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
                 Deferred* later = nullptr);
  void gather(const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm,
              Deferred* later = nullptr);
  void scatter(const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm,
               Deferred* later = nullptr);
  void allgather(const std::optional<Region>& mine, const Region& all, objects::Comm& comm,
                 Deferred* later = nullptr);
  void alltoall(const std::optional<Region>& out, const Region& in, objects::Comm& comm, Deferred* later = nullptr);
  // With blocks of different lengths.
  void gather(const std::optional<Region>& mine, const BlockList& all, int root, objects::Comm& comm,
              Deferred* later = nullptr);
  void scatter(const BlockList& all, const std::optional<Region>& mine, int root, objects::Comm& comm,
               Deferred* later = nullptr);
  void allgather(const std::optional<Region>& mine, const BlockList& all, objects::Comm& comm,
                 Deferred* later = nullptr);
  void alltoall(const std::optional<BlockList>& out, const BlockList& in, objects::Comm& comm,
                Deferred* later = nullptr);
  void reduce_scatter(const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm,
                      Deferred* later = nullptr);
  void scan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm, Deferred* later = nullptr);
  void exscan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
              Deferred* later = nullptr);
  // With this process's neighbours in the communicator's topology.
  void neighbor_allgather(const Region& mine, const Region& all, objects::Comm& comm, Deferred* later = nullptr);
  void neighbor_allgather(const Region& mine, const BlockList& all, objects::Comm& comm, Deferred* later = nullptr);
  void neighbor_alltoall(const Region& out, const Region& in, objects::Comm& comm, Deferred* later = nullptr);
  void neighbor_alltoall(const BlockList& out, const BlockList& in, objects::Comm& comm, Deferred* later = nullptr);

  // For a rank whose call has failed before it began, if it is known what the other ranks do. They are told, so that
  // they do not wait for ever: on their board, or by the messages of the plan that this returns. Does nothing if
  // errors end the program, or on an intercommunicator.
  [[nodiscard]] Plan take_part_without_data(const Attempt& attempt, const base::Error& failure, objects::Comm& comm,
                                            Deferred* later);

  // Needs no other process. The result goes to `right`.
  void reduce_local(const Vector& left, const Vector& right);

  // For the library's own data: blocks of `bytes` bytes, not in place.
  void bcast(void* buffer, std::size_t bytes, int root, objects::Comm& comm) { bcast({buffer, bytes}, root, comm); }
  void allgather(const void* mine, void* all, std::size_t bytes, objects::Comm& comm) {
    allgather(Region{mine, bytes}, blocks(all, bytes, comm), comm);
  }
  void alltoall(const void* out, void* in, std::size_t bytes, objects::Comm& comm) {
    alltoall(blocks(out, bytes, comm), blocks(in, bytes, comm), comm);
  }

 private:
  static Region blocks(const void* start, std::size_t bytes, const objects::Comm& comm) {
    return {start, bytes * static_cast<std::size_t>(comm.peers())};
  }

  template <class Planned>
  void carry_out(objects::Comm& comm, Deferred* later, std::size_t bytes, Planned plan);
  [[nodiscard]] const settings::Values& settings_of(const objects::Comm& comm) const {
    return comm.settings() ? *comm.settings() : settings_;
  }
  // A board is not used if a setting asks for an algorithm.
  template <class Enum>
  [[nodiscard]] bool may_use_board(Enum settings::Values::*algorithm, const objects::Comm& comm) const {
    return settings_of(comm).*algorithm == Enum::automatic;
  }
  // If a board combines such data once there is one, the choice is of algorithms that give the same bits.
  [[nodiscard, gnu::always_inline]] Choice like_boards(const Choice& choice, Operation what, const Vector& vector,
                                                       const objects::Comm& comm, const Deferred* later) const {
    return like_boards(choice, what, vector.region().bytes, vector.reduction().runs_user_code(), comm, later);
  }
  [[nodiscard, gnu::always_inline]] Choice like_boards(const Choice& choice, Operation what, std::size_t bytes,
                                                       bool runs_user_code, const objects::Comm& comm,
                                                       const Deferred* later) const {
    const bool alike = !runs_user_code && choice.is_on_one_node() && boards_.may_combine(what, bytes, !later, comm);
    return alike ? choice.like_boards() : choice;
  }
  // Null if all ranks run on one node.
  [[nodiscard]] const objects::Nodes* nodes(objects::Comm& comm) const;

  pt2pt::Messages& pt2pt_;
  progress::Progress& progress_;
  Boards& boards_;
  const settings::Values& settings_;
  Placement placement_;
  Chooser chooser_;
};

}  // namespace antiphon::coll
