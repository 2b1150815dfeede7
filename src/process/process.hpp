// One MPI process: the composition root. It owns every object and engine, wires them together and passes each the
// narrow things it uses. No global state besides: N of these may live in one operating-system process.
#pragma once

#include <memory>

#include "bootstrap/bootstrap.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/pt2pt/pt2pt.hpp"
#include "objects/datatype.hpp"
#include "objects/errhandler.hpp"
#include "objects/handle_table.hpp"
#include "objects/keyval.hpp"
#include "objects/op.hpp"
#include "process/call_context.hpp"
#include "process/doorbell_parking.hpp"
#include "process/predefined_attributes.hpp"
#include "service/contexts.hpp"
#include "transport/self/loopback.hpp"
#include "transport/shm/shm_transport.hpp"

namespace antiphon::process {

// Handles of the library's own, in the range that the ABI leaves to predefined ones.
inline constexpr std::uintptr_t kCompletedRequest = 0x182;  // every send that was over before MPI_Isend returned

class Process {
 public:
  Process(std::unique_ptr<bootstrap::Bootstrap> bootstrap, int thread_level);
  ~Process();

  // Waits for what is under way and tells the launcher that this rank is done: MPI_Finalize.
  void finalize();

  [[nodiscard]] bootstrap::Bootstrap& job() { return *bootstrap_; }
  [[nodiscard]] int rank() const { return bootstrap_->rank(); }
  [[nodiscard]] int thread_level() const { return thread_level_; }
  [[nodiscard]] CallContext& call() { return call_; }
  [[nodiscard]] progress::Lane& lane() { return lane_; }
  [[nodiscard]] progress::Progress& progress() { return progress_; }
  [[nodiscard]] pt2pt::PointToPoint& pt2pt() { return pt2pt_; }
  [[nodiscard]] coll::Collectives& coll() { return coll_; }
  [[nodiscard]] service::Contexts& contexts() { return contexts_; }
  // Null if `keyval` is not the key of one.
  [[nodiscard]] const int* predefined_attribute(int keyval) const { return attributes_.find(keyval); }
  [[nodiscard]] objects::Comm& world() { return *comms.find(abi::COMM_WORLD); }

  objects::HandleTable<objects::Comm> comms;
  objects::HandleTable<objects::Datatype> datatypes;
  objects::HandleTable<objects::Errhandler> errhandlers;
  objects::HandleTable<objects::Op> ops;
  objects::HandleTable<objects::Request> requests;
  objects::Keyvals keyvals;

 private:
  void add_predefined_objects();
  [[nodiscard]] transport::shm::Layout shm_layout();
  [[nodiscard]] std::unique_ptr<transport::Channel> connect(int world_rank);

  std::unique_ptr<bootstrap::Bootstrap> bootstrap_;
  int thread_level_;
  PredefinedAttributes attributes_;
  CallContext call_;
  transport::Dispatcher dispatcher_;
  progress::Lane lane_;
  DoorbellParking parking_;
  progress::Progress progress_;
  transport::Loopback loopback_;
  transport::shm::ShmTransport shm_;
  pt2pt::PointToPoint pt2pt_;
  coll::Collectives coll_;
  service::Contexts contexts_;
};

}  // namespace antiphon::process
