// A message that has come, and belongs to whoever probed for it. One that ends without having been received is taken
// in and dropped, since nobody else can receive it any more.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "error.hpp"
#include "status.hpp"

namespace antiphon {

class [[nodiscard("a message that was probed for is to be received")]] message {
 public:
  message(MPI_Message native, const MPI_Status& status) noexcept : native_(native), status_(status) {}
  message(message && other) noexcept
      : native_(std::exchange(other.native_, MPI_MESSAGE_NULL)), status_(other.status_) {}
  message& operator=(message&& other) noexcept {
    std::swap(native_, other.native_);
    std::swap(status_, other.status_);
    return *this;
  }
  message(const message&) = delete;  // a message is received once: std::move it
  message& operator=(const message&) = delete;
  ~message() {
    if (native_ == MPI_MESSAGE_NULL) return;
    std::vector<std::byte> dropped(static_cast<std::size_t>(status_.count(MPI_PACKED)));
    receive({dropped.data(), static_cast<MPI_Count>(dropped.size()), MPI_PACKED});
  }

  [[nodiscard]] int source() const noexcept { return status_.source(); }
  [[nodiscard]] int tag() const noexcept { return status_.tag(); }
  template <class T>
  [[nodiscard]] MPI_Count count() const {
    return status_.count<T>();
  }

  // Into a buffer, or as an object, just as a communicator receives.
  template <class B>
  auto recv(B && buffer) {
    if constexpr (detail::given_back<B>) {
      if constexpr (detail::resizable<B>) detail::fit(buffer, status_);
      receive(detail::target_of(buffer));
      if constexpr (!detail::resizable<B>) detail::fit(buffer, status_);
      return std::remove_cvref_t<B>(std::move(buffer));
    } else {
      receive(detail::target_of(buffer));
      return status_;
    }
  }
  template <class T>
  T recv() {
    return recv(T{});
  }

 private:
  void receive(const region& target) {
    detail::check(MPI_Mrecv_c(target.address, target.count, target.type, &native_, status_.native()));
  }

  MPI_Message native_;
  antiphon::status status_;
};

}  // namespace antiphon
