# Warnings, sanitizers, compiler cache and linker: everything about how, nothing about what.
option(ANTIPHON_WERROR "Treat warnings as errors" ON)
set(ANTIPHON_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")

add_library(antiphon_warnings INTERFACE)
target_compile_options(antiphon_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                       $<$<BOOL:${ANTIPHON_WERROR}>:-Werror>)
# GCC 12 sees overlaps in std::string concatenation that are not there (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(antiphon_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()

# With sanitizers it also loses track of what is initialized; a build without them has the last word on that.
if(ANTIPHON_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(antiphon_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()

# The thread sanitizer does not see fences. Those here order atomic variables, about which it has nothing to say, and
# memory that is shared between processes, which it cannot see either.
if(ANTIPHON_SANITIZE STREQUAL thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(antiphon_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-tsan>)
endif()

# The sanitizers' runtime, which a program that was compiled without them has to load before the library.
set(ANTIPHON_SANITIZER_RUNTIME "")
if(ANTIPHON_SANITIZE)
  if(ANTIPHON_SANITIZE MATCHES address)
    set(runtime asan)
  elseif(ANTIPHON_SANITIZE MATCHES thread)
    set(runtime tsan)
  else()
    set(runtime ubsan)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${runtime}.so
                  OUTPUT_VARIABLE ANTIPHON_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_compile_options(-fsanitize=${ANTIPHON_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${ANTIPHON_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # It keeps nothing that was compiled with precompiled headers unless it may overlook what they define.
  execute_process(COMMAND ${CCACHE_PROGRAM} --get-config sloppiness OUTPUT_VARIABLE sloppiness ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "[a-z_]+" sloppiness "${sloppiness},pch_defines,time_macros")
  list(REMOVE_DUPLICATES sloppiness)
  list(JOIN sloppiness "," sloppiness)
  # Headers are compared with their comments (CCACHE_DEPEND). Otherwise a precompiled header would be taken from the cache
  # after comments have changed, and its files would not count as included: `#pragma once` knows them by their length.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=${sloppiness} CCACHE_DEPEND=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()
