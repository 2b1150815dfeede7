// Arguments that are neither handles nor buffers: LOGICALs, strings, indices, lengths.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "adapters.hpp"
#include "compiler.hpp"

namespace antiphon::fortran {

// LOGICALs.

inline int truth(const int* logical) { return *logical != compiler().false_value; }
inline int logical_of(int flag) { return flag ? compiler().true_value : compiler().false_value; }

class Out_logical {
 public:
  explicit Out_logical(int* logical) : logical_(logical) {}
  ~Out_logical() {
    if (flag_ != kNothing) *logical_ = logical_of(flag_);
  }
  Out_logical(const Out_logical&) = delete;
  Out_logical& operator=(const Out_logical&) = delete;
  operator int*() { return &flag_; }

 private:
  static constexpr int kNothing = -77;
  int* logical_;
  int flag_ = kNothing;
};

class In_logicals {
 public:
  In_logicals(const int* logicals, int count) : flags_(count) {
    for (std::size_t i = 0; i < flags_.size(); ++i) flags_[i] = truth(logicals + i);
  }
  operator const int*() { return flags_.data(); }

 private:
  Array<int> flags_;
};

class Out_logicals {
 public:
  Out_logicals(int* logicals, int count) : logicals_(logicals), flags_(count) {
    for (std::size_t i = 0; i < flags_.size(); ++i) flags_[i] = kNothing;
  }
  ~Out_logicals() {
    for (std::size_t i = 0; i < flags_.size(); ++i)
      if (flags_[i] != kNothing) logicals_[i] = logical_of(flags_[i]);
  }
  Out_logicals(const Out_logicals&) = delete;
  Out_logicals& operator=(const Out_logicals&) = delete;
  operator int*() { return flags_.data(); }

 private:
  static constexpr int kNothing = -77;
  int* logicals_;
  Array<int> flags_;
};

// Strings: blanks at the end do not count. Of an info's keys and values those at the beginning do not, either.

class Text {
 public:
  Text(const char* text, std::size_t length) : text_(text, length) { text_.erase(text_.find_last_not_of(' ') + 1); }
  operator const char*() const { return text_.c_str(); }

 protected:
  std::string text_;
};

class Stripped_text : public Text {
 public:
  Stripped_text(const char* text, std::size_t length) : Text(text, length) {
    text_.erase(0, text_.find_first_not_of(' '));
  }
};

// A string that the call sets, of up to `capacity` characters in C, padded with blanks and cut off where it is too
// long.
class Out_text {
 public:
  Out_text(char* text, std::size_t length, int capacity)
      : text_(text), length_(length), buffer_(static_cast<std::size_t>(capacity > 0 ? capacity : 0) + 1, '\0') {
    buffer_[0] = kNothing;
  }
  ~Out_text() {
    if (buffer_[0] == kNothing) return;
    const std::string_view written(buffer_.c_str());
    for (std::size_t i = 0; i < length_; ++i) text_[i] = i < written.size() ? written[i] : ' ';
  }
  Out_text(const Out_text&) = delete;
  Out_text& operator=(const Out_text&) = delete;
  operator char*() { return buffer_.data(); }

 private:
  static constexpr char kNothing = '\xff';  // begins no text in UTF-8
  char* text_;
  std::size_t length_;
  std::string buffer_;
};

// The length of a buffer for a string, and then that of the string: in C with its null character. Zero asks for the
// latter alone, in both languages.
class Buffer_length {
 public:
  explicit Buffer_length(int* length)
      : length_(length), c_length_(*length > 0 ? *length + 1 : *length), before_(c_length_) {}
  ~Buffer_length() {
    if (c_length_ != before_) *length_ = c_length_ > 0 ? c_length_ - 1 : c_length_;
  }
  Buffer_length(const Buffer_length&) = delete;
  Buffer_length& operator=(const Buffer_length&) = delete;
  operator int*() { return &c_length_; }

 private:
  int* length_;
  int c_length_;
  int before_;
};

// Indices that Fortran counts from one.

inline int from_one(int index) { return index == MPI_UNDEFINED ? index : index + 1; }

class Index {
 public:
  explicit Index(int* index) : index_(index) {}
  ~Index() {
    if (c_index_ != kNothing) *index_ = from_one(c_index_);
  }
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  operator int*() { return &c_index_; }

 private:
  static constexpr int kNothing = -77;
  int* index_;
  int c_index_ = kNothing;
};

// As many of them as the call says in `count`.
class Indices {
 public:
  Indices(int* indices, const int* count) : indices_(indices), count_(count) {}
  ~Indices() {
    for (int i = 0; *count_ != MPI_UNDEFINED && i < *count_; ++i) indices_[i] = from_one(indices_[i]);
  }
  Indices(const Indices&) = delete;
  Indices& operator=(const Indices&) = delete;
  operator int*() { return indices_; }

 private:
  int* indices_;
  const int* count_;
};

// How many entries arrays have whose length no argument says.
int dimensions_of(MPI_Comm comm);  // of a grid
int peers_of(MPI_Comm comm);       // of a collective operation: what an intercommunicator has on its other side
int sources_of(MPI_Comm comm);     // neighbors that send to this process
int destinations_of(MPI_Comm comm);

}  // namespace antiphon::fortran
