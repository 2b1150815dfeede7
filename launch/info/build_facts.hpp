// What CMake knows about this build. CMake makes build_facts.cpp from build_facts.cpp.in when the build is
// configured.
#pragma once

namespace antiphon::info::build {

extern const char* const kVersion;
extern const char* const kSoname;
extern const char* const kTransports;  // separated by semicolons
extern const char* const kCompiler;
extern const char* const kType;
extern const char* const kFlags;
extern const char* const kSanitizers;

}  // namespace antiphon::info::build
