// Messages that are sent and come in part by part: threads fill partitions of one buffer, each in its own time.
//
//   auto sending = comm.psend_init(std::vector<double>(1000), {.to = right, .partitions = 10});
//   sending.start();
//   for (int i = 0; i < 10; ++i) {   // or a thread for each
//     fill(sending.partition(i));
//     sending.ready(i);              // MPI's from now on
//   }
//   sending.wait();
//
// A partition that was handed to MPI, or has not come yet, cannot be had: partition(i) throws.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "persistent.hpp"

namespace antiphon {

namespace detail {

// Elements of partition i of a buffer in `partitions` equal parts.
template <class Buffer>
class parts : public rounds {
 public:
  template <class Make>
  parts(Buffer buffer, int partitions, Make make) : buffer_(std::move(buffer)), partitions_(partitions) {
    static_assert(contiguous<Buffer> && !explicit_region<Buffer>, "partitions are of a range: a vector, or a span");
    const auto count = static_cast<MPI_Count>(elements_of(*buffer_).size());
    if (partitions < 1 || count % partitions != 0)
      throw error(MPI_ERR_COUNT,
                  std::to_string(count) + " elements are no " + std::to_string(partitions) + " equal partitions");
    check(make(*buffer_, count / partitions, made()));
  }
  ~parts() { end(); }  // before its buffer
  parts(parts&&) noexcept = default;
  parts& operator=(parts&&) noexcept = default;
  parts(const parts&) = delete;  // an operation has one owner: std::move it

  [[nodiscard]] int partitions() const noexcept { return partitions_; }
  [[nodiscard]] auto buffer() {
    require_idle(kInUse);
    return elements_of(*buffer_);
  }
  [[nodiscard]] Buffer release() && {
    end();
    return std::move(*buffer_);
  }

 protected:
  auto part(int i) {
    if (i < 0 || i >= partitions_) throw std::out_of_range("there is no partition " + std::to_string(i));
    const auto all = elements_of(*buffer_);
    const std::size_t count = all.size() / static_cast<std::size_t>(partitions_);
    return all.subspan(static_cast<std::size_t>(i) * count, count);
  }

 private:
  held<Buffer> buffer_;
  int partitions_;
};

}  // namespace detail

template <class Buffer>
class [[nodiscard("an operation that is dropped was made for nothing")]] partitioned_send
    : public detail::parts<Buffer> {
 public:
  template <class Make>
  partitioned_send(Buffer buffer, int partitions, Make make)
      : detail::parts<Buffer>(std::move(buffer), partitions, make), ready_(static_cast<std::size_t>(partitions)) {}

  void start() {
    detail::parts<Buffer>::start();
    ready_.assign(ready_.size(), false);
  }
  // To fill, until it is ready.
  [[nodiscard]] auto partition(int i) {
    const auto result = this->part(i);
    if (this->runs() && ready_[static_cast<std::size_t>(i)]) throw std::logic_error(detail::kInUse);
    return result;
  }
  using detail::parts<Buffer>::ready;
  // Hands partition i to MPI; once a round. Any thread may, if MPI was told of threads.
  void ready(int i) {
    (void)partition(i);
    if (!this->runs()) throw std::logic_error("no round is under way: start first");
    ready_[static_cast<std::size_t>(i)] = true;
    detail::check(MPI_Pready(i, this->request()));
  }

 private:
  std::vector<char> ready_;  // no bits: threads write beside each other
};

template <class Buffer>
class [[nodiscard("an operation that is dropped was made for nothing")]] partitioned_receive
    : public detail::parts<Buffer> {
 public:
  using detail::parts<Buffer>::parts;

  // Whether partition i has come; never waits.
  [[nodiscard]] bool arrived(int i) {
    (void)this->part(i);
    if (!this->runs()) return true;
    int flag = 0;
    detail::check(MPI_Parrived(this->request(), i, &flag));
    return flag;
  }
  [[nodiscard]] auto partition(int i) {
    if (!arrived(i)) throw std::logic_error("partition " + std::to_string(i) + " has not come yet");
    return this->part(i);
  }
};

}  // namespace antiphon
