// Which vector instructions of this CPU a kernel may use: asked when a layout is built, never while data moves.
#pragma once

namespace antiphon::layout {

enum class Vectors {
  baseline,  // what every CPU of this architecture has
  avx2,
  avx512,  // with the byte-wise instructions (VBMI2): Ice Lake, Zen 4 and later
};

[[nodiscard]] inline Vectors best_vectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vbmi2"))
    return Vectors::avx512;
  if (__builtin_cpu_supports("avx2")) return Vectors::avx2;
#endif
  return Vectors::baseline;
}

}  // namespace antiphon::layout
