#include "field/kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/error.h"
#include "field/montgomery.h"

namespace cuzk {
namespace {

constexpr std::array<std::pair<Kernels, std::string_view>, 4> kNames{
    {{Kernels::portable, "portable"}, {Kernels::adx, "adx"}, {Kernels::avx2, "avx2"}, {Kernels::ifma, "ifma"}}};

#ifdef CUZK_NATIVE_FIELD
constexpr bool kHasAssembly = true;
#else
constexpr bool kHasAssembly = false;  // a build for debugging
#endif

#if defined(__x86_64__)
/// Bits of CPUID's leaf 7 in EBX.
bool has_leaf7(unsigned bits) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bits) == bits;
}
bool has_adx() { return has_leaf7(bit_ADX | bit_BMI2); }
bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }  // the operating system's consent included
bool has_ifma() {
  return __builtin_cpu_supports("avx512ifma") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}
#else
bool has_leaf7(unsigned) { return false; }
bool has_adx() { return false; }
bool has_avx2() { return false; }
bool has_ifma() { return false; }
#endif

Kernels best_kernels() {
  Kernels best = Kernels::portable;
  for (const auto& [kernels, name] : kNames)
    if (is_supported(kernels)) best = kernels;
  return best;
}

}  // namespace

std::string_view name_of(Kernels kernels) { return kNames[static_cast<std::size_t>(kernels)].second; }

std::optional<Kernels> kernels_of(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, [](const auto& known) { return known.second; });
  return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

bool is_supported(Kernels kernels) {
  switch (kernels) {
    case Kernels::portable: return true;
    case Kernels::adx: return kHasAssembly && has_adx();
    case Kernels::avx2: return has_avx2();
    case Kernels::ifma: return has_avx2() && has_ifma();
  }
  return false;
}

bool has_sha_extensions() {
#if defined(__x86_64__)
  return has_leaf7(bit_SHA) && __builtin_cpu_supports("sse4.1") != 0;
#else
  return false;
#endif
}

CpuChoice choose_cpu(const char* name) {
  if (name == nullptr || *name == '\0') return {best_kernels(), has_sha_extensions()};
  const auto kernels = kernels_of(name);
  if (!kernels) throw invalid_input("CUZK_CPU={}: expected portable, adx, avx2 or ifma", name);
  if (!is_supported(*kernels)) throw invalid_input("CUZK_CPU={}: this processor does not have it", name);
  return {*kernels, *kernels == Kernels::ifma && has_sha_extensions()};
}

const CpuChoice& chosen_cpu() {
  static const CpuChoice choice = choose_cpu(std::getenv("CUZK_CPU"));
  return choice;
}

}  // namespace cuzk
