// Fast paths of one-sided communication (api/short.hpp explains fast paths). They apply if this process has mapped
// the target's memory and words, all data has one predefined type, nothing has to be waited for, and one thread at
// a time calls MPI.
#pragma once

#include "api/look.hpp"
#include "base/copy.hpp"
#include "engine/rma/carried_put.hpp"
#include "engine/rma/plain_elements.hpp"

namespace antiphon::api {

// A put or get, if both ends are in one piece, as far as its arguments say so.
struct PlainTransfer {
  rma::WindowState* state;  // null: they do not
  std::byte* local;
  std::size_t bytes;

  [[nodiscard]] rma::Extent touched() const { return {0, static_cast<std::int64_t>(bytes)}; }
};
[[gnu::always_inline]] inline PlainTransfer look_at_transfer(const void* origin, int origin_count,
                                                             MPI_Datatype origin_type, int target, int target_count,
                                                             MPI_Datatype target_type, MPI_Win handle) {
  process::Process* process = look_at_process();
  if (!process) return {};
  const objects::Window* window = process->windows.find(reinterpret_cast<std::uintptr_t>(handle));
  const objects::Datatype* type = process->datatypes.find(reinterpret_cast<std::uintptr_t>(origin_type));
  if (!window || !type || origin_type != target_type || type->plain_size() == objects::Datatype::kNotPlain) return {};
  rma::WindowState& state = window->state();
  if (origin_count < 0 || origin_count != target_count) return {};
  if (static_cast<unsigned>(target) >= static_cast<unsigned>(state.size())) return {};
  if (!is_address(origin)) return {};
  return {&state, static_cast<std::byte*>(const_cast<void*>(origin)),
          static_cast<std::size_t>(static_cast<unsigned>(origin_count)) * type->plain_size()};
}

[[gnu::always_inline]] inline bool try_put(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                                           int target_rank, MPI_Aint target_disp, int target_count,
                                           MPI_Datatype target_datatype, MPI_Win win) {
  const PlainTransfer put =
      look_at_transfer(origin_addr, origin_count, origin_datatype, target_rank, target_count, target_datatype, win);
  if (!put.state) return false;
  const rma::Resolved to = put.state->resolve(target_rank, target_disp, put.touched());
  if (!to.here)
    return to.verdict == rma::Resolved::Verdict::no_epoch &&
           rma::CarriedPut(*put.state, target_rank).try_take(put.local, put.bytes, target_disp);
  put.state->use();
  base::copy_bytes(to.here, put.local, put.bytes);
  return true;
}

[[gnu::always_inline]] inline bool try_get(void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                                           int target_rank, MPI_Aint target_disp, int target_count,
                                           MPI_Datatype target_datatype, MPI_Win win) {
  const PlainTransfer get =
      look_at_transfer(origin_addr, origin_count, origin_datatype, target_rank, target_count, target_datatype, win);
  if (!get.state) return false;
  const rma::Resolved from = get.state->resolve(target_rank, target_disp, get.touched());
  if (!from.here) return false;
  get.state->use();
  base::copy_bytes(get.local, from.here, get.bytes);
  return true;
}

// ---- accumulates

// What an operation on elements of one type needs beside them.
struct PlainOperation {
  rma::WindowState* state;  // null: there is something special about it
  const objects::Datatype* type;
  process::Process* process;
};
[[gnu::always_inline]] inline PlainOperation look_at_operation(MPI_Datatype datatype, int target, MPI_Win handle) {
  process::Process* process = look_at_process();
  if (!process) return {};
  const objects::Window* window = process->windows.find(reinterpret_cast<std::uintptr_t>(handle));
  const objects::Datatype* type = process->datatypes.find(reinterpret_cast<std::uintptr_t>(datatype));
  if (!window || !type || type->plain_size() == objects::Datatype::kNotPlain) return {};
  if (window->promised_ops() != objects::Window::PromisedOps::nothing) return {};
  rma::WindowState& state = window->state();
  if (static_cast<unsigned>(target) >= static_cast<unsigned>(state.size())) return {};
  return {&state, type, process};
}
inline std::uint64_t alignment_of(const objects::Datatype& type) { return type.plain_size() & -type.plain_size(); }
inline bool is_aligned(const void* address, const objects::Datatype& type) {
  return (reinterpret_cast<std::uintptr_t>(address) & (alignment_of(type) - 1)) == 0;
}

inline const objects::Op* look_at_op(MPI_Op handle) {
  process::Process* process = look_at_process();
  return process ? process->ops.find(reinterpret_cast<std::uintptr_t>(handle)) : nullptr;
}
inline bool moves_nothing(const objects::Op& op) { return op.kind() == objects::Op::Kind::no_op; }

// A null `operand` or `result` is none.
[[gnu::always_inline]] inline bool try_combine(const objects::Op& op, const void* operand, void* result, int count,
                                               MPI_Datatype datatype, int target, MPI_Aint displacement,
                                               MPI_Win win) {
  const PlainOperation plain = look_at_operation(datatype, target, win);
  if (!plain.state || count <= 0) return false;
  coll::Kernel* const kernel = plain.process->accumulates().kernel(op.kind(), plain.type->element());
  if (!kernel || !is_aligned(operand, *plain.type)) return false;
  const std::size_t bytes = static_cast<std::size_t>(count) * plain.type->plain_size();
  const rma::PlainElements elements(*plain.state, target, displacement, alignment_of(*plain.type), bytes);
  if (!elements) return false;
  if (result) base::copy_bytes(static_cast<std::byte*>(result), elements.memory(), bytes);
  if (operand) kernel(operand, elements.memory(), static_cast<std::size_t>(count));
  return true;
}

[[gnu::always_inline]] inline bool try_accumulate(const void* origin_addr, int origin_count,
                                                  MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                                                  int target_count, MPI_Datatype target_datatype, MPI_Op op,
                                                  MPI_Win win) {
  const objects::Op* const found = look_at_op(op);
  if (!found || moves_nothing(*found) || !is_address(origin_addr)) return false;
  return origin_count == target_count && origin_datatype == target_datatype &&
         try_combine(*found, origin_addr, nullptr, target_count, target_datatype, target_rank, target_disp, win);
}

[[gnu::always_inline]] inline bool try_get_accumulate(const void* origin_addr, int origin_count,
                                                      MPI_Datatype origin_datatype, void* result_addr,
                                                      int result_count, MPI_Datatype result_datatype, int target_rank,
                                                      MPI_Aint target_disp, int target_count,
                                                      MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  const objects::Op* const found = look_at_op(op);
  if (!found || !is_address(result_addr)) return false;
  if (result_count != target_count || result_datatype != target_datatype) return false;
  if (moves_nothing(*found))
    origin_addr = nullptr;
  else if (!is_address(origin_addr) || origin_count != target_count || origin_datatype != target_datatype)
    return false;
  return try_combine(*found, origin_addr, result_addr, target_count, target_datatype, target_rank, target_disp, win);
}

inline bool try_fetch_and_op(const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
                             MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return try_get_accumulate(origin_addr, 1, datatype, result_addr, 1, datatype, target_rank, target_disp, 1, datatype,
                            op, win);
}

// Up to eight bytes, as a number.
inline std::uint64_t word_at(const void* address, std::size_t bytes) {
  std::uint64_t word = 0;
  base::copy_bytes<sizeof word>(reinterpret_cast<std::byte*>(&word), static_cast<const std::byte*>(address), bytes);
  return word;
}

inline bool try_compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr,
                                 MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) {
  if (!is_address(origin_addr) || !is_address(compare_addr) || !is_address(result_addr)) return false;
  const PlainOperation plain = look_at_operation(datatype, target_rank, win);
  if (!plain.state || !rma::can_be_compared(plain.type->element())) return false;
  const std::size_t bytes = plain.type->plain_size();
  if (bytes > sizeof(std::uint64_t)) return false;
  const rma::PlainElements element(*plain.state, target_rank, target_disp, alignment_of(*plain.type), bytes);
  if (!element) return false;
  const std::uint64_t found = word_at(element.memory(), bytes);
  if (found == word_at(compare_addr, bytes))
    base::copy_bytes<sizeof found>(element.memory(), static_cast<const std::byte*>(origin_addr), bytes);
  base::copy_bytes<sizeof found>(static_cast<std::byte*>(result_addr), reinterpret_cast<const std::byte*>(&found),
                                 bytes);
  return true;
}

// ---- active targets

struct PlainWindow {
  objects::Window* window;  // null: it is none
  process::Process* process;
};
inline PlainWindow look_at_window(MPI_Win handle) {
  process::Process* process = look_at_process();
  if (!process) return {};
  return {process->windows.find(reinterpret_cast<std::uintptr_t>(handle)), process};
}

struct PlainEpoch {
  rma::WindowState* state;  // null: there is something special about one of them
  const objects::Group* group;
  rma::ActiveTarget* active;
};
inline PlainEpoch look_at_epoch(MPI_Win handle, MPI_Group group_handle) {
  const auto [window, process] = look_at_window(handle);
  if (!window) return {};
  const objects::Group* group = process->groups.find(reinterpret_cast<std::uintptr_t>(group_handle));
  if (!group) return {};
  return {&window->state(), group, &process->active_target()};
}

inline bool try_win_post(MPI_Group group, int assertion, MPI_Win win) {
  const PlainEpoch epoch = look_at_epoch(win, group);
  return epoch.state && assertion == 0 && epoch.active->try_post(*epoch.state, *epoch.group);
}

inline bool try_win_start(MPI_Group group, int assertion, MPI_Win win) {
  const PlainEpoch epoch = look_at_epoch(win, group);
  return epoch.state && assertion == 0 && epoch.active->try_start(*epoch.state, *epoch.group);
}

inline bool try_win_complete(MPI_Win win) {
  const auto [window, process] = look_at_window(win);
  return window && process->active_target().try_complete(window->state());
}

inline bool try_win_wait(MPI_Win win) {
  const auto [window, process] = look_at_window(win);
  return window && process->active_target().try_wait(window->state());
}

// ---- passive targets

struct PlainTarget {
  objects::Window* window;  // null: there is something special about it
  rma::PassiveTarget* passive;
};
inline PlainTarget look_at_target(int rank, MPI_Win handle) {
  const auto [window, process] = look_at_window(handle);
  if (!window || static_cast<unsigned>(rank) >= static_cast<unsigned>(window->state().size())) return {};
  return {window, &process->passive_target()};
}

inline bool try_win_lock(int lock_type, int rank, int assertion, MPI_Win win) {
  using Mode = rma::PassiveTarget::Mode;
  const PlainTarget target = look_at_target(rank, win);
  if (!target.window || target.window->has_no_locks() || assertion != 0) return false;
  if (lock_type != abi::LOCK_SHARED && lock_type != abi::LOCK_EXCLUSIVE) return false;
  return target.passive->try_lock(target.window->state(), rank,
                                  lock_type == abi::LOCK_SHARED ? Mode::shared : Mode::exclusive);
}

inline bool try_win_unlock(int rank, MPI_Win win) {
  const PlainTarget target = look_at_target(rank, win);
  return target.window && target.passive->try_unlock(target.window->state(), rank);
}

inline bool try_win_flush(int rank, MPI_Win win) {
  const PlainTarget target = look_at_target(rank, win);
  return target.window && target.passive->try_flush(target.window->state(), rank);
}
inline bool try_win_flush_local(int rank, MPI_Win win) { return try_win_flush(rank, win); }

inline bool try_win_flush_all(MPI_Win win) {
  const auto [window, process] = look_at_window(win);
  return window && process->passive_target().try_flush_all(window->state());
}
inline bool try_win_flush_local_all(MPI_Win win) { return try_win_flush_all(win); }

}  // namespace antiphon::api
