// One MPI process: the composition root. It owns every object and engine, wires them together and passes each the
// narrow things it uses. No global state besides: N of these may live in one operating-system process.
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/pt2pt/buffered.hpp"
#include "engine/pt2pt/combined.hpp"
#include "engine/pt2pt/partitioned.hpp"
#include "engine/pt2pt/pt2pt.hpp"
#include "engine/rma/active_target.hpp"
#include "objects/datatype.hpp"
#include "objects/file.hpp"
#include "objects/group.hpp"
#include "objects/handle_table.hpp"
#include "objects/keyval.hpp"
#include "objects/op.hpp"
#include "objects/process_set.hpp"
#include "objects/session.hpp"
#include "objects/window.hpp"
#include "process/allocations.hpp"
#include "process/anytime.hpp"
#include "process/call_context.hpp"
#include "process/doorbell_parking.hpp"
#include "process/predefined_attributes.hpp"
#include "process/window_memory.hpp"
#include "service/duplications.hpp"
#include "transport/self/loopback.hpp"
#include "transport/shm/shm_transport.hpp"

namespace antiphon::process {

// Handles of the library's own, in the range that the ABI leaves to predefined ones.
inline constexpr std::uintptr_t kCompletedRequest = 0x182;  // every send that was over before MPI_Isend returned

// Whether several threads may be inside MPI at once.
enum class Threads { one_at_a_time, many };

class Process {
 public:
  Process(std::unique_ptr<bootstrap::Bootstrap> bootstrap, Anytime& anytime, Threads threads);
  ~Process();

  // The world model: MPI_COMM_WORLD and MPI_COMM_SELF exist in between. The end waits for everybody's.
  void begin_world(int thread_level);
  void end_world();
  // Sends what is still to be sent.
  void flush();
  // Tells the launcher that this rank is done; and that it is not, if it goes on after all (a session after the
  // last).
  void let_down();
  void take_up(Threads threads);

  [[nodiscard]] bootstrap::Bootstrap& job() { return *bootstrap_; }
  [[nodiscard]] int rank() const { return bootstrap_->rank(); }
  [[nodiscard]] int thread_level() const { return thread_level_; }
  [[nodiscard]] bool is_main_thread() const { return main_thread_ == std::this_thread::get_id(); }
  [[nodiscard]] CallContext& call() { return call_; }
  [[nodiscard]] progress::Lane& lane() { return lane_; }
  [[nodiscard]] const progress::Lane& lane() const { return lane_; }
  [[nodiscard]] progress::Progress& progress() { return progress_; }
  [[nodiscard]] pt2pt::PointToPoint& pt2pt() { return pt2pt_; }
  [[nodiscard]] pt2pt::Combined& combined() { return combined_; }
  [[nodiscard]] pt2pt::BufferedSends& buffered() { return buffered_; }
  [[nodiscard]] pt2pt::Partitioned& partitioned() { return partitioned_; }
  [[nodiscard]] coll::Collectives& coll() { return coll_; }
  [[nodiscard]] rma::OneSided& one_sided() { return one_sided_; }
  [[nodiscard]] rma::ActiveTarget& active_target() { return active_target_; }
  [[nodiscard]] service::Toolbox toolbox() { return {pt2pt_, coll_, progress_, contexts_}; }
  [[nodiscard]] service::Duplications& duplications() { return duplications_; }
  // All processes, for those who meet without a communicator.
  [[nodiscard]] objects::Comm& assembly() { return *assembly_; }
  // Null if `keyval` is not the key of one.
  [[nodiscard]] const int* predefined_attribute(int keyval) const { return attributes_.find(keyval); }
  // They exist without handles, too, while only sessions use MPI.
  [[nodiscard]] objects::Comm& world() { return *world_; }
  [[nodiscard]] objects::Comm& self() { return *self_; }
  [[nodiscard]] Anytime& anytime() { return anytime_; }
  [[nodiscard]] const std::vector<objects::ProcessSet>& process_sets() const { return process_sets_; }

  // Whether threads on different communicators send and receive without meeting in the lane: in a process that was
  // brought up for many threads.
  [[nodiscard]] bool works_beside_lane() const { return works_beside_lane_; }
  // For a communicator that is about to have a handle; and the end of those that nobody holds any more.
  [[nodiscard]] objects::Ref<objects::Comm> known_to_user(objects::Ref<objects::Comm> comm);
  void end_comms() { ended_comms_.end_all(); }

  objects::HandleTable<objects::Comm> comms;
  objects::HandleTable<objects::Datatype> datatypes;
  // Handles of the predefined types without names, by combiner and arguments, once somebody has asked for one.
  std::map<std::vector<std::int64_t>, std::uintptr_t> found_datatypes;
  objects::HandleTable<objects::Group> groups;
  objects::HandleTable<objects::Op> ops;
  objects::HandleTable<objects::Request> requests;
  objects::HandleTable<pt2pt::MatchedMessage> messages;
  objects::HandleTable<objects::Session> sessions;
  objects::HandleTable<objects::Window> windows;
  objects::Keyvals keyvals;

  [[nodiscard]] Allocations& allocations() { return allocations_; }
  [[nodiscard]] WindowMemory& window_memory() { return window_memory_; }
  // MPI_FILE_NULL: what has no file yet fails on it.
  [[nodiscard]] objects::File& no_file() { return *no_file_; }

 private:
  void add_predefined_objects();
  [[nodiscard]] transport::shm::Layout shm_layout();
  [[nodiscard]] transport::shm::PeerHeap heap_of(int world_rank);
  [[nodiscard]] std::unique_ptr<transport::Channel> connect(int world_rank);

  std::unique_ptr<bootstrap::Bootstrap> bootstrap_;
  Anytime& anytime_;
  Allocations allocations_;
  std::vector<platform::GrowingMap> heaps_;  // of others, where they have been asked for
  WindowMemory window_memory_;
  int thread_level_ = abi::THREAD_SINGLE;
  std::thread::id main_thread_ = std::this_thread::get_id();
  PredefinedAttributes attributes_;
  CallContext call_;
  transport::Dispatcher dispatcher_;
  transport::Dispatcher dispatcher_beside_{transport::Dispatcher::Others::refused};
  progress::Lane lane_;
  const bool works_beside_lane_ = lane_.shared();
  DoorbellParking parking_;
  progress::Progress progress_;
  transport::Loopback loopback_;
  transport::shm::ShmTransport shm_;
  service::Contexts contexts_;  // before those who may hold communicators to their end
  objects::EndedComms ended_comms_;
  pt2pt::PointToPoint pt2pt_;
  pt2pt::Combined combined_;
  pt2pt::BufferedSends buffered_;
  pt2pt::Partitioned partitioned_;
  coll::Collectives coll_;
  rma::OneSided one_sided_;
  rma::ActiveTarget active_target_;
  service::Duplications duplications_;
  objects::Ref<objects::Comm> world_;
  objects::Ref<objects::Comm> self_;
  std::vector<objects::ProcessSet> process_sets_;
  objects::Ref<objects::Comm> assembly_;
  objects::Ref<objects::File> no_file_;
};

}  // namespace antiphon::process
