#include "objects/error_codes.hpp"

#include <fmt/format.h>

#include "abi/constants.hpp"
#include "abi/error_strings.hpp"
#include "base/error.hpp"

namespace antiphon::objects {

ErrorCodes::ErrorCodes() : last_used_(abi::ERR_LASTCODE) {}

ErrorCodes::Code& ErrorCodes::own(int code, const char* argument) {
  const auto found = codes_.find(code);
  if (found != codes_.end()) return found->second;
  if (const auto* predefined = abi::find_error_class(code))
    base::fail(abi::ERR_ARG, fmt::format("{}={} is {}, which is predefined: only what MPI_Add_error_class and "
                                         "MPI_Add_error_code gave out can be changed",
                                         argument, code, predefined->name));
  base::fail(abi::ERR_ARG, fmt::format("{}={} was not given out by MPI_Add_error_class or MPI_Add_error_code, or was "
                                       "removed",
                                       argument, code));
}

int ErrorCodes::next(int error_class) {
  if (last_used_ == kOfOne - 1)
    base::fail(abi::ERR_NO_MEM, "this process has added 2^30 error codes, the most there can be");
  const int code = ++last_used_;
  codes_.emplace(code, Code{error_class == 0 ? code : error_class, 0, {}});
  return code;
}

int ErrorCodes::add_class() { return next(0); }

int ErrorCodes::add_code(int error_class) {
  if (error_class == abi::SUCCESS || class_of(error_class) != error_class)
    base::fail(abi::ERR_ARG, fmt::format("errorclass={} is not an error class: pass a predefined one, or one that "
                                         "MPI_Add_error_class returned",
                                         error_class));
  const int code = next(error_class);
  if (const auto parent = codes_.find(error_class); parent != codes_.end()) ++parent->second.codes_in_class;
  return code;
}

void ErrorCodes::set_string(int code, std::string text) {
  if (text.size() >= abi::MAX_ERROR_STRING)
    base::fail(abi::ERR_ARG, fmt::format("string has {} characters; MPI_MAX_ERROR_STRING allows {}", text.size(),
                                         abi::MAX_ERROR_STRING - 1));
  own(code, "errorcode").text = std::move(text);
}

void ErrorCodes::remove_class(int error_class) {
  const Code& entry = own(error_class, "errorclass");
  if (entry.error_class != error_class)
    base::fail(abi::ERR_ARG,
               fmt::format("errorclass={} is an error code: MPI_Remove_error_code removes it", error_class));
  if (entry.codes_in_class != 0)
    base::fail(abi::ERR_ARG, fmt::format("errorclass={} still has {} error codes: remove them first", error_class,
                                         entry.codes_in_class));
  if (entry.text)
    base::fail(abi::ERR_ARG, fmt::format("errorclass={} still has an error string: remove it first", error_class));
  codes_.erase(error_class);
}

void ErrorCodes::remove_code(int code) {
  const Code& entry = own(code, "errorcode");
  if (entry.error_class == code)
    base::fail(abi::ERR_ARG, fmt::format("errorcode={} is an error class: MPI_Remove_error_class removes it", code));
  if (entry.text)
    base::fail(abi::ERR_ARG, fmt::format("errorcode={} still has an error string: remove it first", code));
  if (const auto parent = codes_.find(entry.error_class); parent != codes_.end()) --parent->second.codes_in_class;
  codes_.erase(code);
}

void ErrorCodes::remove_string(int code) {
  Code& entry = own(code, "errorcode");
  if (!entry.text)
    base::fail(abi::ERR_ARG, fmt::format("errorcode={} has no error string: MPI_Add_error_string gives one", code));
  entry.text.reset();
}

int ErrorCodes::code_of_one(int error_class, std::string sentence) {
  static_assert(abi::ERR_LASTCODE < 1 << kClassBits);
  const int number = errors_told_++ % kNumbers;
  errors_told_ %= kNumbers;
  const int code = kOfOne | number << kClassBits | error_class;
  told_[static_cast<std::size_t>(number) % kKept] = {code, std::move(sentence)};
  return code;
}

std::optional<int> ErrorCodes::class_of(int given) const {
  int code = given;
  if (code >= kOfOne) code &= (1 << kClassBits) - 1;
  if (code == abi::SUCCESS && given != code) return {};
  if (const auto found = codes_.find(code); found != codes_.end()) return found->second.error_class;
  if (abi::find_error_class(code)) return code;
  return {};
}

std::optional<std::string> ErrorCodes::string_of(int code) const {
  if (code >= kOfOne) {
    const Told& told = told_[static_cast<std::size_t>(code >> kClassBits) % kKept];
    if (told.code == code) return told.sentence;
    code &= (1 << kClassBits) - 1;
  }
  if (const auto found = codes_.find(code); found != codes_.end()) return found->second.text.value_or("");
  if (const auto* predefined = abi::find_error_class(code))
    return fmt::format("{}: {}", predefined->name, predefined->text);
  return {};
}

}  // namespace antiphon::objects
