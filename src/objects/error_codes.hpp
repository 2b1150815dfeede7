// Error classes, codes and strings that the user adds to the predefined ones (MPI 5.0, 9.5). A code and a class are
// numbers of one sequence above MPI_ERR_LASTCODE, none of which is given out twice. Guarded by the lock of its owner.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

namespace antiphon::objects {

class ErrorCodes {
 public:
  ErrorCodes();

  [[nodiscard]] int add_class();
  // These fail with ERR_ARG, naming `argument`, for what is not the user's own or still in use.
  [[nodiscard]] int add_code(int error_class);
  void set_string(int code, std::string text);
  void remove_class(int error_class);
  void remove_code(int code);
  void remove_string(int code);

  // Nothing for a number that is no error code. A class is its own class.
  [[nodiscard]] std::optional<int> class_of(int code) const;
  // Empty where the user gave none.
  [[nodiscard]] std::optional<std::string> string_of(int code) const;
  // MPI_LASTUSEDCODE: the address stays, the number grows.
  [[nodiscard]] const int* last_used() const { return &last_used_; }

 private:
  struct Code {
    int error_class;     // itself, if it is one
    int codes_in_class;  // of a class: those that are not removed
    std::optional<std::string> text;
  };

  Code& own(int code, const char* argument);
  int next(int error_class);

  std::unordered_map<int, Code> codes_;
  int last_used_;
};

}  // namespace antiphon::objects
