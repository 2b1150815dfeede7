#include "engine/io/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace antiphon::io {

template <class Begin>
objects::Ref<objects::Request> Meetings::begin(objects::Comm& comm, When when, Begin&& collective) {
  if (when == When::now) {
    collective(nullptr);
    return {};
  }
  coll::Deferred deferred{coll::Deferred::Times::once};
  collective(&deferred);
  if (deferred.begun) return std::move(deferred.begun);
  return replays_.start(std::make_shared<const coll::Plan>(std::move(deferred.plan)), comm,
                        comm.next_nonblocking_tag());
}

objects::Ref<objects::Request> Meetings::allgather(const void* mine, void* all, std::size_t bytes,
                                                   objects::Comm& comm, When when) {
  const coll::Region from{mine, bytes}, to{all, bytes * static_cast<std::size_t>(comm.size())};
  return begin(comm, when, [&](coll::Deferred* later) { coll_.allgather(from, to, comm, later); });
}

objects::Ref<objects::Request> Meetings::bcast(void* buffer, std::size_t bytes, int root, objects::Comm& comm,
                                               When when) {
  return begin(comm, when, [&](coll::Deferred* later) {
    coll_.bcast(coll::Region{buffer, bytes}, root, comm, later);
  });
}

void Agreement::begin(const std::optional<base::Error>& failure, const void* told, std::size_t bytes) {
  failure_ = failure;
  const std::int32_t error_class = failure ? failure->error_class : 0;
  each_ = sizeof error_class + bytes;
  mine_.resize(each_);
  std::memcpy(mine_.data(), &error_class, sizeof error_class);
  if (bytes != 0) std::memcpy(mine_.data() + sizeof error_class, told, bytes);
  records_.resize(each_ * static_cast<std::size_t>(comm_.size()));
  awaited_ = meetings_.allgather(mine_.data(), records_.data(), each_, comm_, when_);
}

int Agreement::class_of(int rank) const {
  std::int32_t error_class = 0;
  std::memcpy(&error_class, records_.data() + static_cast<std::size_t>(rank) * each_, sizeof error_class);
  return error_class;
}

bool Agreement::advance() {
  if (awaited()) return false;
  awaited_.reset();
  if (stage_ == Stage::telling) {
    stage_ = Stage::over;
    for (int rank = 0; rank < comm_.size() && failed_rank_ < 0; ++rank)
      if (class_of(rank) != 0) failed_rank_ = rank;
    if (failed_rank_ < 0) return true;
    stage_ = Stage::explaining;
    if (failed_rank_ == comm_.rank()) failure_->message.copy(text_, kTextBytes - 1);
    awaited_ = meetings_.bcast(text_, kTextBytes, failed_rank_, comm_, when_);
    if (awaited()) return false;
    awaited_.reset();
  }
  if (stage_ == Stage::explaining && !failure_)
    failure_ = base::Error{class_of(failed_rank_), fmt::format("rank {} has failed: {}", failed_rank_, text_)};
  stage_ = Stage::over;
  return true;
}

}  // namespace antiphon::io
