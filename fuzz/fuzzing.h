/// What every target does: hand bytes to a decoder, which may give a value or Error{invalid_input}, and nothing else.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "base/types.h"

/// A function of the fuzzer's own that is left out of what is watched: neither coverage nor the sanitizers slow it down.
#ifdef __clang__
#define CUZK_FUZZ_UNWATCHED __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define CUZK_FUZZ_UNWATCHED
#endif

namespace cuzk::fuzz {

/// Stops the process: a finding.
[[noreturn]] inline void found() { __builtin_trap(); }

/// What must hold of a value that was read.
inline void expect(bool holds) {
  if (!holds) found();
}

/// Stops the process when `decode` throws an error of another code; other exceptions stop it anyway.
template <class Decode>
void expect_value_or_invalid_input(Decode decode) {
  try {
    decode();
  } catch (const Error& error) {
    if (error.code() != Code::invalid_input) found();
  }
}

inline std::string text_of(std::span<const u8> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace cuzk::fuzz
