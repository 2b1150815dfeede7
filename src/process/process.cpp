#include "process/process.hpp"

#include "abi/constants.hpp"
#include "base/cache_line.hpp"
#include "process/initial_errhandler.hpp"
#include "process/predefined.hpp"

namespace antiphon::process {

using objects::Comm;
using objects::Errhandler;
using objects::Group;
using objects::Ref;
using objects::Request;

namespace {
// Capacity of the request table where threads open requests without the lane; 16 bytes for each entry in use.
constexpr std::uint32_t kMostRequestsOfThreads = 1u << 22;

Ref<Group> neighbours(const bootstrap::ProcessTable& processes) {
  objects::GroupBuilder builder;
  for (int rank = 0; rank < processes.neighbours(); ++rank) builder.add(processes.neighbour(rank));
  return builder.build();
}

}  // namespace

Process::Process(std::unique_ptr<Host> host, Anytime& anytime, Threads threads)
    : host_(std::move(host)),
      processes_(host_->job()),
      anytime_(anytime),
      allocations_(host_->my_heap(), host_->my_heap_address(), host_->settings(), host_->counters(),
                   processes_.neighbours()),
      attributes_(job().identity(), processes_.all_are_neighbours() ? Clocks::one : Clocks::several,
                  anytime.error_codes.last_used()),
      lane_(threads == Threads::many || host_->settings().progress_thread == settings::ProgressThread::on),
      parking_(host_->make_parking(lane_.call(), lane_)),
      engines_(surroundings()) {
  progress().on_failure([this](const base::Error& error) {
    abort(error.error_class, fmt::format("{}: {}", call().procedure, error.message));
  });
  if (serves_threads_) requests.fix_capacity(kMostRequestsOfThreads);
  add_predefined_objects();
  host_->enter();
  begin_progress_thread();
}

// Requests that were never completed and messages that were never received go back to the engine that made them, and
// communicators, including those of windows, return their context ids. So they are destroyed while the engines exist.
Process::~Process() {
  requests.clear();
  messages.clear();
  windows.clear();
  files.clear();
  comms.clear();
}

Surroundings Process::surroundings() {
  return {.processes = processes_,
          .parking = *parking_,
          .lane = lane_,
          .settings = host_->settings(),
          .counters = host_->counters(),
          .now = [this] { return host_->now(); },
          .network = [this](transport::Watches& watches) { return host_->make_network(processes_, lane_, watches); },
          .common_memory = {.allocate =
                                [this](std::size_t bytes) {
                                  return allocations_.allocate_for_window(bytes, base::kCacheLinePair,
                                                                          Allocations::Visible::always);
                                },
                            .free = [this](void* start) { allocations_.free_of_window(start); }},
          .cores = host_->cores(),
          .storage = host_->storage(),
          .workers = host_->workers(),
          .prepare_request = [this](Request& made) { requests.reserve(made); }};
}

void Process::add_predefined_objects() {
  add_predefined_datatypes(datatypes);
  add_predefined_ops(ops);

  const auto fatal = Ref<Errhandler>::share(*anytime_.find_errhandler(abi::ERRORS_ARE_FATAL));
  const Ref<Errhandler> initial = initial_errhandler(anytime_, host_->settings());
  const auto everyone = Ref<Group>::adopt(new Group(processes_.size()));
  const auto only_me = Ref<Group>::adopt(new Group(std::vector<int>{rank()}));
  process_sets_ = {{"mpi://WORLD", everyone}, {"mpi://SELF", only_me}, {"hwloc://Machine", neighbours(processes_)}};
  world_ = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everyone, rank(), initial, "MPI_COMM_WORLD"));
  self_ = Ref<Comm>::adopt(new Comm(objects::kSelfContext, only_me, 0, initial, "MPI_COMM_SELF"));

  assembly_ = Ref<Comm>::adopt(new Comm(objects::kAssemblyContext, everyone, rank(), fatal, "all processes"));
  groups.set_predefined(abi::GROUP_EMPTY, Ref<Group>::adopt(new Group(0)));

  no_file_ = Ref<objects::File>::adopt(
      new objects::File(Ref<Errhandler>::share(*anytime_.find_errhandler(abi::ERRORS_RETURN))));
  no_file_->set_handle(abi::FILE_NULL);

  const auto completed = Ref<Request>::adopt(new Request(Request::Kind::send, world_));
  completed->complete();
  requests.set_predefined(kCompletedRequest, completed);
}

service::FileTools Process::file_tools() {
  const auto predefined = [this](std::uintptr_t value) {
    return Ref<objects::Datatype>::share(*datatypes.find(value));
  };
  return {toolbox(), open_files(), window_tools(), predefined(abi::OFFSET), predefined(abi::BYTE)};
}

void Process::abort(int code, std::string_view text) {
  job().abort(code, text);
  __builtin_unreachable();  // GCC 12 does not believe [[noreturn]] of a virtual function
}

void Process::begin_world(int thread_level) {
  thread_level_ = thread_level;
  main_thread_ = std::this_thread::get_id();
  comms.set_predefined(abi::COMM_WORLD, known_to_user(world_));
  comms.set_predefined(abi::COMM_SELF, known_to_user(self_));
}

Ref<Comm> Process::known_to_user(Ref<Comm> comm) {
  end_comms();
  if (serves_threads()) comm->share_among_threads(engines_.ended_comms());
  return comm;
}

void Process::end_world() {
  self_->attributes().clear(self_->handle());  // delete callbacks run before anything else (MPI 5.0, 11.2.4)
  engines_.flush();
  coll().barrier(world());  // afterwards no other rank waits for an answer from this one
  engines_.flush();
  comms.set_predefined(abi::COMM_WORLD, {});
  comms.set_predefined(abi::COMM_SELF, {});
}

void Process::begin_progress_thread() {
  if (settings().progress_thread == settings::ProgressThread::on)
    progress_thread_ = std::make_unique<ProgressThread>(progress());
}

void Process::end_progress_thread() {
  std::unique_ptr<ProgressThread> ending = std::move(progress_thread_);
  if (!ending) return;
  const progress::UserCode outside(lane_);  // the thread needs the lane to end
  ending.reset();
}

void Process::let_down() {
  engines_.say_goodbye();
  host_->leave();
}

// A process that was first initialized for one thread at a time keeps serves_threads_ == false: its threads then take
// the lane for everything.
void Process::take_up(Threads threads) {
  if (threads == Threads::many) lane_.share();
  host_->enter();
  begin_progress_thread();
}

}  // namespace antiphon::process
