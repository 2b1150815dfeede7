#include "process/process.hpp"

#include "abi/constants.hpp"
#include "platform/clock.hpp"
#include "process/predefined.hpp"

namespace antiphon::process {

using objects::Comm;
using objects::Errhandler;
using objects::Group;
using objects::Ref;
using objects::Request;

namespace {
// 16 bytes each, where they are used.
constexpr std::uint32_t kMostRequestsOfThreads = 1u << 22;
}  // namespace

Process::Process(std::unique_ptr<bootstrap::Bootstrap> bootstrap, Anytime& anytime, Threads threads)
    : bootstrap_(std::move(bootstrap)),
      anytime_(anytime),
      allocations_(bootstrap_->heap(bootstrap_->rank()), bootstrap_->my_slot().heap_address),
      heaps_(static_cast<std::size_t>(bootstrap_->size())),
      window_memory_(allocations_, bootstrap_->rank(), bootstrap_->heap(bootstrap_->rank()).bytes != 0,
                     [this](int world_rank) { return heap_of(world_rank); }),
      attributes_(bootstrap_->my_slot().appnum, bootstrap_->size(), anytime.error_codes.last_used()),
      lane_(threads == Threads::many),
      parking_(bootstrap_->header(), bootstrap_->my_slot(), call_, lane_),
      progress_(dispatcher_, parking_, lane_),
      loopback_(bootstrap_->rank(), [this] { progress_.sent_to_self(); }),
      shm_(shm_layout(), progress_.watches()),
      contexts_(bootstrap_->rank(), bootstrap_->size()),
      pt2pt_(
          bootstrap_->size(), [this](int peer) { return connect(peer); }, dispatcher_, progress_,
          platform::monotonic_ns, lane_.shared() ? &dispatcher_beside_ : nullptr),
      combined_(progress_),
      buffered_(pt2pt_, combined_, progress_),
      partitioned_(pt2pt_, progress_),
      coll_(pt2pt_),
      one_sided_(pt2pt_, dispatcher_, progress_),
      active_target_(one_sided_, pt2pt_, coll_, progress_),
      duplications_(toolbox()) {
  progress_.add(shm_, progress::Progress::Seen::by_watches);
  progress_.set_dispatcher_beside(dispatcher_beside_);
  if (works_beside_lane_) requests.fix_capacity(kMostRequestsOfThreads);
  progress_.add_own(loopback_);
  add_predefined_objects();
  bootstrap_->my_slot().state.store(bootstrap::RankState::initialized, std::memory_order_release);
}

// Requests that the user never completed and messages that he never received go back to the engine that made them,
// and communicators, those of windows among them, give their contexts back, so all of them go while there is somebody
// to take them.
Process::~Process() {
  requests.clear();
  messages.clear();
  windows.clear();
  comms.clear();
}

transport::shm::Layout Process::shm_layout() {
  return {.self = bootstrap_->rank(),
          .size = bootstrap_->size(),
          .pair_bytes = bootstrap_->pair_bytes(),
          .pair_area = [this](int from, int to) { return bootstrap_->pair_area(from, to); },
          .bell =
              [this](int rank) {
                bootstrap::RankSlot& slot = bootstrap_->slot(rank);
                return transport::shm::Bell{&slot.sleeping, &slot.doorbell, bootstrap_->header().oversubscribed != 0};
              },
          .process = [this](int rank) { return &bootstrap_->slot(rank).pid; },
          .heap = [this](int rank) { return heap_of(rank); },
          .threads = lane_.shared()};
}

transport::shm::PeerHeap Process::heap_of(int world_rank) {
  const platform::FilePart part = bootstrap_->heap(world_rank);
  return {&bootstrap_->slot(world_rank).heap_address, part.bytes, [this, world_rank, part](std::size_t bytes) {
            return heaps_[static_cast<std::size_t>(world_rank)].grow(part, bytes);
          }};
}

std::unique_ptr<transport::Channel> Process::connect(int world_rank) {
  return world_rank == rank() ? loopback_.connect(world_rank) : shm_.connect(world_rank);
}

void Process::add_predefined_objects() {
  add_predefined_datatypes(datatypes);
  add_predefined_ops(ops);

  const auto fatal = Ref<Errhandler>::share(*anytime_.find_errhandler(abi::ERRORS_ARE_FATAL));
  const auto everyone = Ref<Group>::adopt(new Group(bootstrap_->size()));
  const auto only_me = Ref<Group>::adopt(new Group(std::vector<int>{rank()}));
  process_sets_ = {{"mpi://WORLD", everyone}, {"mpi://SELF", only_me}, {"hwloc://Machine", everyone}};  // one node
  world_ = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everyone, rank(), fatal, "MPI_COMM_WORLD"));
  self_ = Ref<Comm>::adopt(new Comm(objects::kSelfContext, only_me, 0, fatal, "MPI_COMM_SELF"));

  assembly_ = Ref<Comm>::adopt(new Comm(objects::kAssemblyContext, everyone, rank(), fatal, "all processes"));
  groups.set_predefined(abi::GROUP_EMPTY, Ref<Group>::adopt(new Group(0)));

  no_file_ = Ref<objects::File>::adopt(
      new objects::File(Ref<Errhandler>::share(*anytime_.find_errhandler(abi::ERRORS_RETURN))));
  no_file_->set_handle(abi::FILE_NULL);

  const auto completed = Ref<Request>::adopt(new Request(Request::Kind::send, world_));
  completed->complete();
  requests.set_predefined(kCompletedRequest, completed);
}

void Process::begin_world(int thread_level) {
  thread_level_ = thread_level;
  main_thread_ = std::this_thread::get_id();
  comms.set_predefined(abi::COMM_WORLD, known_to_user(world_));
  comms.set_predefined(abi::COMM_SELF, known_to_user(self_));
}

Ref<Comm> Process::known_to_user(Ref<Comm> comm) {
  ended_comms_.end_all();
  if (works_beside_lane()) comm->use_beside_lane(ended_comms_);
  return comm;
}

void Process::end_world() {
  self_->attributes().clear(self_->handle());  // before anything else ends (MPI 5.0, 11.2.4)
  coll_.barrier(world());
  flush();
  comms.set_predefined(abi::COMM_WORLD, {});
  comms.set_predefined(abi::COMM_SELF, {});
}

void Process::flush() {
  progress_.wait([&] { return buffered_.all_gone() && !pt2pt_.has_work(); },
                 [] { return progress::WaitReason{.communicator = "MPI"}; });
}

void Process::let_down() {
  bootstrap_->my_slot().state.store(bootstrap::RankState::finalized, std::memory_order_release);
}

// One that was brought up for one thread at a time has what it takes to work beside the lane no longer.
void Process::take_up(Threads threads) {
  if (threads == Threads::many) lane_.share();
  bootstrap_->my_slot().state.store(bootstrap::RankState::initialized, std::memory_order_release);
}

}  // namespace antiphon::process
