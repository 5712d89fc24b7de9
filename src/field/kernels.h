/// Which instructions the arithmetic takes: chosen once per process, from what the processor offers or as the environment
/// variable CUZK_CPU says. Every choice gives the same bits.
///
/// portable: plain C++ for whatever the compiler's target is (x86-64-v3 as built here). adx: multiplications in the
/// fields one at a time with mulx, adcx, adox. avx2: and SHA-256 of eight messages side by side. ifma: and eight field
/// elements side by side in AVX-512 with 52-bit multiply-adds (transforms, sums of points, Poseidon), and the SHA
/// extensions where the processor has them. Without CUZK_CPU the best that is there is taken, the SHA extensions too.
#pragma once

#include <optional>
#include <string_view>

namespace cuzk {

enum class Kernels { portable, adx, avx2, ifma };  ///< each takes those before it along

/// As CUZK_CPU has it: "portable", "adx", "avx2", "ifma".
std::string_view name_of(Kernels kernels);
std::optional<Kernels> kernels_of(std::string_view name);

/// Whether this processor (and this build) can run them.
bool is_supported(Kernels kernels);
bool has_sha_extensions();  ///< of the processor

struct CpuChoice {
  Kernels kernels;
  bool sha_extensions;
};

/// What `name` asks for, or the best where it is null or empty. Throws Error{invalid_input} for another name and for
/// kernels that this processor lacks.
CpuChoice choose_cpu(const char* name);

/// Of this process. Throws as choose_cpu.
const CpuChoice& chosen_cpu();
inline Kernels chosen_kernels() { return chosen_cpu().kernels; }

}  // namespace cuzk
