// Opens a file that an option names, and reports errors in it.
#pragma once

#include <fstream>
#include <string>

namespace antiphon::launch {

// Throws Failure if the file cannot be read. `option` is the option as the user wrote it; `valid` describes the
// expected contents.
[[nodiscard]] std::ifstream open_text_file(const std::string& option, const std::string& path, const char* valid);

// Throws Failure with the message "-hostfile: 'PATH' WHY (valid: VALID)".
[[noreturn]] void fail_file(const std::string& option, const std::string& path, const std::string& why,
                            const char* valid);

}  // namespace antiphon::launch
