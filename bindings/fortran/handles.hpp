// Handles: in Fortran the integers of MPI_X_toint, alone or as the only component of a type.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "adapters.hpp"

namespace antiphon::fortran {

// The ABI fixes the values of predefined handles, all below this one, and their integers are the same. The library is
// asked for others alone.
inline constexpr std::uintptr_t kPredefinedHandles = 0x1000;

template <class Handle>
struct Numbers;

#define ANTIPHON_NUMBERS(Handle, Prefix)                                                    \
  template <>                                                                               \
  struct Numbers<Handle> {                                                                  \
    static Handle from(int number) {                                                        \
      const auto value = static_cast<std::uintptr_t>(number);                               \
      if (value < kPredefinedHandles) return reinterpret_cast<Handle>(value);               \
      return Prefix##_fromint(number);                                                      \
    }                                                                                       \
    static int to(Handle handle) {                                                          \
      const auto value = reinterpret_cast<std::uintptr_t>(handle);                          \
      return value < kPredefinedHandles ? static_cast<int>(value) : Prefix##_toint(handle); \
    }                                                                                       \
  };
ANTIPHON_NUMBERS(MPI_Comm, MPI_Comm)
ANTIPHON_NUMBERS(MPI_Datatype, MPI_Type)
ANTIPHON_NUMBERS(MPI_Errhandler, MPI_Errhandler)
ANTIPHON_NUMBERS(MPI_File, MPI_File)
ANTIPHON_NUMBERS(MPI_Group, MPI_Group)
ANTIPHON_NUMBERS(MPI_Info, MPI_Info)
ANTIPHON_NUMBERS(MPI_Message, MPI_Message)
ANTIPHON_NUMBERS(MPI_Op, MPI_Op)
ANTIPHON_NUMBERS(MPI_Request, MPI_Request)
ANTIPHON_NUMBERS(MPI_Session, MPI_Session)
ANTIPHON_NUMBERS(MPI_Win, MPI_Win)
#undef ANTIPHON_NUMBERS

template <class Handle>
Handle from(const int* number) {
  return Numbers<Handle>::from(*number);
}

// What the program's copies wait for (scratch.hpp) may have happened when a call had their request in its hands.
extern std::atomic<bool> copies_are_kept;
void request_was_used(int number, MPI_Request now);
template <class Handle>
void was_used(int, Handle) {}
template <>
inline void was_used<MPI_Request>(int number, MPI_Request now) {
  if (copies_are_kept) request_was_used(number, now);
}

// A handle that the call makes. No library has one at the address 1, so what the call leaves alone is left alone
// here.
template <class Handle>
class Out {
 public:
  explicit Out(int* number) : number_(number) {}
  ~Out() {
    if (handle_ != nothing()) *number_ = Numbers<Handle>::to(handle_);
  }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;
  operator Handle*() { return &handle_; }

 private:
  static Handle nothing() { return reinterpret_cast<Handle>(1); }
  int* number_;
  Handle handle_ = nothing();
};

// A handle that the call may change.
template <class Handle>
class InOut {
 public:
  explicit InOut(int* number) : number_(number), handle_(Numbers<Handle>::from(*number)), before_(handle_) {}
  ~InOut() {
    was_used(*number_, handle_);
    if (handle_ != before_) *number_ = Numbers<Handle>::to(handle_);
  }
  InOut(const InOut&) = delete;
  InOut& operator=(const InOut&) = delete;
  operator Handle*() { return &handle_; }

 private:
  int* number_;
  Handle handle_;
  Handle before_;
};

template <class Handle>
class In_array {
 public:
  In_array(const int* numbers, MPI_Count count) : handles_(count) {
    for (std::size_t i = 0; i < handles_.size(); ++i) handles_[i] = Numbers<Handle>::from(numbers[i]);
  }
  operator const Handle*() { return handles_.data(); }

 private:
  Array<Handle> handles_;
};

template <class Handle>
class InOut_array {
 public:
  InOut_array(int* numbers, MPI_Count count) : numbers_(numbers), handles_(count) {
    for (std::size_t i = 0; i < handles_.size(); ++i) handles_[i] = Numbers<Handle>::from(numbers[i]);
  }
  ~InOut_array() {
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      was_used(numbers_[i], handles_[i]);
      const int now = Numbers<Handle>::to(handles_[i]);
      if (now != numbers_[i]) numbers_[i] = now;
    }
  }
  InOut_array(const InOut_array&) = delete;
  InOut_array& operator=(const InOut_array&) = delete;
  operator Handle*() { return handles_.data(); }

 private:
  int* numbers_;
  Array<Handle> handles_;
};

template <class Handle>
class Out_array {
 public:
  Out_array(int* numbers, MPI_Count count) : numbers_(numbers), handles_(count) {
    for (std::size_t i = 0; i < handles_.size(); ++i) handles_[i] = nothing();
  }
  ~Out_array() {
    for (std::size_t i = 0; i < handles_.size(); ++i)
      if (handles_[i] != nothing()) numbers_[i] = Numbers<Handle>::to(handles_[i]);
  }
  Out_array(const Out_array&) = delete;
  Out_array& operator=(const Out_array&) = delete;
  operator Handle*() { return handles_.data(); }

 private:
  static Handle nothing() { return reinterpret_cast<Handle>(1); }
  int* numbers_;
  Array<Handle> handles_;
};

}  // namespace antiphon::fortran
