/// Which implementation of the vector kernels runs: chosen once per process, from what the processor offers.
#pragma once

#include <cstdlib>
#include <string_view>

#include "base/error.h"

namespace cuzk {

enum class Kernels {
  portable,  ///< plain C++
  ifma,      ///< AVX-512 with 52-bit multiply-adds, eight elements side by side
};

/// Whether this processor (and this build) can run them.
inline bool is_supported(Kernels kernels) {
#if defined(__x86_64__) && !defined(__CUDACC__)
  if (kernels == Kernels::ifma) return __builtin_cpu_supports("avx512ifma") != 0;
#endif
  return kernels == Kernels::portable;
}

/// What the environment variable CUZK_CPU names ("portable" or "ifma"), else the fastest that is supported. Throws
/// Error{invalid_input} for another name and for kernels that this processor lacks.
inline Kernels choose_kernels(const char* name) {
  if (name == nullptr || *name == '\0') return is_supported(Kernels::ifma) ? Kernels::ifma : Kernels::portable;
  const std::string_view text = name;
  if (text != "portable" && text != "ifma") throw invalid_input("CUZK_CPU={}: expected portable or ifma", text);
  const Kernels kernels = text == "ifma" ? Kernels::ifma : Kernels::portable;
  if (!is_supported(kernels)) throw invalid_input("CUZK_CPU={}: this processor does not have it", text);
  return kernels;
}

inline Kernels chosen_kernels() {
  static const Kernels kernels = choose_kernels(std::getenv("CUZK_CPU"));
  return kernels;
}

}  // namespace cuzk
