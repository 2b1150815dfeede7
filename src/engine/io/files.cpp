#include "engine/io/files.hpp"

#include <climits>
#include <memory>

namespace antiphon::io {

using objects::File;
using objects::Ref;

FileState::FileState(Ref<File> file, StoredFileRef stored, SharedPointer pointer, const Manner& manner)
    : file_(std::move(file)), stored_(std::move(stored)), shared_pointer_(std::move(pointer)), manner_(manner) {}
FileState::~FileState() = default;

Files::Files(coll::Collectives& coll, coll::Replays& replays, pt2pt::Messages& messages, progress::Progress& progress,
             const SharedPointer::Tools& pointers, storage::Storage& storage, Workers& workers, int most_aggregators)
    : meetings_(coll, replays),
      messages_(messages),
      progress_(progress),
      pointers_(pointers),
      storage_(storage),
      background_(progress, workers),
      most_aggregators_(most_aggregators == 0 ? INT_MAX : most_aggregators) {
  progress.add(*this);
}

Files::~Files() = default;

CollectiveAccess::Tools Files::tools() { return {meetings_, messages_, background_, most_aggregators_}; }

FileState& Files::admit(const Ref<File>& file, StoredFileRef stored, SharedPointer pointer, const Manner& manner) {
  auto& state = states_[file.get()] =
      std::make_unique<FileState>(file, std::move(stored), std::move(pointer), manner);
  file->set_state(state.get());
  return *state;
}

void Files::dismiss(File& file) {
  const auto found = states_.find(&file);
  const std::unique_ptr<FileState> ending = std::move(found->second);
  states_.erase(found);
  file.set_state(nullptr);
  if (states_.empty()) background_.rest();
}

void Files::finish_together(File& file) {
  const std::string name = file.title();
  progress_.wait([&] { return file.state().running().empty(); },
                 [&] { return progress::WaitReason{.communicator = name.c_str()}; });
}

void Files::finish(File& file) {
  finish_together(file);
  const std::string name = file.title();
  progress_.wait([&] { return file.state().accesses() == 0; },
                 [&] { return progress::WaitReason{.communicator = name.c_str()}; });
}

// ---- one process alone

Access Files::access_of(File& file, std::int64_t position, const data::Buffer& memory) const {
  return {.file = file.state().stored().get(),
          .view = &file.view(),
          .position = position,
          .memory = Memory(memory),
          .is_atomic = file.is_atomic(),
          .tuning = file.state().tuning()};
}

// Another thread may close the file, or free the datatype, while this one has no lane.
std::int64_t Files::access(File& file, Direction direction, std::int64_t position, const data::Buffer& memory) {
  const Access access = access_of(file, position, memory);
  const StoredFileRef stored = file.state().stored();
  const objects::FileViewRef view = file.view_ref();
  const data::KeptType type(access.memory.scattered);
  const progress::UserCode without_lane(progress_.lane());
  return carry_out(direction, access);
}

FileRequestRef Files::start_access(File& file, Direction direction, std::int64_t position,
                                   const data::Buffer& memory) {
  struct Kept {
    FileState& state;
    StoredFileRef stored;
    objects::FileViewRef view;
    data::KeptType type;

    Kept(FileState& of, const Memory& memory)
        : state(of), stored(of.stored()), view(of.file().view_ref()), type(memory.scattered) {
      state.access_begun();
    }
    ~Kept() { state.access_over(); }
  };
  const Access access = access_of(file, position, memory);
  auto kept = std::make_shared<Kept>(file.state(), access.memory);
  auto request = FileRequestRef::adopt(new FileRequest(file));
  background_.start(
      request, [direction, access] { return carry_out(direction, access); }, std::move(kept));
  return request;
}

// ---- all processes

CollectiveAccess::Arguments Files::arguments(const Part& part) {
  const Memory memory = part.failure ? Memory() : Memory(part.memory);
  return {.direction = part.direction,
          .place = part.place,
          .position = part.position,
          .memory = memory,
          .type = data::KeptType(memory.scattered),
          .failure = part.failure};
}

std::int64_t Files::access_together(File& file, const Part& part) {
  finish_together(file);
  CollectiveAccess access(tools(), file.state(), arguments(part), When::now);
  wait_for(access);
  if (access.failure()) throw *access.failure();
  return access.moved();
}

FileRequestRef Files::start_access_together(File& file, const Part& part) {
  FileState& state = file.state();
  auto request = FileRequestRef::adopt(new FileRequest(file));
  state.running().push_back(
      {std::make_unique<CollectiveAccess>(tools(), state, arguments(part), When::later), request});
  ++together_;
  has_begun();
  if (state.running().size() == 1) (void)advance(state);
  return request;
}

void Files::agree(File& file, const std::optional<base::Error>& failure) {
  Agreement agreement(meetings_, file.comm(), When::now);
  agreement.begin(failure);
  wait_for(agreement);
  if (agreement.failure()) throw *agreement.failure();
}

// The first of the operations under way; the next follows when it is over. True if something has ended.
bool Files::advance(FileState& state) {
  bool moved = false;
  while (!state.running().empty() && state.running().front().access->advance()) {
    const FileState::Running over = std::move(state.running().front());
    state.running().pop_front();
    --together_;
    moved = true;
    over.request->outcome.bytes = over.access->moved();
    if (const auto& failure = over.access->failure()) over.request->fail(failure->error_class, failure->message);
    over.request->complete();
  }
  return moved;
}

bool Files::push() {
  bool moved = false;
  for (const auto& [file, state] : states_) moved |= advance(*state);
  return moved;
}

}  // namespace antiphon::io
