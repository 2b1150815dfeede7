// Says on stdout whom a process names as its tracer, and lets it do nothing else of the kind: prctl(2), preloaded.
#include <dlfcn.h>
#include <sys/prctl.h>

#include <cstdarg>
#include <cstdio>

extern "C" [[gnu::visibility("default")]] int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  unsigned long argument[4];
  for (unsigned long& each : argument) each = va_arg(list, unsigned long);
  va_end(list);
  if (option == PR_SET_PTRACER) {
    if (argument[0] == PR_SET_PTRACER_ANY)
      std::printf("tracer any\n");
    else
      std::printf("tracer %lu\n", argument[0]);
    return 0;
  }
  static const auto real = reinterpret_cast<int (*)(int, ...)>(dlsym(RTLD_NEXT, "prctl"));
  return real(option, argument[0], argument[1], argument[2], argument[3]);
}
