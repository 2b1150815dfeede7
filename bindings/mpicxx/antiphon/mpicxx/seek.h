// SEEK_SET, SEEK_CUR and SEEK_END of C's library are macros, so MPI::SEEK_SET would not be one of MPI's. Here they
// become constants of the same values, and the headers that define them are read before, so that none does so
// afterwards.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

enum { antiphon_seek_set = SEEK_SET, antiphon_seek_cur = SEEK_CUR, antiphon_seek_end = SEEK_END };

#undef SEEK_SET
#undef SEEK_CUR
#undef SEEK_END

const int SEEK_SET = antiphon_seek_set;
const int SEEK_CUR = antiphon_seek_cur;
const int SEEK_END = antiphon_seek_end;
