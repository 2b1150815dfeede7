/* A line of output, as each language prints it: which rank, what, and a number. */
#include <stdio.h>

static void say(int rank, const char* what, long long number) { printf("%d %s %lld\n", rank, what, number); }
