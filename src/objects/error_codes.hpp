// Error codes. Predefined ones are classes. What the user adds (MPI 5.0, 9.5), codes and classes, are numbers of one
// sequence above MPI_ERR_LASTCODE, none of which is given out twice. And an error that a call returns has a code of
// its own, which knows its class and, for a while, the sentence that tells about it. Guarded by the lock of its
// owner.
#pragma once

#include <array>
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

  // The code of one error of a predefined class. Its sentence is kept until kKept others have come.
  static constexpr std::size_t kKept = 1024;
  [[nodiscard]] int code_of_one(int error_class, std::string sentence);

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

  struct Told {
    int code = 0;
    std::string sentence;
  };
  // Of one error: this bit, a number, the class.
  static constexpr int kOfOne = 1 << 30, kClassBits = 14, kNumbers = 1 << 16;

  Code& own(int code, const char* argument);
  int next(int error_class);

  std::unordered_map<int, Code> codes_;
  int last_used_;
  std::array<Told, kKept> told_;
  int errors_told_ = 0;
};

}  // namespace antiphon::objects
