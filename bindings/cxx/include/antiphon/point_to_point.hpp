// Messages between two ranks of a communicator.
//
// A receive into a buffer (an lvalue or a view) fills as much as comes and returns the status. Asked for a type, or
// given a container to reuse, it returns the object, as long as the message:
//
//   auto status = comm.recv(std::span(row), {.from = 0});
//   auto values = comm.recv<std::vector<double>>({.from = 0});
//   values = comm.recv(std::move(values), {.from = 0});
#pragma once

#include <mpi.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "buffer.hpp"
#include "error.hpp"
#include "future.hpp"
#include "message.hpp"
#include "options.hpp"
#include "partitioned.hpp"
#include "persistent.hpp"
#include "status.hpp"

namespace antiphon {

class point_to_point {
 public:
  using native_type = MPI_Comm;
  explicit point_to_point(MPI_Comm native) noexcept : native_(native) {}
  operator MPI_Comm() const noexcept { return native_; }  // for what only the C interface has

  [[nodiscard]] int rank() const {
    int result;
    detail::check(MPI_Comm_rank(native_, &result));
    return result;
  }
  [[nodiscard]] int size() const {
    int result;
    detail::check(MPI_Comm_size(native_, &result));
    return result;
  }

  template <class B>
  void send(const B& buffer, destination where) const {
    const auto [address, count, type] = detail::source_of(buffer);
    const int to = where.to.rank;
    switch (where.mode) {
      case send_mode::standard:
        return detail::check(MPI_Send_c(address, count, type, to, where.tag, native_));
      case send_mode::synchronous:
        return detail::check(MPI_Ssend_c(address, count, type, to, where.tag, native_));
      case send_mode::buffered:
        return detail::check(MPI_Bsend_c(address, count, type, to, where.tag, native_));
      case send_mode::ready:
        return detail::check(MPI_Rsend_c(address, count, type, to, where.tag, native_));
    }
  }
  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void send(const Given&...) const { detail::name_the_receiver<Given...>(); }

  template <class B>
  auto recv(B&& buffer, origin where) const {
    if constexpr (detail::given_back<B> && detail::resizable<B>) {
      return probe(where).recv(std::forward<B>(buffer));
    } else {
      const region target = detail::target_of(buffer);
      antiphon::status status;
      detail::check(MPI_Recv_c(target.address, target.count, target.type, where.from.rank, where.tag, native_,
                               status.native()));
      if constexpr (detail::given_back<B>) {
        detail::fit(buffer, status);
        return std::remove_cvref_t<B>(std::move(buffer));
      } else {
        return status;
      }
    }
  }
  template <class T>
  [[nodiscard("to receive into a buffer, pass it: comm.recv(buffer, {.from = rank})")]] T recv(origin where) const {
    return recv(T{}, where);
  }
  template <class T = void, class... Given>
  requires detail::end_in_number<1, Given...> T recv(Given&&...)
  const { detail::name_the_sender<Given...>(); }

  // Waits for a message and takes it out of the queue, so that nobody else gets it.
  message probe(origin where) const {
    MPI_Message native = MPI_MESSAGE_NULL;
    MPI_Status status;
    detail::check(MPI_Mprobe(where.from.rank, where.tag, native_, &native, &status));
    return {native, status};
  }
  template <class... Given>
  requires detail::end_in_number<1, Given...>
  void probe(Given...) const { detail::name_the_sender<Given...>(); }
  // The same, if one is there.
  [[nodiscard]] std::optional<message> try_probe(origin where) const {
    int found = 0;
    MPI_Message native = MPI_MESSAGE_NULL;
    MPI_Status status;
    detail::check(MPI_Improbe(where.from.rank, where.tag, native_, &found, &native, &status));
    if (!found) return std::nullopt;
    return std::optional<message>(std::in_place, native, status);
  }

  // Sends one and receives the other at the same time. Returns what recv would.
  template <class Out, class In>
  auto sendrecv(const Out& outgoing, In&& incoming, exchange with) const {
    static_assert(!detail::given_back<In> || !detail::resizable<In>,
                  "how long will the message be? receive into a buffer of that size: a std::span, or an lvalue");
    const auto [address, count, type] = detail::source_of(outgoing);
    const region target = detail::target_of(incoming);
    antiphon::status status;
    detail::check(MPI_Sendrecv_c(address, count, type, with.to.rank, with.tag, target.address, target.count,
                                 target.type, with.from.rank, with.tag, native_, status.native()));
    if constexpr (detail::given_back<In>) {
      detail::fit(incoming, status);
      return std::remove_cvref_t<In>(std::move(incoming));
    } else {
      return status;
    }
  }
  template <class T, class Out>
  [[nodiscard]] T sendrecv(const Out& outgoing, exchange with) const {
    return sendrecv(outgoing, T{}, with);
  }

  template <class B>
  auto isend(B&& buffer, destination where) const {
    if constexpr (detail::explain_keeping<B>()) {
      return future<detail::kept<B>>(detail::kept<B>(std::forward<B>(buffer)), {},
                                     [&](auto& held, auto&, auto request) {
                                       const auto [address, count, type] = detail::source_of(held);
                                       const int to = where.to.rank;
                                       switch (where.mode) {
                                         case send_mode::synchronous:
                                           return MPI_Issend_c(address, count, type, to, where.tag, native_, request);
                                         case send_mode::buffered:
                                           return MPI_Ibsend_c(address, count, type, to, where.tag, native_, request);
                                         case send_mode::ready:
                                           return MPI_Irsend_c(address, count, type, to, where.tag, native_, request);
                                         case send_mode::standard:
                                           break;
                                       }
                                       return MPI_Isend_c(address, count, type, to, where.tag, native_, request);
                                     });
    }
  }

  template <class... Given>
  requires detail::end_in_number<2, Given...>
  void isend(Given&&...) const { detail::name_the_receiver<Given...>(); }

  // Room for the message: a container of its size or larger, moved in, or a view; get() returns as much of it as
  // came.
  template <class B>
  auto irecv(B&& buffer, origin where) const {
    if constexpr (detail::explain_keeping<B>()) {
      return future<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(buffer)),
          [&](auto& held, auto request) {
            const region target = detail::target_of(held);
            return MPI_Irecv_c(target.address, target.count, target.type, where.from.rank, where.tag, native_,
                               request);
          },
          detail::receive());
    }
  }
  template <class T>
  auto irecv(origin where) const {
    static_assert(
        !detail::resizable<T>,
        "how long will the message be? irecv needs room for it: comm.irecv(std::vector<double>(n), {.from = "
        "rank}); or ask for what has come with try_probe");
    return irecv(T{}, where);
  }
  template <class T = void, class... Given>
  requires detail::end_in_number<1, Given...>
  void irecv(Given&&...) const { detail::name_the_sender<Given...>(); }

  // The same again and again.
  template <class B>
  auto send_init(B&& buffer, destination where) const {
    if constexpr (detail::explain_keeping<B>()) {
      return persistent<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(buffer)), {}, [&](auto& held, auto&, auto request) {
            const auto [address, count, type] = detail::source_of(held);
            const int to = where.to.rank;
            switch (where.mode) {
              case send_mode::synchronous:
                return MPI_Ssend_init_c(address, count, type, to, where.tag, native_, request);
              case send_mode::buffered:
                return MPI_Bsend_init_c(address, count, type, to, where.tag, native_, request);
              case send_mode::ready:
                return MPI_Rsend_init_c(address, count, type, to, where.tag, native_, request);
              case send_mode::standard:
                break;
            }
            return MPI_Send_init_c(address, count, type, to, where.tag, native_, request);
          });
    }
  }
  template <class B>
  auto recv_init(B&& buffer, origin where) const {
    if constexpr (detail::explain_keeping<B>()) {
      return persistent<detail::kept<B>, detail::nothing, detail::length::fitted>(
          detail::kept<B>(std::forward<B>(buffer)), {}, [&](auto& held, auto&, auto request) {
            const region target = detail::target_of(held);
            return MPI_Recv_init_c(target.address, target.count, target.type, where.from.rank, where.tag, native_,
                                   request);
          });
    }
  }

  // In parts.
  template <class B>
  auto psend_init(B&& buffer, partitioned_destination where) const {
    if constexpr (detail::explain_keeping<B>()) {
      return partitioned_send<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(buffer)), where.partitions, [&](auto& held, MPI_Count count, auto request) {
            const const_region all = detail::source_of(held);
            return MPI_Psend_init_c(all.address, where.partitions, count, all.type, where.to.rank, where.tag, native_,
                                    MPI_INFO_NULL, request);
          });
    }
  }
  template <class B>
  auto precv_init(B&& buffer, partitioned_origin where) const {
    if constexpr (detail::explain_keeping<B>()) {
      return partitioned_receive<detail::kept<B>>(
          detail::kept<B>(std::forward<B>(buffer)), where.partitions, [&](auto& held, MPI_Count count, auto request) {
            const region all = detail::target_of(held);
            return MPI_Precv_init_c(all.address, where.partitions, count, all.type, where.from.rank, where.tag,
                                    native_, MPI_INFO_NULL, request);
          });
    }
  }

 private:
  MPI_Comm native_;
};

}  // namespace antiphon
