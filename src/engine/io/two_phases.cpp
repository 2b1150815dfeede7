#include "engine/io/two_phases.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

namespace antiphon::io {

using objects::Ref;
using objects::Request;
using Run = objects::FileView::Run;

namespace {

// Domains and windows begin at multiples of this, so that no two aggregators write to one page of the file.
constexpr std::int64_t kPage = 4096;
constexpr std::int64_t rounded_up(std::int64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }
constexpr std::int64_t rounded_down(std::int64_t bytes) { return bytes / kPage * kPage; }

// One round's messages are complete before the next begins, and the messages of two processes keep their order.
constexpr std::int32_t kHeadTag = 1, kListTag = 2, kDataTag = 3;

std::size_t in_memory(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

Domains::Domains(const Span& accessed, int most, std::int64_t window_bytes, int of_ranks)
    : all{rounded_down(accessed.first), accessed.end}, window(rounded_up(window_bytes)), ranks(of_ranks) {
  const std::int64_t bytes = all.end - all.first;
  const std::int64_t wanted = std::clamp<std::int64_t>(most, 1, ranks);
  each = std::max(rounded_up((bytes + wanted - 1) / wanted), kPage);
  aggregators = static_cast<int>((bytes + each - 1) / each);
}

int Domains::aggregator_at(int rank) const {
  for (int aggregator = 0; aggregator < aggregators; ++aggregator)
    if (rank_of(aggregator) == rank) return aggregator;
  return -1;
}

Span Domains::window_of(int aggregator, std::int64_t round) const {
  const std::int64_t domain = all.first + aggregator * each;
  const std::int64_t end = std::min(domain + each, all.end);
  const std::int64_t first = std::min(domain + round * window, end);
  return {first, std::min(first + window, end)};
}

TwoPhases::TwoPhases(const Tools& tools, Direction direction, const Access& access, objects::File& file, When when,
                     std::vector<Span> spans, const Domains& domains)
    : tools_(tools),
      direction_(direction),
      access_(access),
      file_(file),
      comm_(file.comm()),
      when_(when),
      spans_(std::move(spans)),
      domains_(domains),
      me_(domains.aggregator_at(file.comm().rank())),
      next_position_(static_cast<std::size_t>(domains.aggregators), -1) {}

const Request* TwoPhases::awaited() const {
  for (const auto& request : awaited_)
    if (!request->done()) return request.get();
  return working_ && !working_->done() ? working_.get() : nullptr;
}

bool TwoPhases::advance() {
  while (stage_ != Stage::over) {
    if (awaited()) return false;
    awaited_.clear();
    begin(stage_);
  }
  return true;
}

void TwoPhases::begin(Stage stage) {
  switch (stage) {
    case Stage::ask:
      stage_ = Stage::learn;
      return ask();
    case Stage::learn:
      stage_ = Stage::collect;
      return learn();
    case Stage::collect:
      stage_ = Stage::access_file;
      return collect();
    case Stage::access_file:
      stage_ = Stage::answer;
      return access_file();
    case Stage::answer:
      stage_ = Stage::finish;
      return answer();
    case Stage::finish:
      stage_ = ++round_ < domains_.rounds() ? Stage::ask : Stage::over;
      return finish();
    case Stage::over:
      return;
  }
}

// ---- messages

void TwoPhases::send(const void* data, std::size_t bytes, int rank, std::int32_t tag) {
  if (auto begun = tools_.messages.start_send({data, bytes, rank, tag, comm_, comm_.user_space()}))
    begun_.emplace_back(std::move(begun));
}

Ref<pt2pt::ReceiveRequest> TwoPhases::receive(void* data, std::size_t bytes, int rank, std::int32_t tag) {
  return tools_.messages.start_receive({data, bytes, rank, tag, comm_, comm_.user_space()});
}

// ---- what this rank wants

std::byte* TwoPhases::bytes_of(const Part& part) const {
  return part.packed ? part.packed : access_.memory.first() + (part.position - access_.position);
}

void TwoPhases::pack_parts() {
  std::int64_t all = 0;
  for (const Part& part : parts_) all += part.bytes;
  std::byte* next = tools_.buffers.own.of(in_memory(all));
  for (Part& part : parts_) {
    part.packed = std::exchange(next, next + part.bytes);
    if (writes()) access_.memory.pack(part.position - access_.position, part.packed, part.bytes);
  }
}

void TwoPhases::list_parts() {
  parts_.clear();
  const Span& mine = spans_[static_cast<std::size_t>(comm_.rank())];
  const std::int64_t begin = access_.position, end = access_.position + access_.memory.bytes;
  for (int aggregator = 0; aggregator < domains_.aggregators; ++aggregator) {
    const Span window = domains_.window_of(aggregator, round_);
    if (!window.meets(mine)) continue;
    std::int64_t& next = next_position_[static_cast<std::size_t>(aggregator)];
    if (next < 0) next = access_.view->first_at(window.first, begin, end);
    const std::int64_t position = std::exchange(next, access_.view->first_at(window.end, next, end));
    parts_.push_back({aggregator, position, next - position});
  }
}

void TwoPhases::ask_about(Part& part) {
  part.runs = runs_of(*access_.view, part.position, part.bytes);
  part.head.bytes = part.bytes;
  part.head.entries = static_cast<std::int64_t>(part.runs.size());
  const std::size_t in_head = std::min(part.runs.size(), Head::kRuns);
  std::copy_n(part.runs.begin(), in_head, part.head.runs);
  if (part.aggregator == me_) return;
  const int rank = domains_.rank_of(part.aggregator);
  send(&part.head, sizeof part.head, rank, kHeadTag);
  if (part.runs.size() > in_head)
    send(part.runs.data() + in_head, (part.runs.size() - in_head) * sizeof(StridedRuns), rank, kListTag);
  if (part.bytes == 0) return;
  if (writes())
    send(bytes_of(part), in_memory(part.bytes), rank, kDataTag);
  else
    begun_.emplace_back(part.arriving = receive(bytes_of(part), in_memory(part.bytes), rank, kDataTag));
}

void TwoPhases::ask() {
  sources_.clear();
  if (me_ >= 0) {
    const Span window = domains_.window_of(me_, round_);
    origin_ = window.first;
    for (int rank = 0; rank < comm_.size(); ++rank)
      if (window.meets(spans_[static_cast<std::size_t>(rank)])) sources_.push_back({rank});
    for (Source& source : sources_)
      if (source.rank != comm_.rank()) await(receive(&source.head, sizeof source.head, source.rank, kHeadTag));
  }
  list_parts();
  if (!access_.memory.in_one_piece()) pack_parts();
  for (Part& part : parts_) ask_about(part);
}

// ---- the aggregator

void TwoPhases::need(const Source& source, bool holds) const {
  if (!holds)
    base::fail(abi::ERR_INTERN, fmt::format("rank {} of {} has asked for what it cannot have in a window of {} bytes",
                                            source.rank, file_.title(), domains_.window));
}

// What another process says is checked before it is used.
void TwoPhases::need_within_window(const Source& source) const {
  const Span window = domains_.window_of(me_, round_);
  std::int64_t bytes = 0;
  for (const StridedRuns& runs : source.runs) {
    std::int64_t distance = 0;
    need(source, runs.bytes > 0 && runs.bytes <= domains_.window && runs.count > 0 &&
                     (runs.count == 1 ? runs.stride >= 0 : runs.stride >= runs.bytes) &&
                     runs.offset >= window.first && runs.offset < window.end &&
                     !__builtin_mul_overflow(runs.stride, runs.count - 1, &distance) &&
                     distance <= window.end - runs.offset - runs.bytes);
    need(source, (bytes += runs.total()) <= source.head.bytes);
  }
  need(source, bytes == source.head.bytes);
}

void TwoPhases::learn() {
  for (Source& source : sources_) {
    if (source.rank == comm_.rank()) {
      const auto own = std::ranges::find(parts_, me_, &Part::aggregator);
      source.head = own->head;
      source.runs = own->runs;
      source.bytes = bytes_of(*own);
      continue;
    }
    need(source, source.head.entries >= 0 && source.head.entries <= domains_.window && source.head.bytes >= 0 &&
                     source.head.bytes <= domains_.window);
    const std::size_t in_head = std::min(in_memory(source.head.entries), Head::kRuns);
    source.runs.assign(source.head.runs, source.head.runs + in_head);
    if (in_memory(source.head.entries) == in_head) continue;
    source.runs.resize(in_memory(source.head.entries));
    await(receive(source.runs.data() + in_head, (source.runs.size() - in_head) * sizeof(StridedRuns), source.rank,
                  kListTag));
  }
}

void TwoPhases::collect() {
  std::int64_t all = 0;
  const auto is_other = [this](const Source& source) { return source.rank != comm_.rank(); };
  for (const Source& source : sources_)
    if (is_other(source)) all += source.head.bytes;
  std::byte* next = tools_.buffers.incoming.of(in_memory(all));
  for (Source& source : sources_) {
    if (!is_other(source)) continue;
    need_within_window(source);
    if (source.head.bytes == 0) continue;
    source.bytes = std::exchange(next, next + source.head.bytes);
    if (writes()) await(receive(source.bytes, in_memory(source.head.bytes), source.rank, kDataTag));
  }
}

void TwoPhases::access_file() {
  const bool has_any = std::ranges::any_of(sources_, [](const Source& source) { return source.head.bytes != 0; });
  if (!has_any || failure_) return;
  const auto work = [this] {
    if (writes())
      write_window();
    else
      read_window();
    return std::int64_t{0};
  };
  if (when_ == When::later) {
    working_ = FileRequestRef::adopt(new FileRequest(file_));
    tools_.background.start(working_, work);
    return;
  }
  try {
    (void)work();
  } catch (base::Error& error) {
    failure_ = std::move(error);
  } catch (const std::bad_alloc&) {
    failure_ = base::Error{abi::ERR_NO_MEM, "out of memory"};
  }
}

void TwoPhases::write_window() {
  image_ = tools_.buffers.window.of(in_memory(domains_.window));
  RunList all;
  for (const Source& source : sources_) {
    scatter(source.runs, source.bytes, image_, origin_);
    all.insert(all.end(), source.runs.begin(), source.runs.end());
  }
  for (const Run& run : covered_by(std::move(all)))
    access_.file->write(image_ + (run.offset - origin_), run.bytes, run.offset);
}

// Reads gaps, too, if they are no more than what is wanted.
void TwoPhases::read_window() {
  image_ = tools_.buffers.window.of(in_memory(domains_.window));
  RunList all;
  for (const Source& source : sources_) all.insert(all.end(), source.runs.begin(), source.runs.end());
  std::vector<Run> wanted = covered_by(std::move(all));
  std::int64_t bytes = 0;
  for (const Run& run : wanted) bytes += run.bytes;
  const Run whole{wanted.front().offset, wanted.back().end() - wanted.front().offset};
  if (whole.bytes <= 2 * bytes) wanted = {whole};
  for (const Run& run : wanted) {
    const std::int64_t got = access_.file->read(image_ + (run.offset - origin_), run.bytes, run.offset);
    if (got == run.bytes) continue;
    file_ends_ = run.offset + got;
    return;
  }
}

void TwoPhases::answer() {
  if (working_ && working_->outcome.error != 0)
    failure_ = base::Error{working_->outcome.error, *working_->error_text};
  working_.reset();
  if (!writes()) hand_out();
  awaited_.swap(begun_);
}

void TwoPhases::hand_out() {
  for (Source& source : sources_) {
    if (source.head.bytes == 0) continue;
    const std::int64_t there = failure_ ? 0 : bytes_before(source.runs, file_ends_);
    gather(there == source.head.bytes ? source.runs : first_of(source.runs, there), image_, origin_, source.bytes);
    if (source.rank != comm_.rank())
      send(source.bytes, in_memory(there), source.rank, kDataTag);
    else if (there != source.head.bytes)
      ends_at_ = std::min(ends_at_, std::ranges::find(parts_, me_, &Part::aggregator)->position + there);
  }
}

void TwoPhases::finish() {
  if (writes()) return;
  for (Part& part : parts_) {
    if (part.arriving && part.arriving->outcome.bytes < part.bytes)
      ends_at_ = std::min(ends_at_, part.position + part.arriving->outcome.bytes);
    const std::int64_t there = std::clamp<std::int64_t>(ends_at_ - part.position, 0, part.bytes);
    if (part.packed) access_.memory.unpack(part.position - access_.position, part.packed, there);
  }
}

}  // namespace antiphon::io
