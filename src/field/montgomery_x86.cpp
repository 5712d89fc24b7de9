#include <cstdlib>
#include <string_view>

#include "field/kernels.h"
#include "field/montgomery.h"

#ifdef CUZK_NATIVE_FIELD
namespace cuzk {

// Each program and each shared library has one of its own, for it is hidden: hence a file with nothing else in it.
bool x86::multiplies_with_adx = false;

namespace {

// Before anything that computes. A CUZK_CPU that cannot be obeyed is told by whoever asks chosen_cpu() first; the
// results would be the same.
[[gnu::constructor(101)]] void choose_multiplication() noexcept {
  const char* name = std::getenv("CUZK_CPU");
  const bool is_portable = name != nullptr && std::string_view(name) == "portable";
  x86::multiplies_with_adx = is_supported(Kernels::adx) && !is_portable;
}

}  // namespace
}  // namespace cuzk
#endif
