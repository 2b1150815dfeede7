# Precompiled headers: what most files of a target include is parsed once, which is half of what compiling it takes. Every
# file still includes what it uses, so that it compiles without: the test tools.headers compiles each header alone, and
# all presets but `release` are built without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
#
# antiphon_precompile(TARGET HEADERS...): a header of the project is named as it is included, or by its path.
function(antiphon_precompile target)
  list(TRANSFORM ARGN REPLACE "^([^<].*)$" "\"\\1\"")
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()
