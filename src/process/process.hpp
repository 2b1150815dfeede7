// One MPI process. It owns every object and all engines with their surroundings, and gives each only what that uses.
// It uses no global state except Anytime, so several may exist in one operating-system process.
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
#include "service/files.hpp"
#include "service/win_create.hpp"

namespace antiphon::process {

// A handle of the library's own, in the range that the ABI reserves for predefined handles.
inline constexpr std::uintptr_t kCompletedRequest = 0x182;  // of sends that completed inside MPI_Isend

// Whether several threads may be inside MPI at once.
enum class Threads { one_at_a_time, many };

class Process {
 public:
  Process(std::unique_ptr<Host> host, Anytime& anytime, Threads threads);
  ~Process();

  // Begin and end the world model; MPI_COMM_WORLD and MPI_COMM_SELF are valid handles in between. end_world() waits
  // until all processes have called it.
  void begin_world(int thread_level);
  void end_world();
  // Ends a session: waits until no other process waits for this one's part in it.
  void end_session(const objects::Session& session) { engines_.flush(session.handle()); }
  // let_down() tells the launcher and other nodes that this rank has finished. take_up() tells it that the rank uses
  // MPI again, because a session begins after the last one ended.
  void let_down();
  void take_up(Threads threads);
  // Starts a progress thread if the setting progress_thread is on. The caller of end_progress_thread() holds the lane
  // and no other lock.
  void begin_progress_thread();
  void end_progress_thread();
  [[nodiscard]] bool has_progress_thread() const { return progress_thread_ != nullptr; }

  // Ends the whole job. `text` is shown to the user; it has no newline at its end.
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
  [[nodiscard]] io::Files& open_files() { return engines_.files(); }
  [[nodiscard]] service::FileTools file_tools();
  [[nodiscard]] service::Duplications& duplications() { return engines_.duplications(); }
  // A communicator of all processes, for operations that create a communicator without having one.
  [[nodiscard]] objects::Comm& assembly() { return *assembly_; }
  // Null if `keyval` is not the key of a predefined attribute of `comm`. Communicators derived from sessions have
  // MPI_TAG_UB only.
  [[nodiscard]] const int* predefined_attribute(const objects::Comm& comm, int keyval) const {
    return keyval == abi::TAG_UB || comm.group().session() == 0 ? attributes_.find(keyval) : nullptr;
  }
  // These exist while only sessions use MPI as well, but without valid handles.
  [[nodiscard]] objects::Comm& world() { return *world_; }
  [[nodiscard]] objects::Comm& self() { return *self_; }
  [[nodiscard]] Anytime& anytime() { return anytime_; }
  [[nodiscard]] const std::vector<objects::ProcessSet>& process_sets() const { return process_sets_; }

  // Whether threads may send and receive without the lane. True if the process was first initialized for several
  // threads.
  [[nodiscard]] bool serves_threads() const { return serves_threads_; }
  // known_to_user(): prepares a communicator that is about to get a handle. end_comms(): destroys communicators
  // without references.
  [[nodiscard]] objects::Ref<objects::Comm> known_to_user(objects::Ref<objects::Comm> comm);
  void end_comms() { engines_.ended_comms().end_all(); }

  objects::HandleTable<objects::Comm> comms;
  objects::HandleTable<objects::Datatype> datatypes;
  // Handles of the unnamed predefined datatypes that the program has asked for, by combiner and arguments.
  std::map<std::vector<std::int64_t>, std::uintptr_t> found_datatypes;
  objects::HandleTable<objects::Group> groups;
  objects::HandleTable<objects::Op> ops;
  objects::HandleTable<objects::Request> requests;
  objects::HandleTable<pt2pt::MatchedMessage> messages;
  objects::HandleTable<objects::Session> sessions;
  objects::HandleTable<objects::Window> windows;
  objects::HandleTable<objects::File> files;
  objects::Keyvals keyvals;

  [[nodiscard]] Allocations& allocations() { return allocations_; }
  // The last pass over a packed buffer of MPI_Pack or MPI_Unpack.
  [[nodiscard]] base::LastPass& last_packing() { return last_packing_; }
  // MPI_FILE_NULL. Errors of file procedures that have no file use its error handler.
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
