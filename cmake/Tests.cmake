# Two tiers of tests. `make check` runs what a change needs, and takes minutes; `make check-all` runs every test, and sets
# ANTIPHON_TEST_LONG, with which tests that draw seeds or repeat themselves do so five or ten times as often.
#
# A test belongs to the first tier, unless it says otherwise, in the folder that adds it. ctest runs several at once.
#   antiphon_only_in_check_all(TEST...)  for what takes minutes, or asks with more ranks what others ask with fewer: the
#                                        label `all`. antiphon_ranks_test has MORE_RANKS for it, and
#                                        gtest_discover_tests PROPERTIES LABELS "suite;all".
#   antiphon_runs_alone(TEST...)         for what looks at the clock, or needs all cores or most of the memory
function(antiphon_only_in_check_all)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS all)
endfunction()

function(antiphon_runs_alone)
  set_property(TEST ${ARGN} PROPERTY RUN_SERIAL TRUE)
endfunction()
