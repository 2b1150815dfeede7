// Reads a file that an option names.
#pragma once

#include <fstream>
#include <string>

namespace antiphon::launch {

// Throws Failure for what is no file that can be read. `option` is how the user wrote it, `valid` what the file has.
[[nodiscard]] std::ifstream open_text_file(const std::string& option, const std::string& path, const char* valid);

// That there is something wrong with it: "-hostfile: 'PATH' WHY (valid: VALID)".
[[noreturn]] void fail_file(const std::string& option, const std::string& path, const std::string& why,
                            const char* valid);

}  // namespace antiphon::launch
