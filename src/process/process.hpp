// One MPI process: owns every object, and the engines with what they find around them, and passes each the narrow
// things it uses. No global state besides: N of these may live in one operating-system process.
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/last_pass.hpp"
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
#include "process/engines.hpp"
#include "process/host.hpp"
#include "process/predefined_attributes.hpp"
#include "process/progress_thread.hpp"
#include "service/win_create.hpp"

namespace antiphon::process {

// Handles of the library's own, in the range that the ABI leaves to predefined ones.
inline constexpr std::uintptr_t kCompletedRequest = 0x182;  // every send that was over before MPI_Isend returned

// Whether several threads may be inside MPI at once.
enum class Threads { one_at_a_time, many };

class Process {
 public:
  Process(std::unique_ptr<Host> host, Anytime& anytime, Threads threads);
  ~Process();

  // The world model: MPI_COMM_WORLD and MPI_COMM_SELF exist in between. The end waits for everybody's.
  void begin_world(int thread_level);
  void end_world();
  // The end of a session for this process: nobody waits for anything of it any more.
  void end_session(const objects::Session& session) { engines_.flush(session.handle()); }
  // Tells the launcher that this rank is done; and that it is not, if it goes on after all (a session after the
  // last).
  void let_down();
  void take_up(Threads threads);
  // Where the setting asks for one. It is ended while no lock is held but the lane.
  void begin_progress_thread();
  void end_progress_thread();
  [[nodiscard]] bool has_progress_thread() const { return progress_thread_ != nullptr; }

  // Ends the whole job; `text` is what the user is told, without a newline.
  [[noreturn]] void abort(int code, std::string_view text);

  [[nodiscard]] const settings::Values& settings() const { return host_->settings(); }
  [[nodiscard]] bootstrap::Job& job() { return host_->job(); }
  [[nodiscard]] const bootstrap::ProcessTable& processes() const { return processes_; }
  [[nodiscard]] int rank() const { return processes_.self(); }
  [[nodiscard]] int thread_level() const { return thread_level_; }
  [[nodiscard]] bool is_main_thread() const { return main_thread_ == std::this_thread::get_id(); }
  [[nodiscard]] progress::CallContext& call() { return lane_.call(); }
  [[nodiscard]] progress::Lane& lane() { return lane_; }
  [[nodiscard]] const progress::Lane& lane() const { return lane_; }
  [[nodiscard]] progress::Progress& progress() { return engines_.progress(); }
  [[nodiscard]] pt2pt::Messages& pt2pt() { return engines_.pt2pt(); }
  [[nodiscard]] pt2pt::Combined& combined() { return engines_.combined(); }
  [[nodiscard]] pt2pt::BufferedSends& buffered() { return engines_.buffered(); }
  [[nodiscard]] pt2pt::Partitioned& partitioned() { return engines_.partitioned(); }
  [[nodiscard]] coll::Collectives& coll() { return engines_.coll(); }
  [[nodiscard]] coll::Replays& replays() { return engines_.replays(); }
  [[nodiscard]] rma::OneSided& one_sided() { return engines_.one_sided(); }
  [[nodiscard]] rma::Accumulates& accumulates() { return engines_.accumulates(); }
  [[nodiscard]] rma::ActiveTarget& active_target() { return engines_.active_target(); }
  [[nodiscard]] rma::PassiveTarget& passive_target() { return engines_.passive_target(); }
  [[nodiscard]] service::Toolbox toolbox() { return engines_.toolbox(); }
  [[nodiscard]] service::WindowTools window_tools() { return {toolbox(), one_sided(), allocations_}; }
  [[nodiscard]] service::Duplications& duplications() { return engines_.duplications(); }
  // All processes, for those who meet without a communicator.
  [[nodiscard]] objects::Comm& assembly() { return *assembly_; }
  // Null if `keyval` is not the key of one that `comm` has. Those that come from sessions have MPI_TAG_UB only.
  [[nodiscard]] const int* predefined_attribute(const objects::Comm& comm, int keyval) const {
    return keyval == abi::TAG_UB || comm.group().session() == 0 ? attributes_.find(keyval) : nullptr;
  }
  // They exist without handles, too, while only sessions use MPI.
  [[nodiscard]] objects::Comm& world() { return *world_; }
  [[nodiscard]] objects::Comm& self() { return *self_; }
  [[nodiscard]] Anytime& anytime() { return anytime_; }
  [[nodiscard]] const std::vector<objects::ProcessSet>& process_sets() const { return process_sets_; }

  // Whether threads on different communicators send and receive without meeting in the lane: in a process that was
  // brought up for many threads.
  [[nodiscard]] bool serves_threads() const { return serves_threads_; }
  // For a communicator that is about to have a handle; and the end of those that nobody holds any more.
  [[nodiscard]] objects::Ref<objects::Comm> known_to_user(objects::Ref<objects::Comm> comm);
  void end_comms() { engines_.ended_comms().end_all(); }

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
  // Of those over the packed buffers of MPI_Pack and MPI_Unpack.
  [[nodiscard]] base::LastPass& last_packing() { return last_packing_; }
  // MPI_FILE_NULL: what has no file yet fails on it.
  [[nodiscard]] objects::File& no_file() { return *no_file_; }

 private:
  void add_predefined_objects();
  [[nodiscard]] Surroundings surroundings();

  std::unique_ptr<Host> host_;
  bootstrap::ProcessTable processes_;
  Anytime& anytime_;
  Allocations allocations_;
  base::LastPass last_packing_;
  int thread_level_ = abi::THREAD_SINGLE;
  std::thread::id main_thread_ = std::this_thread::get_id();
  PredefinedAttributes attributes_;
  progress::Lane lane_;
  const bool serves_threads_ = lane_.shared();
  std::unique_ptr<progress::Parking> parking_;
  Engines engines_;
  objects::Ref<objects::Comm> world_;
  objects::Ref<objects::Comm> self_;
  std::vector<objects::ProcessSet> process_sets_;
  objects::Ref<objects::Comm> assembly_;
  objects::Ref<objects::File> no_file_;
  std::unique_ptr<ProgressThread> progress_thread_;
};

}  // namespace antiphon::process
