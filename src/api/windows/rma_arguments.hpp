// The arguments that operations on windows share: MPI 5.0, 12.3.
#pragma once

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/pt2pt/message_arguments.hpp"

namespace antiphon::api {

// Memory of this process, or of the target's. The names are those of the call's arguments.
struct LocalArguments {
  const char* side;  // "origin"
  const char* address_name;
  const char* count_name;
  const void* address;
  MPI_Count count;
  const objects::Datatype& type;

  [[nodiscard]] check::Message checked() const {
    return check::message(address_name, address, count_name, count, type);
  }
};
inline LocalArguments origin_arguments(const void* address, MPI_Count count, const objects::Datatype& type) {
  return {"origin", "origin_addr", "origin_count", address, count, type};
}
inline LocalArguments result_arguments(const void* address, MPI_Count count, const objects::Datatype& type) {
  return {"result", "result_addr", "result_count", address, count, type};
}

struct TargetArguments {
  int rank;
  MPI_Aint displacement;
  MPI_Count count;
  const objects::Datatype& type;

  [[nodiscard]] rma::Wanted wanted(std::size_t bytes) const {
    return {.target = rank, .displacement = displacement, .count = count, .type = type, .bytes = bytes};
  }
};

inline rma::LocalSide local_side(const check::Message& message) { return {message.buffer, message.scattered}; }

inline void need_room(const char* from, std::size_t bytes, const char* to, std::size_t room) {
  if (bytes > room) [[unlikely]]
    base::fail(abi::ERR_TRUNCATE,
               fmt::format("{} bytes of the {} do not fit: the {}'s arguments hold {} bytes", bytes, from, to, room));
}

// Where an operation puts its request, for a call that gives one (MPI 5.0, 12.3.5).
class Requested {
 public:
  Requested(Process& process, const objects::Window& window, int target, MPI_Request* handle)
      : process_(process), handle_(handle) {
    check::not_null(handle, "request");
    *handle = MPI_REQUEST_NULL;
    if (target != abi::PROC_NULL) window.state().may_flush_all();
  }
  [[nodiscard]] objects::Ref<rma::OperationRequest>* place() { return &made_; }
  void hand_out() { *handle_ = handle_of(process_, std::move(made_)); }

 private:
  Process& process_;
  MPI_Request* handle_;
  objects::Ref<rma::OperationRequest> made_;
};

}  // namespace antiphon::api
